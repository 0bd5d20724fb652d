import CSystem
import Foundation
import Testing

/// The table is the process's own: other tests use it too. What a test must have for itself alone is in the probe.
@Suite struct HandleTests {
  private let object = UnsafeMutablePointer<Int>.allocate(capacity: 1)

  private func open(_ kind: Int32 = 1) -> UInt64 {
    hcs_registry_acquire()
    defer { hcs_registry_release() }
    return hcs_handle_open(kind, object)
  }

  private func find(_ handle: UInt64, _ kind: Int32 = 1) -> (code: Int, object: UnsafeMutableRawPointer?) {
    hcs_registry_acquire()
    defer { hcs_registry_release() }
    var found: UnsafeMutableRawPointer? = UnsafeMutableRawPointer(bitPattern: 1)
    return (Int(hcs_handle_find(handle, kind, &found)), found)
  }

  private func close(_ handle: UInt64) {
    hcs_registry_acquire()
    defer { hcs_registry_release() }
    hcs_handle_close(handle)
  }

  @Test func findsWhatWasOpened() {
    for kind: Int32 in 1...7 {
      let handle = open(kind)
      #expect(find(handle, kind) == (HCS_HANDLE_OK, UnsafeMutableRawPointer(object)))
      for other: Int32 in 0...8 where other != kind {
        #expect(find(handle, other) == (HCS_HANDLE_INVALID, nil))
      }
      #expect(hcs_handle_check_fork(handle) == 0)
      close(handle)
      #expect(find(handle, kind) == (HCS_HANDLE_INVALID, nil))
      close(handle)
    }
    #expect(open(0) == 0)
    #expect(open(8) == 0)
  }

  @Test func staleHandlesStayStale() {
    var stale: Set<UInt64> = []
    for _ in 0..<5000 {
      let handle = open()
      #expect(!stale.contains(handle))
      close(handle)
      stale.insert(handle)
    }
    let living = open()
    for handle in stale where find(handle).code != HCS_HANDLE_INVALID { Issue.record("a stale handle was found") }
    close(living)
  }

  @Test func noProcessorTakesItForAnAddress() {
    var handles: [UInt64] = []
    for _ in 0..<300 { handles.append(open()) }
    for handle in handles {
      let top = handle >> 47
      #expect(top != 0 && top != 0x1ffff, "canonical with four levels of pages")
      #expect(handle >> 56 != 0 && handle >> 56 != 0xff, "canonical with five")
      #expect(handle >> 55 & 1 == 1, "a user address where the top byte is ignored")
      #expect(handle >> 63 != handle >> 56 & 1 && handle >> 63 != handle >> 47 & 1, "one under address masking")
    }
    for handle in handles { close(handle) }
  }

  @Test func changedBitsAreNoticed() {
    let handle = open()
    var taken = 0
    for bit in 0..<64 where find(handle ^ (1 << UInt64(bit))).code == HCS_HANDLE_OK { taken += 1 }
    #expect(taken == 0)
    var generator = SystemRandomNumberGenerator()
    for _ in 0..<100_000 where find(generator.next()).code == HCS_HANDLE_OK { taken += 1 }
    #expect(taken == 0)
    for guess: UInt64 in [0, 1, 2, .max, handle + 1, handle - 1] {
      #expect(find(guess).code == HCS_HANDLE_INVALID)
      #expect(hcs_runtime_event(guess) == -1)
      close(guess)
    }
    #expect(find(handle).code == HCS_HANDLE_OK)
    close(handle)
  }

  @Test func eventDescriptorBelongsToTheSlot() {
    let handle = open()
    hcs_registry_acquire()
    let event = hcs_handle_event(handle)
    #expect(hcs_handle_event(handle) == event)
    hcs_registry_release()
    #expect(event >= 0)
    #expect(hcs_runtime_event(handle) == event)
    hcs_event_signal(hcs_runtime_event(handle))
    var count: UInt64 = 0
    #expect(read(event, &count, 8) == 8)
    #expect(fcntl(event, F_GETFD) & FD_CLOEXEC != 0)
    close(handle)
    #expect(hcs_runtime_event(handle) == -1)
    #expect(fcntl(event, F_GETFD) >= 0, "it is not closed, for a wake may be on its way")
  }

  @Test func threadsShareTheTable() async {
    let object = UInt(bitPattern: self.object)
    await withTaskGroup(of: Int.self) { group in
      for _ in 0..<8 {
        group.addTask {
          var wrong = 0
          guard let object = UnsafeMutableRawPointer(bitPattern: object) else { return 1 }
          for _ in 0..<2000 {
            hcs_registry_acquire()
            let handle = hcs_handle_open(3, object)
            hcs_registry_release()
            hcs_registry_acquire()
            if hcs_handle_find(handle, 3, nil) != 0 { wrong += 1 }
            hcs_handle_close(handle)
            if hcs_handle_find(handle, 3, nil) != 1 { wrong += 1 }
            hcs_registry_release()
          }
          return wrong
        }
      }
      for await wrong in group { #expect(wrong == 0) }
    }
  }
}
