import CHeadlessCheckout
import CSystem
import CheckoutRuntime

// Version and memory. The header is the manual.

@_cdecl("hco_version") @implementation
public func hco_version() -> UnsafePointer<CChar>? { fixed(Library.version) }

@_cdecl("hco_abi_version") @implementation
public func hco_abi_version() -> Int32 { Library.abiVersion }

@_cdecl("hco_status_name") @implementation
public func hco_status_name(_ status: hco_status) -> UnsafePointer<CChar>? {
  switch status {
  case HCO_OK: fixed("HCO_OK")
  case HCO_REFUSED: fixed("HCO_REFUSED")
  case HCO_INVALID_ARGUMENT: fixed("HCO_INVALID_ARGUMENT")
  case HCO_INVALID_HANDLE: fixed("HCO_INVALID_HANDLE")
  case HCO_BUSY: fixed("HCO_BUSY")
  case HCO_REENTRANT: fixed("HCO_REENTRANT")
  case HCO_FORKED: fixed("HCO_FORKED")
  case HCO_INTERNAL: fixed("HCO_INTERNAL")
  default: fixed("HCO_UNKNOWN")
  }
}

@_cdecl("hco_free") @implementation
public func hco_free(_ text: UnsafeMutablePointer<CChar>?) { hcs_free(text) }

/// Text of the program's own, which lives as long as it does.
private func fixed(_ text: StaticString) -> UnsafePointer<CChar>? {
  UnsafeRawPointer(text.utf8Start).assumingMemoryBound(to: CChar.self)
}
