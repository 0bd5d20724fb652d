import JSONText

extension MonitoringEvent {
  /// The members of `payload`. `path`: the template of a call's path, never the filled one.
  func writePayload(to writer: inout JSONWriter, path: (Call) -> String) {
    switch self {
    case .create(let device, let isRestore):
      writer.member("restored", boolean: isRestore)
      if let text = device.osVersion { writer.member("osVersion", string: text) }
      if let text = device.model { writer.member("model", string: text) }
      if let text = device.screen { writer.member("screen", string: text) }
    case .setSession(let methods, let survivors):
      writer.member("nb_methods", integer: methods.count)
      writer.member("nb_survivors", integer: survivors.count)
    case .setWalletSessionFailed(let code):
      writer.member("code", string: code.text)
    case .methodDisabled(let item, let state):
      item.write(to: &writer)
      writer.member("code", string: state.facts.text)
      writer.member("filtered", boolean: state.facts.flags.contains(.filtered))
      writer.member("recoverable", boolean: state.facts.flags.contains(.recoverable))
    case .methodSetPrimary(let item), .methodGetPaymentElement(let item), .methodGetSecondaryToken(let item),
      .secondaryTokenRemoveFromSplit(let item), .secondaryTokenRegister(let item), .methodLoanSim(let item):
      item.write(to: &writer)
    case .clearPrimarySplit(let item):
      item?.write(to: &writer)
    case .primaryTokenSetAsPrimary(let token), .primaryTokenGetPaymentElement(let token), .tokenEdit(let token),
      .tokenDelete(let token), .tokenSetFavorite(let token):
      token.item.write(to: &writer)
      writer.member("tokenId", string: token.id)
    case .secondaryTokenTake(let item, let isPartial):
      item.write(to: &writer)
      writer.member("partial", boolean: isPartial)
    case .methodRegister(let item, let savesToken):
      item.write(to: &writer)
      writer.member("saveToken", boolean: savesToken)
    case .partnerUIEvent(let item, let event, let reason):
      item.write(to: &writer)
      writer.member("code", string: event.name)
      if let reason { writer.member("reason", string: reason.text) }
    case .partnerAPICallStart(let call):
      call.write(to: &writer, path)
    case .partnerAPICallEnd(let call, let took, let isSuccess):
      call.write(to: &writer, path)
      writer.member("durationMs", integer: took.milliseconds)
      writer.member("success", boolean: isSuccess)
    case .paymentFulfilled(let isFulfilled):
      writer.member("isFulfilled", boolean: isFulfilled)
    case .submitPayment(let splits):
      writer.member("nb_splits", integer: splits.count)
    case .submitBlocked(let state):
      writer.member("state", string: state.name)
    case .validationStarted(let items):
      writer.member("nb_items", integer: items.count)
    case .validationSuccess(let result), .validationFailed(let result):
      result.write(to: &writer)
    case .paymentError(let code, let failure):
      writer.member("code", string: code.text)
      if let failure {
        failure.call.write(to: &writer, path)
        if let status = failure.status { writer.member("api_status", integer: status.code) }
      }
    case .clientHookError(let hook):
      writer.member("hook", string: hook.name)
    case .ready, .expiredSession, .setWalletSession, .deleteAllTokens, .onBeforeValidateHookFailed, .pageUnload:
      break
    }
  }
}

extension MonitoredItem {
  fileprivate func write(to writer: inout JSONWriter) {
    writer.member("partner", string: partner)
    writer.member("method", string: method)
  }
}

extension MonitoredResult {
  fileprivate func write(to writer: inout JSONWriter) {
    writer.member("global_status", string: status.text)
    writer.key("results")
    writer.array(lines) { line, writer in
      writer.beginObject()
      line.item?.write(to: &writer)
      writer.member("state", string: line.state.text)
      writer.member("code", string: line.code.text)
      if let text = line.description { writer.member("description", string: text.text) }
      if let text = line.partnerStatus { writer.member("partnerStatus", string: text.text) }
      writer.endObject()
    }
  }
}

extension Call {
  fileprivate func write(to writer: inout JSONWriter, _ path: (Call) -> String) {
    writer.member("call", string: name)
    writer.member("httpMethod", string: self == .time ? "GET" : "POST")
    writer.member("path", string: path(self))
  }
}
