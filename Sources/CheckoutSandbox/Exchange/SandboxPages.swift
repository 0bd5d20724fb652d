/// The pages' texts.
enum SandboxPages {
  static func decision(_ url: String, _ decisions: [String]) -> String {
    let links = decisions.map { "<li><a href=\"\(url)/\($0)\">\($0)</a></li>" }
    return document("Sandbox payment", "<p>How does this payment end?</p><ul>\(links.joined())</ul>")
  }

  /// A form that a web view submits by itself.
  static func selfSubmittingForm(action: String) -> String {
    let form = """
      <form id="sandbox" method="post" action="\(action)"><input type="hidden" name="PaReq" value="sandbox-request">\
      </form><script>document.getElementById("sandbox").submit();</script>
      """
    return document("Sandbox payment", form)
  }

  static let end = document("Sandbox payment", "<p>This window can be closed.</p>")

  private static func document(_ title: String, _ body: String) -> String {
    "<!DOCTYPE html><html lang=\"en\"><head><meta charset=\"utf-8\"><title>\(title)</title></head>"
      + "<body>\(body)</body></html>"
  }
}
