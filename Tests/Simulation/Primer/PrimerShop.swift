import CheckoutRuntime
import Foundation

@testable import CheckoutCore

/// What the back end of a Primer session says, and how its checkout is made.
enum PrimerShop {
  static let card = "PAYMENT_CARD"
  static let page = "ADYEN_IDEAL"

  static func token(_ members: String) -> String {
    let payload = Data(#"{"accessToken":"at",\#(members)}"#.utf8).base64EncodedString()
    return "e30." + payload.replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "") + "."
  }

  static let session = token(
    #""clientSessionId":"p1","configurationUrl":"https://api.primer.io/c","pciUrl":"https://pci.primer.io","exp":1893542400"#
  )

  static let configuration = """
    {"clientSession":{"order":{"orderId":"o1","totalOrderAmount":1200,"currencyCode":"EUR"}},"paymentMethods":[\
    {"id":"m1","type":"PAYMENT_CARD"},{"id":"m2","type":"ADYEN_IDEAL","implementationType":"WEB_REDIRECT"}],\
    "checkoutModules":[]}
    """

  static func payment(_ status: String) -> String { #"{"id":"pay","orderId":"o1","status":"\#(status)"}"# }

  /// A payment that waits: for a page and a poll, or for a challenge that nobody can show.
  static func waiting(isPage: Bool) -> String {
    let pages = #""redirectUrl":"https://acs.example/","statusUrl":"https://api.primer.io/s","intent":"PROCESSOR_3DS""#
    let action = token(isPage ? pages : #""intent":"3DS_AUTHENTICATION""#)
    return #"{"id":"pay","orderId":"o1","status":"PENDING","requiredAction":{"name":"x","clientToken":"\#(action)"}}"#
  }

  static var provider: ProviderOptions {
    var provider = ProviderOptions()
    provider.backEnd = .primer
    return provider
  }

  static func options(_ hooks: [Hook]) -> CheckoutOptions {
    CheckoutOptions(hooks: hooks, releaseDate: World.start.wall - 86_400_000, pollTimeout: 60_000)
  }

  static func world(_ hooks: [Hook]) throws(CheckoutError) -> World {
    try World(widgetData: session, options(hooks), provider: provider)
  }

  static let fields: [CardField] = [
    .number(SecretID(1)), .securityCode(SecretID(2)), .expiry(CardExpiry(month: 4, year: 2035)),
  ]
}
