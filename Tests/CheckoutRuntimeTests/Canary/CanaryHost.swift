import CheckoutCore
import Foundation

@testable import CheckoutRuntime

/// A host that carries the HTTP itself, types secrets, and keeps everything that it is told, asked and answered.
final class CanaryHost {
  /// Where a text came out.
  enum Outlet { case told, asked, monitoring, reply, error, snapshot }

  private var runtime: Runtime
  private(set) var checkout: UInt64 = 0
  private(set) var out: [(outlet: Outlet, text: String)] = []
  /// Questions of the checkout that wait, and requests that wait for an answer.
  var questions: [(kind: Int32, ticket: UInt64, json: String)] = []
  var requests: [(ticket: UInt64, url: String)] = []
  private let sealKey: String?
  private let session: String

  init(session: String, sealKey: String?) throws {
    self.session = session
    self.sealKey = sealKey
    let options = #"{"transport":"host","clock":"manual","device":{"model":"till"}}"#
    let relay = Relay()
    runtime = try Runtime.create(abiVersion: Library.abiVersion, Array(options.utf8), relay.callbacks).runtime
    relay.host = self
    self.relay = relay
    try create()
  }

  private var relay: Relay?

  deinit { runtime.destroy() }

  /// What C's callbacks find the host by.
  private final class Relay {
    weak var host: CanaryHost?

    var callbacks: HostCallbacks {
      HostCallbacks(
        listener: { user, _, kind, json in
          Relay.found(user)?.told(kind, json.map { String(cString: $0) } ?? "")
        },
        hook: { user, _, kind, ticket, json in
          Relay.found(user)?.asked(kind, ticket, json.map { String(cString: $0) } ?? "")
        }, release: nil, user: Unmanaged.passUnretained(self).toOpaque())
    }

    static func found(_ user: UnsafeMutableRawPointer?) -> CanaryHost? {
      user.map { Unmanaged<Relay>.fromOpaque($0).takeUnretainedValue().host } ?? nil
    }
  }

  private func told(_ kind: Int32, _ json: String) {
    out.append((kind == DeliveryKind.monitoring.rawValue ? .monitoring : .told, json))
  }

  private func asked(_ kind: Int32, _ ticket: UInt64, _ json: String) {
    guard kind == DeliveryKind.http.rawValue else {
      out.append((.asked, json))
      if ticket != 0 { questions.append((kind, ticket, json)) }
      return
    }
    let object = try? JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any]
    let url = object?["url"] as? String ?? ""
    if url.contains("/widget/headless_checkout") { out.append((.monitoring, object?["body"] as? String ?? "")) }
    requests.append((ticket, url))
  }

  // MARK: Calls

  private var more: String {
    let key = sealKey.map { #","sealKey":"\#($0)""# } ?? ""
    return """
      "apiPaths":{"payment":"https://pay.example","datetime":"https://time.example","logs":"https://logs.example"},\
      "hooks":["checkpoint","beforeValidate","afterValidate","redirection"],\
      "capabilities":[{"item":"purse-creditcard","steps":["collect"]}]\(key)
      """
  }

  private func create() throws {
    guard let relay else { return }
    var bytes = Array(#"{"widgetData":"\#(session)",\#(more)}"#.utf8)
    let made = try runtime.create(&bytes, relay.callbacks)
    checkout = made.0
    out.append((.reply, made.1))
  }

  func call(_ body: (HostedCheckout) throws(CallFault) -> String) {
    guard let found = try? Handles.checkout(checkout) else { return }
    note { () throws(CallFault) in try body(found) }
  }

  private func note(_ body: () throws(CallFault) -> String) {
    do throws(CallFault) { out.append((.reply, try body())) } catch {
      if case .refused(let error) = error { out.append((.error, error.json)) }
    }
  }

  func perform(_ call: HostCall, _ request: String) {
    self.call { (found) throws(CallFault) in try found.perform(call, Array(request.utf8)) }
  }

  func read(_ request: String) {
    call { (checkout) throws(CallFault) in
      var bytes = Array(request.utf8)
      return try checkout.readSecondary(&bytes)
    }
  }

  func answer(_ ticket: UInt64, _ answer: String) {
    call { (found) throws(CallFault) in try found.answer(ticket, Array(answer.utf8)) }
  }

  func answerHTTP(_ ticket: UInt64, _ status: Int, _ body: String) {
    let answer = #"{"ok":{"status":\#(status),"headers":{}}}"#
    note { () throws(CallFault) in try runtime.answerHTTP(ticket, Array(answer.utf8), Array(body.utf8)) }
  }

  func notify(_ notice: String) { _ = try? runtime.notify(Array(notice.utf8)) }

  func pump() { for _ in 0..<3 { try? runtime.poll(timeout: 0) } }

  /// The process ends after this state was stored, and another goes on from it.
  func restart() {
    guard let relay, let text = try? Handles.checkout(checkout).saveState() else { return }
    out.append((.snapshot, text))
    (try? Handles.checkout(checkout))?.release()
    pump()
    questions = []
    var bytes = Array("{\(more)}".utf8)
    guard let made = try? runtime.restore(Array(text.utf8), &bytes, relay.callbacks) else { return }
    checkout = made.0
    out.append((.reply, made.1))
  }

  func saveState() {
    guard let text = try? Handles.checkout(checkout).saveState() else { return }
    out.append((.snapshot, text))
  }
  func teardown() { call { (found) throws(CallFault) in try found.teardown() } }

  func takeOut() -> [(outlet: Outlet, text: String)] {
    defer { out = [] }
    return out
  }
}
