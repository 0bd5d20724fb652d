import CSystem
import Foundation
import Testing

@Suite struct PollerTests {
  private struct Wait: Equatable {
    var sockets: Int32
    var woken: Int32
    var expired: Int32
  }

  private func wait(_ poller: OpaquePointer, _ milliseconds: Int32, capacity: Int = 4) -> (Wait, [hcs_ready]) {
    var ready = [hcs_ready](repeating: hcs_ready(), count: capacity)
    var result = Wait(sockets: 0, woken: 9, expired: 9)
    result.sockets = hcs_poller_wait(
      poller, milliseconds, &ready, Int32(capacity), &result.woken, &result.expired)
    return (result, Array(ready.prefix(Int(max(0, result.sockets)))))
  }

  private func isReadable(_ descriptor: Int32) -> Bool {
    var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&entry, 1, 0) == 1
  }

  @Test func eventIsStickyAndCoalesces() throws {
    let object = UnsafeMutablePointer<Int>.allocate(capacity: 1)
    hcs_registry_acquire()
    let handle = hcs_handle_open(1, object)
    let event = hcs_handle_event(handle)
    hcs_registry_release()
    defer {
      hcs_registry_acquire()
      hcs_handle_close(handle)
      hcs_registry_release()
      object.deallocate()
    }
    let poller = try #require(hcs_poller_create(event))
    defer { hcs_poller_destroy(poller) }
    // The registry's events are used again: a wake of an earlier owner may still be in it.
    _ = wait(poller, 0)
    #expect(wait(poller, 0).0 == Wait(sockets: 0, woken: 0, expired: 0))
    for _ in 0..<3 { hcs_event_signal(event) }
    #expect(isReadable(hcs_poller_descriptor(poller)))
    #expect(wait(poller, 1000).0 == Wait(sockets: 0, woken: 1, expired: 0))
    #expect(!isReadable(hcs_poller_descriptor(poller)))
    #expect(wait(poller, 0).0 == Wait(sockets: 0, woken: 0, expired: 0))
    hcs_event_signal(-1)
  }

  @Test func deadlineFiresOnce() throws {
    let poller = try #require(hcs_poller_create(-1))
    defer { hcs_poller_destroy(poller) }
    let deadline = hcs_boot_milliseconds() + 30
    hcs_poller_deadline(poller, deadline)
    hcs_poller_deadline(poller, deadline)
    #expect(wait(poller, 0).0.expired == 0)
    #expect(wait(poller, 5000).0 == Wait(sockets: 0, woken: 0, expired: 1))
    #expect(hcs_boot_milliseconds() >= deadline)
    #expect(wait(poller, 0).0.expired == 0)
    hcs_poller_deadline(poller, deadline)
    #expect(wait(poller, 1000).0.expired == 1, "the same deadline can be set again")
  }

  @Test func deadlineInThePastAndNone() throws {
    let poller = try #require(hcs_poller_create(-1))
    defer { hcs_poller_destroy(poller) }
    for past: Int64 in [0, 1, hcs_boot_milliseconds() - 1] {
      hcs_poller_deadline(poller, past)
      #expect(wait(poller, 1000).0.expired == 1)
    }
    hcs_poller_deadline(poller, hcs_boot_milliseconds() + 10)
    hcs_poller_deadline(poller, -5)
    #expect(wait(poller, 40).0.expired == 0)
    hcs_poller_deadline(poller, .max)
    #expect(wait(poller, 0).0.expired == 0)
  }

  @Test func socketsByMask() throws {
    var pair: [Int32] = [0, 0]
    #expect(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &pair) == 0)
    defer { close(pair[0]) }
    let poller = try #require(hcs_poller_create(-1))
    defer { hcs_poller_destroy(poller) }
    #expect(hcs_poller_watch(poller, pair[0], Int32(HCS_READ)) == 0)
    #expect(wait(poller, 0).0.sockets == 0)
    #expect(hcs_poller_watch(poller, pair[0], Int32(HCS_READ | HCS_WRITE)) == 0)
    #expect(wait(poller, 0).1.map(\.mask) == [Int32(HCS_WRITE)])
    #expect(hcs_poller_watch(poller, pair[0], Int32(HCS_READ)) == 0)
    #expect(write(pair[1], "x", 1) == 1)
    #expect(wait(poller, 0).1.map(\.mask) == [Int32(HCS_READ)])
    #expect(wait(poller, 0).1.map(\.fd) == [pair[0]], "it stays ready until it is read")
    close(pair[1])
    #expect(wait(poller, 0).1.map(\.mask) == [Int32(HCS_READ | HCS_WRITE)], "a lost peer is an event of both kinds")
    #expect(hcs_poller_watch(poller, pair[0], 0) == 0)
    #expect(hcs_poller_watch(poller, pair[0], 0) == 0)
    #expect(wait(poller, 0).0.sockets == 0)
    #expect(hcs_poller_watch(poller, 99999, Int32(HCS_READ)) == -1)
  }

  @Test func moreSocketsThanRoom() throws {
    let poller = try #require(hcs_poller_create(-1))
    defer { hcs_poller_destroy(poller) }
    var events: [Int32] = []
    for _ in 0..<10 {
      var pair: [Int32] = [0, 0]
      #expect(pipe(&pair) == 0)
      close(pair[1])
      events.append(pair[0])
    }
    defer { for event in events { close(event) } }
    for event in events { #expect(hcs_poller_watch(poller, event, Int32(HCS_READ)) == 0) }
    var seen: Set<Int32> = []
    for _ in 0..<10 {
      for ready in wait(poller, 0, capacity: 3).1 {
        seen.insert(ready.fd)
        #expect(hcs_poller_watch(poller, ready.fd, 0) == 0)
      }
    }
    #expect(seen == Set(events))
  }

  @Test("what one wait did not take signals the event: a loop that is told of edges would not hear of it")
  func whatDidNotFitIsSignalled() throws {
    let object = UnsafeMutablePointer<Int>.allocate(capacity: 1)
    hcs_registry_acquire()
    let handle = hcs_handle_open(1, object)
    let poller = try #require(hcs_poller_create(hcs_handle_event(handle)))
    hcs_registry_release()
    var pipes: [Int32] = []
    defer {
      hcs_poller_destroy(poller)
      for descriptor in pipes { close(descriptor) }
      hcs_registry_acquire()
      hcs_handle_close(handle)
      hcs_registry_release()
      object.deallocate()
    }
    _ = wait(poller, 0)
    for _ in 0..<70 {
      var pair: [Int32] = [0, 0]
      #expect(pipe(&pair) == 0)
      pipes += pair
      #expect(hcs_poller_watch(poller, pair[0], Int32(HCS_READ)) == 0)
      #expect(write(pair[1], "x", 1) == 1)
    }
    #expect(wait(poller, 0, capacity: 64).0 == Wait(sockets: 64, woken: 0, expired: 0))
    var woken: Int32 = 0
    for _ in 0..<3 { woken += wait(poller, 0, capacity: 64).0.woken }
    #expect(woken >= 1)
    #expect(wait(poller, 0, capacity: 128).0.sockets >= 60)
  }

  @Test func clocksAndRandomness() throws {
    let boot = hcs_boot_milliseconds()
    let wall = hcs_wall_milliseconds()
    usleep(5000)
    #expect(hcs_boot_milliseconds() - boot >= 4)
    #expect(abs(Double(wall) / 1000 - Date().timeIntervalSince1970) < 5)
    var first = [UInt8](repeating: 0, count: 64)
    var second = first
    #expect(hcs_random(&first, first.count) == 0)
    #expect(hcs_random(&second, second.count) == 0)
    #expect(first != second)
    #expect(hcs_process() == getpid())
  }
}
