import CSystem

/// What a call on a handle can meet before any work is done.
public enum HandleFault: Error, Hashable, Sendable {
  case invalid
  case forked
}

/// The two kinds of objects behind handles.
enum HandleKind: Int32 {
  case runtime = 1
  case checkout = 2
}

/// The table of handles. It owns one reference to each object.
public enum Handles {
  static func open(_ object: AnyObject, _ kind: HandleKind) -> UInt64 {
    let reference = Unmanaged.passRetained(object)
    hcs_registry_acquire()
    let handle = hcs_handle_open(kind.rawValue, reference.toOpaque())
    hcs_registry_release()
    if handle == 0 { reference.release() }
    return handle
  }

  static func event(of handle: UInt64) -> Int32 {
    hcs_registry_acquire()
    defer { hcs_registry_release() }
    return hcs_handle_event(handle)
  }

  /// Nobody is woken by it any more; it is closed later.
  static func end(_ handle: UInt64) {
    hcs_registry_acquire()
    hcs_handle_end(handle)
    hcs_registry_release()
  }

  /// The handle is stale from here on; the object lives as long as something else holds it.
  static func close(_ handle: UInt64, _ object: AnyObject) {
    hcs_registry_acquire()
    hcs_handle_close(handle)
    hcs_registry_release()
    Unmanaged.passUnretained(object).release()
  }

  public static func runtime(_ handle: UInt64) throws(HandleFault) -> Runtime {
    let runtime: Runtime = try find(handle, .runtime)
    if runtime.isGone { throw .invalid }
    return runtime
  }

  public static func checkout(_ handle: UInt64) throws(HandleFault) -> HostedCheckout {
    try find(handle, .checkout)
  }

  private static func find<Object: AnyObject>(_ handle: UInt64, _ kind: HandleKind) throws(HandleFault) -> Object {
    // Asked first, and without the lock: another thread of the parent may have held it when this process was made.
    if hcs_handle_check_fork(handle) == HCS_HANDLE_FORKED { throw .forked }
    hcs_registry_acquire()
    defer { hcs_registry_release() }
    var object: UnsafeMutableRawPointer?
    switch Int(hcs_handle_find(handle, kind.rawValue, &object)) {
    case HCS_HANDLE_OK:
      guard let object else { throw .invalid }
      return Unmanaged<Object>.fromOpaque(object).takeUnretainedValue()
    case HCS_HANDLE_FORKED:
      throw .forked
    default:
      throw .invalid
    }
  }
}

/// A lock of the shim's.
final class Lock {
  private let lock: OpaquePointer

  init?() {
    guard let lock = hcs_lock_create() else { return nil }
    self.lock = lock
  }

  deinit { hcs_lock_destroy(lock) }

  func acquire() { hcs_lock_acquire(lock) }
  func release() { hcs_lock_release(lock) }
}
