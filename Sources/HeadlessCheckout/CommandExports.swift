import CHeadlessCheckout
import CheckoutRuntime

// The calls that take JSON, are read strictly, and answer JSON.

@_cdecl("hco_set_hooks") @implementation
public func hco_set_hooks(
  _ checkout: OpaquePointer?, _ request: UnsafePointer<CChar>?,
  _ reply: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> hco_status { Boundary.perform(checkout, request, reply, .setHooks) }

@_cdecl("hco_set_session") @implementation
public func hco_set_session(
  _ checkout: OpaquePointer?, _ request: UnsafePointer<CChar>?,
  _ reply: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> hco_status { Boundary.perform(checkout, request, reply, .setSession) }

@_cdecl("hco_set_primary") @implementation
public func hco_set_primary(
  _ checkout: OpaquePointer?, _ request: UnsafePointer<CChar>?,
  _ reply: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> hco_status { Boundary.perform(checkout, request, reply, .setPrimary) }

@_cdecl("hco_apply_secondary") @implementation
public func hco_apply_secondary(
  _ checkout: OpaquePointer?, _ request: UnsafePointer<CChar>?,
  _ reply: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> hco_status { Boundary.perform(checkout, request, reply, .applySecondary) }

@_cdecl("hco_remove_secondary") @implementation
public func hco_remove_secondary(
  _ checkout: OpaquePointer?, _ request: UnsafePointer<CChar>?,
  _ reply: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> hco_status { Boundary.perform(checkout, request, reply, .removeSecondary) }

@_cdecl("hco_element_open") @implementation
public func hco_element_open(
  _ checkout: OpaquePointer?, _ request: UnsafePointer<CChar>?,
  _ reply: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> hco_status { Boundary.perform(checkout, request, reply, .elementOpen) }

@_cdecl("hco_element_report") @implementation
public func hco_element_report(
  _ checkout: OpaquePointer?, _ request: UnsafePointer<CChar>?,
  _ reply: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> hco_status { Boundary.perform(checkout, request, reply, .elementReport) }

@_cdecl("hco_element_close") @implementation
public func hco_element_close(
  _ checkout: OpaquePointer?, _ request: UnsafePointer<CChar>?,
  _ reply: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> hco_status { Boundary.perform(checkout, request, reply, .elementClose) }

@_cdecl("hco_submit") @implementation
public func hco_submit(
  _ checkout: OpaquePointer?, _ request: UnsafePointer<CChar>?,
  _ reply: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> hco_status { Boundary.perform(checkout, request, reply, .submit) }

@_cdecl("hco_abort") @implementation
public func hco_abort(
  _ checkout: OpaquePointer?, _ request: UnsafePointer<CChar>?,
  _ reply: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> hco_status { Boundary.perform(checkout, request, reply, .abort) }

@_cdecl("hco_resolve") @implementation
public func hco_resolve(
  _ checkout: OpaquePointer?, _ request: UnsafePointer<CChar>?,
  _ reply: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> hco_status { Boundary.perform(checkout, request, reply, .resolve) }

@_cdecl("hco_redirect_report") @implementation
public func hco_redirect_report(
  _ checkout: OpaquePointer?, _ request: UnsafePointer<CChar>?,
  _ reply: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> hco_status { Boundary.perform(checkout, request, reply, .redirectReport) }

@_cdecl("hco_redirect_present") @implementation
public func hco_redirect_present(
  _ checkout: OpaquePointer?, _ request: UnsafePointer<CChar>?,
  _ reply: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> hco_status { Boundary.perform(checkout, request, reply, .redirectPresent) }

@_cdecl("hco_register") @implementation
public func hco_register(
  _ checkout: OpaquePointer?, _ request: UnsafePointer<CChar>?,
  _ reply: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> hco_status { Boundary.perform(checkout, request, reply, .register) }

@_cdecl("hco_simulate_loan") @implementation
public func hco_simulate_loan(
  _ checkout: OpaquePointer?, _ request: UnsafePointer<CChar>?,
  _ reply: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> hco_status { Boundary.perform(checkout, request, reply, .simulateLoan) }

@_cdecl("hco_set_wallet_session") @implementation
public func hco_set_wallet_session(
  _ checkout: OpaquePointer?, _ request: UnsafePointer<CChar>?,
  _ reply: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> hco_status { Boundary.perform(checkout, request, reply, .setWalletSession) }

@_cdecl("hco_token_update") @implementation
public func hco_token_update(
  _ checkout: OpaquePointer?, _ request: UnsafePointer<CChar>?,
  _ reply: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> hco_status { Boundary.perform(checkout, request, reply, .tokenUpdate) }

@_cdecl("hco_token_delete") @implementation
public func hco_token_delete(
  _ checkout: OpaquePointer?, _ request: UnsafePointer<CChar>?,
  _ reply: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> hco_status { Boundary.perform(checkout, request, reply, .tokenDelete) }

@_cdecl("hco_start") @implementation
public func hco_start(
  _ checkout: OpaquePointer?, _ request: UnsafePointer<CChar>?,
  _ reply: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> hco_status { Boundary.perform(checkout, request, reply, .start) }

@_cdecl("hco_refresh") @implementation
public func hco_refresh(
  _ checkout: OpaquePointer?, _ request: UnsafePointer<CChar>?,
  _ reply: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> hco_status { Boundary.perform(checkout, request, reply, .refresh) }

@_cdecl("hco_cancel") @implementation
public func hco_cancel(
  _ checkout: OpaquePointer?, _ request: UnsafePointer<CChar>?,
  _ reply: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> hco_status { Boundary.perform(checkout, request, reply, .cancel) }

@_cdecl("hco_dismiss") @implementation
public func hco_dismiss(
  _ checkout: OpaquePointer?, _ request: UnsafePointer<CChar>?,
  _ reply: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> hco_status { Boundary.perform(checkout, request, reply, .dismiss) }
