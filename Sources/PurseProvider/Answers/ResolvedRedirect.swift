import CheckoutCore
import JSONText

/// The page that an answer asks for.
enum ResolvedRedirect: Hashable, Sendable {
  case none
  /// The answer asks for one and does not say which.
  case unusable
  case action(RedirectAction)

  /// Partner's URL and fields, then the root's URL with the partner's fields, with its own body, alone, then its form.
  init(_ answer: JSONValue) {
    guard let root = RedirectRoot(answer["redirection"]) else {
      self = .unusable
      return
    }
    let partners = answer["results"].map { $0.elements.compactMap { PartnerRedirect($0) } } ?? []
    if let own = partners.first(where: { $0.url != nil && $0.fields != nil }) {
      self = .post(own.url, own.fields)
    } else if let url = root.url, let parameters = partners.first(where: { $0.parameters != nil })?.parameters {
      self = .post(url, parameters)
    } else if let url = root.url, root.isPost, let body = root.body {
      self = .post(url, body)
    } else if let url = root.url {
      self = .whole(url) { .get(url: $0) }
    } else if let form = root.form {
      self = .whole(form) { .postHTML(html: $0) }
    } else {
      self = .none
    }
  }

  private static func post(_ url: JSONValue?, _ fields: JSONValue?) -> ResolvedRedirect {
    guard let url = url?.string, let fields, let form = FormFields.encoded(fields) else { return .unusable }
    return .action(.postForm(url: url, formDataURLEncoded: form))
  }

  private static func whole(_ value: JSONValue, _ action: (String) -> RedirectAction) -> ResolvedRedirect {
    value.string.map { .action(action($0)) } ?? .unusable
  }
}

/// The redirect at the root of an answer.
private struct RedirectRoot {
  var url: JSONValue?
  var form: JSONValue?
  var body: JSONValue?
  var isPost = false

  /// nil for something that is there and cannot be read.
  init?(_ value: JSONValue?) {
    guard let value, !value.isNull else { return }
    guard value.kind == .object else { return nil }
    url = value.meaningful("url")
    form = value.meaningful("form")
    body = value.meaningful(Choices.redirectBody.value)
    let method = value[Choices.redirectMethod.value]?.string ?? ""
    isPost = method.utf8.map { $0 | 0x20 }.elementsEqual("post".utf8)
  }
}

/// What a partner's result says about it.
private struct PartnerRedirect {
  var url: JSONValue?
  var fields: JSONValue?
  var parameters: JSONValue?

  init?(_ result: JSONValue) {
    guard let plugin = result["plugin_result"] else { return nil }
    let logs = plugin[Choices.partnerRedirect.value]
    url = plugin.meaningful("redirection_url") ?? logs?.meaningful("redirection_url")
    fields = plugin.meaningful("redirection_json") ?? logs?.meaningful("redirection_json")
    parameters = plugin.meaningful("redirect_url_post_params") ?? logs?.meaningful("redirect_url_post_params")
  }
}

extension JSONValue {
  /// A member that says something: back ends write null and empty strings for what is not there.
  fileprivate func meaningful(_ key: String) -> JSONValue? {
    guard let member = self[key], !member.isNull, member.string != "" else { return nil }
    return member
  }
}
