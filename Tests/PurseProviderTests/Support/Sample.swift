import CheckoutCore
import Foundation
import JSONText

@testable import PurseProvider

/// A session as the back end could write it, from which tests make others by replacing pieces of text.
enum Sample {
  static let card = """
    "creditcard":{"configurations":{"stable":true,"template":"creditcard","labels":["primary"],"position":1,\
    "vault":{"supported_brands":["VISA","CARTE_BANCAIRE"],"token_scope":"method","vendor":"purse"},\
    "settings":{"registration_mode":"OFF_SESSION","save_token":true,"payment_min_amount":1.50,\
    "payment_max_amount":"1000"}},"integrated_tokens":[{"id":"t1","value":"v1","uniqueness_token":"u",\
    "expiration_date":"2031-05-31","description":{"brand_name":"VISA","display_token":"ending 1111",\
    "masked_pan":"411111XXXXXX1111"}}]}
    """
  static let giftCard = """
    "giftcard":{"configurations":{"stable":true,"labels":["secondary"],"position":2,\
    "settings":{"registration_mode":"ON_SESSION","usage_per_session_limit":3}}}
    """
  static let json = """
    {"api_key":"key-1","entity_id":"entity/1","environment":"sandbox","session":{"id":"session 1","amount":120.00,\
    "currency_code":"EUR","expiration_date":"2030-01-01T00:00:00Z","redirection":"myapp://return",\
    "information_request":false,"protocols":{"purse":{\(card)},"illicado":{\(giftCard)}},\
    "vault":{"vendor_front_data":{"purse":{"tenant_id":"tenant-1"}}},"wallet":{"shared_wallet_user":false}},\
    "wallet_session":null,"three_ds_settings":{"vendor":"NONE"}}
    """

  /// The sample with one piece of its text replaced. The piece must be there.
  static func json(_ piece: String, _ replacement: String) -> String {
    precondition(json.contains(piece), "the sample has no \(piece)")
    return json.replacingOccurrences(of: piece, with: replacement)
  }

  /// The sample with other protocols.
  static func json(protocols: String, amount: String = "120.00", currency: String = "EUR", more: String = "") -> String
  {
    """
    {"entity_id":"e","environment":"sandbox","session":{"id":"s","amount":\(amount),"currency_code":"\(currency)",\
    "expiration_date":"2030-01-01T00:00:00Z","protocols":\(protocols)\(more)}}
    """
  }

  static func open(_ json: String, _ options: ProviderOptions = ProviderOptions()) throws -> Opened<Purse> {
    try Purse.open(Base64.encode(Array(json.utf8)), options)
  }

  static func session(_ json: String) throws -> ClientSession { try open(json).session }

  /// Why the text is refused; nil when it is not.
  static func error(_ json: String, _ options: ProviderOptions = ProviderOptions()) -> CheckoutError? {
    do throws(CheckoutError) {
      _ = try Purse.open(Base64.encode(Array(json.utf8)), options)
      return nil
    } catch {
      return error
    }
  }

  /// Where a piece of text begins, in bytes.
  static func offset(of piece: String, in text: String) -> Int? {
    text.range(of: piece).map { text.utf8.distance(from: text.startIndex, to: $0.lowerBound) }
  }

  static let euro = Currency(code: "EUR", digits: 2)
  static let yen = Currency(code: "JPY", digits: 0)
  static let dinar = Currency(code: "KWD", digits: 3)
}

func answer(_ body: String, status: Int = 200) -> Answer { Answer(status: status, date: nil, body: Array(body.utf8)) }

extension Request {
  /// The body with secrets shown as their ids.
  var shownBody: String {
    body.map { part in
      switch part {
      case .text(let text): text
      case .secret(let id): "<\(id.value)>"
      }
    }.joined()
  }
}
