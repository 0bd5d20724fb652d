import CHeadlessCheckout
import CSystem
import CheckoutCore
import CheckoutRuntime

typealias Reply = UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>

/// What an export does around its one line of work: clears, looks the handle up, and puts the result into words.
enum Boundary {
  static func runtime(
    _ handle: OpaquePointer?, _ reply: Reply?, _ work: (Runtime) throws(CallFault) -> String
  ) -> hco_status {
    answer(reply) { () throws(CallFault) in try work(runtime(handle)) }
  }

  static func checkout(
    _ handle: OpaquePointer?, _ reply: Reply?, _ work: (HostedCheckout) throws(CallFault) -> String
  ) -> hco_status {
    answer(reply) { () throws(CallFault) in try work(checkout(handle)) }
  }

  /// A call that only takes JSON.
  static func perform(
    _ handle: OpaquePointer?, _ request: UnsafePointer<CChar>?, _ reply: Reply?, _ call: HostCall
  ) -> hco_status {
    checkout(handle, reply) { (checkout) throws(CallFault) in try checkout.perform(call, bytes(request)) }
  }

  /// Makes a checkout. What the host gave is given back when there is none.
  static func make(
    _ runtime: OpaquePointer?, _ given: HostCallbacks, _ checkout: UnsafeMutablePointer<OpaquePointer?>?,
    _ reply: Reply?, _ work: (Runtime) throws(CallFault) -> (UInt64, String)
  ) -> hco_status {
    checkout?.pointee = nil
    let status = answer(reply) { () throws(CallFault) in
      guard let checkout else { throw missing("checkout") }
      let (handle, text) = try work(self.runtime(runtime))
      checkout.pointee = pointer(handle)
      return text
    }
    if status != HCO_OK { given.giveBack() }
    return status
  }

  static func answer(_ reply: Reply?, _ work: () throws(CallFault) -> String) -> hco_status {
    reply?.pointee = nil
    do throws(CallFault) {
      write(try work(), to: reply)
      return HCO_OK
    } catch {
      write(error.error.json, to: reply)
      return error.status
    }
  }

  /// Text that becomes the host's.
  static func write(_ text: String, to out: Reply?) {
    out?.pointee = text.withBytes { hcs_text_copy($0, $1) }
  }

  // MARK: Handles

  static func runtime(_ handle: OpaquePointer?) throws(CallFault) -> Runtime {
    do throws(HandleFault) {
      return try Handles.runtime(bits(handle))
    } catch {
      throw .handle(error)
    }
  }

  static func checkout(_ handle: OpaquePointer?) throws(CallFault) -> HostedCheckout {
    do throws(HandleFault) {
      return try Handles.checkout(bits(handle))
    } catch {
      throw .handle(error)
    }
  }

  static func bits(_ handle: OpaquePointer?) -> UInt64 { UInt64(UInt(bitPattern: handle)) }

  static func pointer(_ handle: UInt64) -> OpaquePointer? { OpaquePointer(bitPattern: UInt(handle)) }

  // MARK: What the host passes

  static func callbacks(_ callbacks: UnsafePointer<hco_callbacks>?) -> HostCallbacks {
    let given = callbacks?.pointee
    return HostCallbacks(
      listener: given?.listener, hook: given?.hook, release: given?.release, user: given?.user)
  }

  /// The bytes up to the NUL; more than such a text may have is cut, and then refused for its size.
  static func bytes(_ text: UnsafePointer<CChar>?, most: Int = 4 << 20) -> [UInt8] {
    guard let text else { return Array("{}".utf8) }
    var length = 0
    while length <= most, text[length] != 0 { length += 1 }
    return Array(UnsafeRawBufferPointer(start: text, count: length))
  }

  /// Text that is not JSON.
  static func text(_ text: UnsafePointer<CChar>?, _ path: String) throws(CallFault) -> String {
    guard text != nil, let valid = String(validating: bytes(text), as: UTF8.self) else {
      throw .refused(CheckoutError(.invalidArgument, message: "text in UTF-8 is wanted", path: path))
    }
    return valid
  }

  static func tooLong(_ path: String) -> CallFault {
    .refused(CheckoutError(.invalidArgument, message: "too long", path: path))
  }

  static func missing(_ path: String) -> CallFault {
    .refused(CheckoutError(.invalidArgument, message: "must not be NULL", path: path))
  }
}

extension CheckoutError {
  fileprivate var status: hco_status {
    switch code {
    case .invalidArgument: HCO_INVALID_ARGUMENT
    case .internal: HCO_INTERNAL
    default: HCO_REFUSED
    }
  }
}

extension CallFault {
  var status: hco_status {
    switch self {
    case .handle(.invalid): HCO_INVALID_HANDLE
    case .handle(.forked): HCO_FORKED
    case .refused(let error): error.status
    case .busy: HCO_BUSY
    case .reentrant: HCO_REENTRANT
    case .internal: HCO_INTERNAL
    }
  }

  var error: CheckoutError {
    switch self {
    case .handle(.invalid): CheckoutError(.invalidHandle)
    case .handle(.forked): CheckoutError(.forked)
    case .refused(let error): error
    case .busy: CheckoutError(.busy)
    case .reentrant: CheckoutError(.reentrant)
    case .internal(let words): CheckoutError(.internal, message: words)
    }
  }
}
