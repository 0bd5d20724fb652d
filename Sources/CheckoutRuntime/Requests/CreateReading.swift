import CheckoutCore
import JSONText

/// What a host passes when it makes or restores a checkout.
struct CreateRequest {
  /// The text of its session; nil: the snapshot has it.
  var session: String?
  var options: CheckoutOptions
  var provider: ProviderOptions

  /// The host's key, in the store of secrets. Whoever made the request owns it.
  var sealKey: SecretID?

  /// `isRestore`: the snapshot has what only a new session is given.
  init(_ request: borrowing FieldReader, isRestore: Bool, _ runtime: RuntimeOptions) throws(CheckoutError) {
    try request.allowOnly(
      isRestore
        ? """
        provider hooks capabilities apiPaths idempotencyHeader sealKey redirectHosts clientToken paymentHandling \
        ownIdempotencyKey pollTimeoutMs
        """
        : """
        provider hooks capabilities apiPaths idempotencyHeader sealKey redirectHosts clientToken paymentHandling \
        ownIdempotencyKey pollTimeoutMs widgetData lockedEnvironment disabledMethods
        """)
    let backEnd = BackEndName.named(try request.choice("provider", BackEndName.allCases.map { $0.name }) ?? "purse")
    if backEnd == .primer {
      session = isRestore ? try request.optionalString("clientToken") : try request.string("clientToken")
    } else if !isRestore {
      session = try request.string("widgetData")
    }
    options = CheckoutOptions(
      lockedEnvironment: try request.optionalString("lockedEnvironment"),
      disabledMethods: try request.optionalStrings("disabledMethods") ?? [],
      hooks: request.present("hooks") == nil ? [] : try request.hooks("hooks"),
      capabilities: try CreateRequest.capabilities(request), hookTimeout: runtime.hookTimeout,
      allowLoopbackHTTP: runtime.transport.allowsLoopbackHTTP,
      redirectHosts: try CreateRequest.redirectHosts(request), releaseDate: RuntimeOptions.releaseDate,
      monitoring: runtime.monitoring, sendsOwnKey: try request.optionalBoolean("ownIdempotencyKey") ?? false,
      pollTimeout: try CreateRequest.pollTimeout(request))
    provider = try CreateRequest.provider(request, runtime)
    provider.backEnd = backEnd ?? .purse
    provider.allowsLoopbackHTTP = runtime.transport.allowsLoopbackHTTP
    provider.handlesPaymentManually = try request.choice("paymentHandling", ["auto", "manual"]) == "manual"
    provider.isRestored = isRestore && session == nil
  }

  /// A host that is told by callback and has no hook could never answer.
  func answerable(by callbacks: HostCallbacks) throws(CheckoutError) -> CreateRequest {
    let asks = !options.hooks.isEmpty || !options.capabilities.isEmpty
    if asks, callbacks.hook == nil, !callbacks.pulls {
      throw CheckoutError(.invalidArgument, message: "hooks and capabilities need a hook callback", path: "hooks")
    }
    return self
  }

  /// Hosts that are no hosts would block every page in silence.
  private static func redirectHosts(_ request: FieldReader) throws(CheckoutError) -> [String] {
    guard let hosts = try request.optionalStrings("redirectHosts") else { return [] }
    guard !hosts.isEmpty, hosts.allSatisfy({ RedirectPolicy.isHost($0) }) else {
      throw request.malformed("redirectHosts", "hosts are wanted, each with a port or without")
    }
    return hosts
  }

  /// 0: no limit.
  private static func pollTimeout(_ request: FieldReader) throws(CheckoutError) -> Int64? {
    guard let milliseconds = try request.optionalInteger("pollTimeoutMs") else {
      return CheckoutOptions.standardPollTimeout
    }
    return milliseconds == 0 ? nil : try request.duration("pollTimeoutMs")
  }

  private static func capabilities(_ request: FieldReader) throws(CheckoutError) -> [Capability] {
    if request.present("capabilities") == nil { return [] }
    var capabilities: [Capability] = []
    for fields in try request.objects("capabilities") {
      try fields.allowOnly("item steps")
      var steps: [Step] = []
      for name in try fields.strings("steps") {
        guard let step = Step.named(name) else { throw fields.malformed("steps", "not a known step") }
        steps.append(step)
      }
      capabilities.append(Capability(item: try fields.string("item"), steps: steps))
    }
    return capabilities
  }

  private static func provider(
    _ request: FieldReader, _ runtime: RuntimeOptions
  ) throws(CheckoutError) -> ProviderOptions {
    var options = ProviderOptions()
    if let paths = try request.optionalObject("apiPaths") {
      try paths.allowOnly("payment datetime logs wallet")
      options.paymentRoot = try paths.optionalRoot("payment", runtime)
      options.timeRoot = try paths.optionalRoot("datetime", runtime)
      options.logsRoot = try paths.optionalRoot("logs", runtime)
      options.walletRoot = try paths.optionalRoot("wallet", runtime)
    }
    if let header = request.value["idempotencyHeader"] {
      options.idempotencyHeader = header.isNull ? nil : try request.headerName("idempotencyHeader")
    }
    return options
  }
}

extension Command {
  /// The same for hooks that are set later.
  func answerable(by callbacks: HostCallbacks) throws(CheckoutError) -> Command {
    if case .setHooks(let hooks) = self, !hooks.isEmpty, callbacks.hook == nil, !callbacks.pulls {
      throw CheckoutError(.invalidArgument, message: "hooks need a hook callback", path: "hooks")
    }
    return self
  }
}

extension FieldReader {
  /// https, or plain http to this machine where that is allowed; whoever carries the HTTP.
  fileprivate func optionalRoot(_ key: String, _ runtime: RuntimeOptions) throws(CheckoutError) -> String? {
    guard let root = try optionalString(key) else { return nil }
    guard RedirectPolicy.isService(root, allowLoopbackHTTP: runtime.transport.allowsLoopbackHTTP) else {
      throw CheckoutError(.invalidInitParams, message: "only https is allowed", path: "apiPaths." + key)
    }
    return root
  }

  /// A token of RFC 9110, so that no header can be broken in two.
  fileprivate func headerName(_ key: String) throws(CheckoutError) -> String {
    let name = try string(key)
    let isToken = name.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
        true
      default: false
      }
    }
    guard isToken, !name.isEmpty else { throw malformed(key, "not a header name") }
    return name
  }
}

extension HookAnswer {
  /// {"ok":{...}}, {"error":{"message":...}}, {"canceled":true} or {"unset":true}
  init(_ answer: borrowing FieldReader) throws(CheckoutError) {
    try answer.allowOnly("ok error canceled unset")
    guard answer.value.count == 1 else { throw answer.malformed("ok", "exactly one of ok, error, canceled and unset") }
    if answer.value["ok"] != nil {
      self = .ok(try answer.object("ok").value.compactText)
    } else if answer.value["error"] != nil {
      let error = try answer.object("error")
      try error.allowOnly("message")
      self = .error(try error.optionalString("message") ?? "")
    } else if answer.value["canceled"] != nil {
      guard try answer.boolean("canceled") else { throw answer.malformed("canceled", "must be true") }
      self = .canceled
    } else {
      guard try answer.boolean("unset") else { throw answer.malformed("unset", "must be true") }
      self = .unset
    }
  }
}
