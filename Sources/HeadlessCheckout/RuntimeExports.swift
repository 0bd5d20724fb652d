import CHeadlessCheckout
import CSystem
import CheckoutRuntime

@_cdecl("hco_runtime_create") @implementation
public func hco_runtime_create(
  _ abi_version: Int32, _ options: UnsafePointer<CChar>?, _ callbacks: UnsafePointer<hco_callbacks>?,
  _ runtime: UnsafeMutablePointer<OpaquePointer?>?, _ reply: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> hco_status {
  runtime?.pointee = nil
  let given = Boundary.callbacks(callbacks)
  let status = Boundary.answer(reply) { () throws(CallFault) in
    guard let runtime else { throw Boundary.missing("runtime") }
    let created = try Runtime.create(abiVersion: abi_version, Boundary.bytes(options), given)
    runtime.pointee = Boundary.pointer(created.runtime.handle)
    return created.reply
  }
  if status != HCO_OK { given.giveBack() }
  return status
}

@_cdecl("hco_runtime_info") @implementation
public func hco_runtime_info(
  _ runtime: OpaquePointer?, _ reply: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> hco_status {
  Boundary.runtime(runtime, reply) { (runtime) throws(CallFault) in runtime.info() }
}

@_cdecl("hco_runtime_destroy") @implementation
public func hco_runtime_destroy(_ runtime: OpaquePointer?) {
  guard let found = try? Boundary.runtime(runtime) else { return }
  found.destroy()
}

@_cdecl("hco_runtime_fd") @implementation
public func hco_runtime_fd(_ runtime: OpaquePointer?) -> Int32 {
  guard let found = try? Boundary.runtime(runtime) else { return -1 }
  return found.descriptor
}

@_cdecl("hco_runtime_poll") @implementation
public func hco_runtime_poll(_ runtime: OpaquePointer?, _ timeout_ms: Int32) -> hco_status {
  Boundary.runtime(runtime, nil) { (runtime) throws(CallFault) in
    try runtime.poll(timeout: timeout_ms)
    return ""
  }
}

@_cdecl("hco_runtime_next") @implementation
public func hco_runtime_next(
  _ runtime: OpaquePointer?, _ timeout_ms: Int32, _ checkout: UnsafeMutablePointer<OpaquePointer?>?,
  _ kind: UnsafeMutablePointer<Int32>?, _ ticket: UnsafeMutablePointer<UInt64>?,
  _ json: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> hco_status {
  checkout?.pointee = nil
  kind?.pointee = 0
  ticket?.pointee = 0
  json?.pointee = nil
  return Boundary.runtime(runtime, nil) { (runtime) throws(CallFault) in
    guard let checkout, let kind, let ticket, let json else { throw Boundary.missing("out") }
    guard let delivery = try runtime.next(timeout: timeout_ms) else { return "" }
    checkout.pointee = Boundary.pointer(delivery.0)
    kind.pointee = delivery.1
    ticket.pointee = delivery.2
    json.pointee = delivery.3
    return ""
  }
}

// Async-signal-safe: atomics and one write, no lock and no allocation.
@_cdecl("hco_runtime_wake") @implementation
public func hco_runtime_wake(_ runtime: OpaquePointer?) -> hco_status {
  let bits = UInt64(UInt(bitPattern: runtime))
  let event = hcs_runtime_event(bits)
  if event < 0 { return hcs_handle_check_fork(bits) == HCS_HANDLE_FORKED ? HCO_FORKED : HCO_INVALID_HANDLE }
  hcs_event_signal(event)
  return HCO_OK
}

@_cdecl("hco_runtime_notify") @implementation
public func hco_runtime_notify(
  _ runtime: OpaquePointer?, _ request: UnsafePointer<CChar>?,
  _ reply: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> hco_status {
  Boundary.runtime(runtime, reply) { (runtime) throws(CallFault) in try runtime.notify(Boundary.bytes(request)) }
}

@_cdecl("hco_runtime_answer_http") @implementation
public func hco_runtime_answer_http(
  _ runtime: OpaquePointer?, _ ticket: UInt64, _ answer: UnsafePointer<CChar>?, _ body: UnsafeRawPointer?,
  _ length: Int, _ reply: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> hco_status {
  Boundary.runtime(runtime, reply) { (runtime) throws(CallFault) in
    guard length == 0 || body != nil else { throw Boundary.missing("body") }
    guard length >= 0, length <= 64 << 20 else { throw Boundary.tooLong("length") }
    let bytes = UnsafeRawBufferPointer(start: body, count: body == nil ? 0 : length).map { $0 }
    return try runtime.answerHTTP(ticket, Boundary.bytes(answer), bytes)
  }
}
