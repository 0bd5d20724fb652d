/// GET configuration, and POST client-session/actions, which answers it too.
extension PrimerBackend {
  func configuration(_ index: Int, _ request: SandboxRequest? = nil) -> SandboxJSON {
    let session = sessions[index]
    let skipped = request?.query["skipPaymentMethods"]?.split(separator: ",").map(String.init) ?? []
    let document: SandboxJSON = [
      "coreUrl": .string("\(base)/primer/core"), "pciUrl": .string("\(base)/primer/pci"),
      "binDataUrl": .string("\(base)/primer/bin"), "assetsUrl": .string("\(base)/primer/assets"), "env": "SANDBOX",
      "primerAccountId": "sandbox-account", "clientSession": session.order.clientSession(session.id),
      "paymentMethods": PrimerCatalogue.methods(
        only: session.wishes.methods, without: Set(skipped), capturesCVV: session.wishes.capturesCVV),
      "checkoutModules": PrimerCatalogue.modules,
    ]
    return document.merging(session.wishes.configuration)
  }

  func paymentMethods(_ index: Int) -> [SandboxJSON] { configuration(index)["paymentMethods"]?.elements ?? [] }

  mutating func act(_ request: SandboxRequest, of index: Int) throws(Refusal) -> SandboxResponse {
    let body = try request.jsonObject()
    try body.requireNames(["actions"], at: "", status: 400)
    guard let actions = body["actions"]?.elements, !actions.isEmpty else {
      throw PrimerOrder.refusal("A list of actions is wanted.", "/actions")
    }
    var order = sessions[index].order
    for (place, action) in actions.enumerated() { try perform(action, on: &order, at: "/actions/\(place)", index) }
    sessions[index].order = order
    return .json(200, configuration(index))
  }

  private func perform(
    _ action: SandboxJSON, on order: inout PrimerOrder, at pointer: String, _ index: Int
  ) throws(Refusal) {
    try action.requireNames(["type", "params"], at: pointer, status: 400)
    let parameters = ActionParameters(document: action["params"] ?? .object([]), pointer: "\(pointer)/params")
    switch action["type"]?.string {
    case "SELECT_PAYMENT_METHOD": order.selection = try selection(parameters, index)
    case "UNSELECT_PAYMENT_METHOD": order.selection = nil
    case "SET_BILLING_ADDRESS": try parameters.setAddress("billingAddress", of: &order)
    case "SET_SHIPPING_ADDRESS": try parameters.setAddress("shippingAddress", of: &order)
    case "SET_EMAIL_ADDRESS": order.setCustomer("emailAddress", .string(try parameters.text("emailAddress")))
    case "SET_MOBILE_NUMBER": order.setCustomer("mobileNumber", .string(try parameters.text("mobileNumber")))
    case "SET_CUSTOMER_FIRST_NAME": order.setCustomer("firstName", .string(try parameters.text("firstName")))
    case "SET_CUSTOMER_LAST_NAME": order.setCustomer("lastName", .string(try parameters.text("lastName")))
    case "SELECT_SHIPPING_METHOD": order.setShipping(try shippingMethod(parameters, index))
    default: throw PrimerOrder.refusal("This action is unknown.", "\(pointer)/type")
    }
  }

  private func selection(_ parameters: ActionParameters, _ index: Int) throws(Refusal) -> PrimerSelection {
    try parameters.document.requireNames(["paymentMethodType", "binData"], at: parameters.pointer, status: 400)
    let type = try parameters.text("paymentMethodType")
    guard paymentMethods(index).contains(where: { $0["type"]?.string == type }) else {
      throw PrimerOrder.refusal("The session has no such method.", "\(parameters.pointer)/paymentMethodType")
    }
    return PrimerSelection(type: type, network: parameters.document["binData"]?["network"]?.string)
  }

  private func shippingMethod(_ parameters: ActionParameters, _ index: Int) throws(Refusal) -> SandboxJSON {
    let id = try parameters.text("shipping_method_id")
    let modules = configuration(index)["checkoutModules"]?.elements ?? []
    let offered = modules.flatMap { $0["options"]?["shippingMethods"]?.elements ?? [] }
    guard let method = offered.first(where: { $0["id"]?.string == id }) else {
      throw PrimerOrder.refusal("There is no such shipping method.", "\(parameters.pointer)/shipping_method_id")
    }
    return method
  }
}

/// An action's `params`.
private struct ActionParameters {
  let document: SandboxJSON
  let pointer: String

  private static let addressNames: Set<String> = [
    "firstName", "lastName", "addressLine1", "addressLine2", "city", "state", "postalCode", "countryCode",
  ]

  func text(_ name: String) throws(Refusal) -> String {
    guard let text = document[name]?.string, !text.isEmpty else {
      throw PrimerOrder.refusal("A text is wanted.", "\(pointer)/\(name)")
    }
    return text
  }

  func setAddress(_ name: String, of order: inout PrimerOrder) throws(Refusal) {
    try document.requireNames([name], at: pointer, status: 400)
    guard let address = document[name], address.members != nil else {
      throw PrimerOrder.refusal("An address is wanted.", "\(pointer)/\(name)")
    }
    try address.requireNames(Self.addressNames, at: "\(pointer)/\(name)", status: 400)
    order.setCustomer(name, address)
  }
}
