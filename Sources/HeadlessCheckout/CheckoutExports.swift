import CHeadlessCheckout
import CheckoutCore
import CheckoutRuntime

@_cdecl("hco_create") @implementation
public func hco_create(
  _ runtime: OpaquePointer?, _ request: UnsafePointer<CChar>?, _ callbacks: UnsafePointer<hco_callbacks>?,
  _ checkout: UnsafeMutablePointer<OpaquePointer?>?, _ reply: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> hco_status {
  let given = Boundary.callbacks(callbacks)
  return Boundary.make(runtime, given, checkout, reply) { (runtime) throws(CallFault) in
    var bytes = Boundary.bytes(request)
    return try runtime.create(&bytes, given)
  }
}

@_cdecl("hco_restore") @implementation
public func hco_restore(
  _ runtime: OpaquePointer?, _ snapshot: UnsafePointer<CChar>?, _ request: UnsafePointer<CChar>?,
  _ callbacks: UnsafePointer<hco_callbacks>?, _ checkout: UnsafeMutablePointer<OpaquePointer?>?,
  _ reply: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> hco_status {
  let given = Boundary.callbacks(callbacks)
  return Boundary.make(runtime, given, checkout, reply) { (runtime) throws(CallFault) in
    var bytes = Boundary.bytes(request)
    let saved = Boundary.bytes(snapshot, most: SavedState.mostBytes)
    return try runtime.restore(saved, &bytes, given)
  }
}

@_cdecl("hco_save_state") @implementation
public func hco_save_state(
  _ checkout: OpaquePointer?, _ snapshot: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> hco_status {
  snapshot?.pointee = nil
  return Boundary.checkout(checkout, nil) { (checkout) throws(CallFault) in
    guard let snapshot else { throw Boundary.missing("snapshot") }
    Boundary.write(try checkout.saveState(), to: snapshot)
    return ""
  }
}

@_cdecl("hco_teardown") @implementation
public func hco_teardown(
  _ checkout: OpaquePointer?, _ reply: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> hco_status {
  Boundary.checkout(checkout, reply) { (checkout) throws(CallFault) in try checkout.teardown() }
}

@_cdecl("hco_release") @implementation
public func hco_release(_ checkout: OpaquePointer?) {
  guard let found = try? Boundary.checkout(checkout) else { return }
  found.release()
}

@_cdecl("hco_answer") @implementation
public func hco_answer(
  _ checkout: OpaquePointer?, _ ticket: UInt64, _ answer: UnsafePointer<CChar>?,
  _ reply: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> hco_status {
  Boundary.checkout(checkout, reply) { (checkout) throws(CallFault) in
    try checkout.answer(ticket, Boundary.bytes(answer))
  }
}

@_cdecl("hco_state") @implementation
public func hco_state(
  _ checkout: OpaquePointer?, _ request: UnsafePointer<CChar>?,
  _ reply: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> hco_status {
  Boundary.checkout(checkout, reply) { (checkout) throws(CallFault) in
    try checkout.properties(Boundary.bytes(request), unnamed: Property.allCases)
  }
}

@_cdecl("hco_split") @implementation
public func hco_split(
  _ checkout: OpaquePointer?, _ request: UnsafePointer<CChar>?,
  _ reply: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> hco_status {
  Boundary.checkout(checkout, reply) { (checkout) throws(CallFault) in
    try checkout.properties(Boundary.bytes(request), unnamed: Property.split)
  }
}

@_cdecl("hco_format_amount") @implementation
public func hco_format_amount(
  _ checkout: OpaquePointer?, _ request: UnsafePointer<CChar>?,
  _ reply: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> hco_status {
  Boundary.checkout(checkout, reply) { (checkout) throws(CallFault) in
    try checkout.formatAmount(Boundary.bytes(request))
  }
}

@_cdecl("hco_read_secondary") @implementation
public func hco_read_secondary(
  _ checkout: OpaquePointer?, _ request: UnsafePointer<CChar>?,
  _ reply: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> hco_status {
  Boundary.checkout(checkout, reply) { (checkout) throws(CallFault) in
    var bytes = Boundary.bytes(request)
    return try checkout.readSecondary(&bytes)
  }
}

@_cdecl("hco_element_set_field") @implementation
public func hco_element_set_field(
  _ checkout: OpaquePointer?, _ element: UnsafePointer<CChar>?, _ field: UnsafePointer<CChar>?,
  _ text: UnsafePointer<CChar>?, _ length: Int, _ reply: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> hco_status {
  Boundary.checkout(checkout, reply) { (checkout) throws(CallFault) in
    guard length == 0 || text != nil else { throw Boundary.missing("text") }
    guard length >= 0, length <= 4_096 else { throw Boundary.tooLong("length") }
    let raw = UnsafeRawBufferPointer(start: text, count: text == nil ? 0 : length)
    var bytes = raw.map { $0 }
    return try checkout.setField(Boundary.text(element, "element"), Boundary.text(field, "field"), &bytes)
  }
}

@_cdecl("hco_redirect_check") @implementation
public func hco_redirect_check(
  _ checkout: OpaquePointer?, _ url: UnsafePointer<CChar>?, _ verdict: UnsafeMutablePointer<Int32>?,
  _ reply: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> hco_status {
  verdict?.pointee = HCO_VERDICT_BLOCK
  return Boundary.checkout(checkout, reply) { (checkout) throws(CallFault) in
    guard let verdict else { throw Boundary.missing("verdict") }
    switch try checkout.redirectVerdict(Boundary.text(url, "url")) {
    case .block: verdict.pointee = HCO_VERDICT_BLOCK
    case .allow: verdict.pointee = HCO_VERDICT_ALLOW
    case .returned: verdict.pointee = HCO_VERDICT_RETURN
    }
    return "{}"
  }
}
