import CheckoutCore

/// Navigations and the verdicts on them, a policy at a time. Most are attempts to be taken for something else.
struct RedirectTable {
  let name: String
  let policy: RedirectPolicy
  var allowed: [String] = []
  var returned: [String] = []
  var blocked: [String] = []

  /// What every policy blocks, whatever it is made of.
  static let hostile: [String] = [
    // No URL, or one with no host.
    "", ":", "/", "//", "//psp.example/", "/return", "psp.example", "psp.example/pay", "https", "https:", "https:/",
    "https://", "https:///", "https:///psp.example/", "https:////psp.example/", "https:/psp.example/",
    "https:psp.example", "https://?x", "https://#x", "https://:443/", "https://:443", "://psp.example/",
    "1https://psp.example/", "-https://psp.example/", "ht%74ps://psp.example/", "https%3A//psp.example/",
    "https//psp.example/", "https;//psp.example/", "https::/psp.example", "https:?x=//psp.example/",
    // Other schemes.
    "http://psp.example/", "HTTP://psp.example/", "http://psp.example:443/", "javascript:alert(1)",
    "JavaScript://psp.example/%0aalert(1)", "javascript://shop.example/return",
    "data:text/html,<script>alert(1)</script>", "data://psp.example/", "file:///etc/passwd", "file://psp.example/",
    "about:blank", "about:srcdoc", "blob:https://psp.example/1", "intent://psp.example/#Intent;scheme=https;end",
    "vbscript:x", "ws://psp.example/", "wss://psp.example/", "ftp://psp.example/", "content://psp.example/",
    "view-source:https://psp.example/", "mailto:a@psp.example", "tel:112", "chrome://settings",
    "filesystem:https://psp.example/x", "jar:https://psp.example/!/", "urn:x", "httpss://psp.example/",
    "shttp://psp.example/", "otherapp://return", "feed:https://psp.example/",
    // User information, and what looks like it.
    "https://shop.example@evil.example/", "https://shop.example:443@evil.example/", "https://user:pass@psp.example/",
    "https://@psp.example/", "https://:@psp.example/", "https://psp.example@/", "https://a@b@psp.example/",
    "https://shop.example%40evil.example/", "https://psp.example%2f@evil.example/",
    // Backslashes, white space and control characters, anywhere.
    "https:\\\\psp.example\\", "https:/\\psp.example/", "https://psp.example\\@evil.example/",
    "https://evil.example\\.shop.example/", "https://psp.example/a\\b", "https://psp.example/?a\\b",
    "https://psp.example/#a\\b", " https://psp.example/", "https://psp.example/ ", "https://psp.example/a b",
    "https://psp.example/?a b", "https://psp.example/#a b", "https://psp .example/", "https: //psp.example/",
    "https ://psp.example/", "ht\ntps://psp.example/", "https:\n//psp.example/", "https://psp\n.example/",
    "https://psp.example/\n", "https://psp.example/\r\nHost: evil.example", "https://psp.example/\t",
    "\thttps://psp.example/", "java\tscript:alert(1)", "\u{1}https://psp.example/", "https://psp.example/\u{0}",
    "https://psp.example\u{0}.evil.example/", "https://psp.example/\u{7F}", "https://psp.example/\u{1F}",
    "https://psp.example/\u{80}", "https://psp.example/\u{85}", "https://psp.example/\u{A0}",
    "https://psp.example/\u{2028}", "https://psp.example/\u{3000}", "https://psp.example/\u{200B}",
    "https://psp.example/\u{202E}", "https://psp.example/\u{2066}", "\u{FEFF}https://psp.example/",
    "https://psp.example/\u{FEFF}",
    // Hosts in other letters, encoded, or with letters that no host has.
    "https://psp。example/", "https://psp．example/", "https://ｐsp.example/", "https://psp.exämple/",
    "https://рsp.example/", "https://psp.example\u{AD}/", "https://psp\u{200D}.example/", "https://psp%2Eexample/",
    "https://%70sp.example/", "https://psp.example%00/", "https://psp.example%2F.evil.example/",
    "https://psp.example%23.evil.example/", "https://psp_.example/", "https://_psp.example/", "https://psp!.example/",
    "https://psp$example/", "https://psp,example/", "https://psp;example/", "https://psp=example/",
    "https://psp&example/", "https://psp*example/", "https://*.example/", "https://psp(example)/",
    "https://'psp'.example/", "https://\"psp\".example/", "https://<psp>.example/", "https://psp|example/",
    "https://psp^example/", "https://`psp`/", "https://{psp}.example/", "https://psp~example/", "https://psp+example/",
    "httpſ://psp.example/",
    // Dots and hyphens in the wrong place, and lengths that no name has.
    "https://psp.example./", "https://psp.example.:443/", "https://.psp.example/", "https://psp..example/",
    "https://./", "https://../", "https://-psp.example/", "https://psp-.example/", "https://psp.-example/",
    "https://-/",
    "https://" + String(repeating: "a", count: 64) + ".example/",
    "https://" + String(repeating: "a.", count: 127) + "example/",
    // Addresses spelt so that readers differ.
    "https://2130706433/", "https://017700000001/", "https://0x7f000001/", "https://0x7f.1/", "https://127.1/",
    "https://127.0.1/", "https://0177.0.0.1/", "https://0x7f.0.0.1/", "https://127.0.0.0x1/", "https://127.0.0.01/",
    "https://1.2.3/", "https://1.2.3.4.5/", "https://1.2.3.256/", "https://256.2.3.4/", "https://1.2.3.04/",
    "https://1.2.3.4./", "https://1.2..4/", "https://01.2.3.4/", "https://1.2.3.0x/", "https://0x/", "https://0xg.1/",
    "https://psp.0x1/", "https://psp.1/", "https://psp.example.08/", "https://1.2.3.-4/", "https://4294967296/",
    "https://99999999999999999999/", "https://1.2.3.00004/", "https://0/", "https://0X7F.0.0.1/", "https://[::]/",
    "https://[::2]/", "https://[2001:db8::1]/", "https://[::ffff:127.0.0.1]/", "https://[0:0:0:0:0:0:0:1]/",
    "https://[::01]/", "https://[::1%25lo]/", "https://[::1%lo]/", "https://[v1.x]/", "https://[]/", "https://[::1/",
    "https://::1/", "https://[::1]evil.example/", "https://[::1].example/", "https://[[::1]]/", "https://[127.0.0.1]/",
    "https://[psp.example]/", "https://psp.example[::1]/", "https://]/",
    // Ports.
    "https://psp.example:/", "https://psp.example:80/", "https://psp.example:8443/", "https://psp.example:0/",
    "https://psp.example:0443/", "https://psp.example:+443/", "https://psp.example:-443/", "https://psp.example:443x/",
    "https://psp.example:4 43/", "https://psp.example:65536/", "https://psp.example:65979/",
    "https://psp.example:4294967739/", "https://psp.example:443:443/", "https://psp.example::443/",
    "https://psp.example:443.evil.example/", "https://psp.example:443,", "https://psp.example:４４３/",
    "https://psp.example:18446744073709552059/", "https://psp.example:00000000443/",
    // Longer than any reader should have to be asked.
    "https://psp.example/" + String(repeating: "a", count: 8_192 - 19),
  ]

  static let tables: [RedirectTable] = [
    RedirectTable(
      name: "any host, no return", policy: RedirectPolicy(),
      allowed: [
        "https://psp.example", "https://psp.example/", "https://psp.example:443/", "https://psp.example:443",
        "HTTPS://PSP.EXAMPLE/", "hTTps://pSp.example?x", "https://psp.example#x", "https://psp.example/a?b#c",
        "https://psp.example/@x", "https://psp.example/?u=a@b:c", "https://psp.example/?next=https://other.example:99/",
        "https://psp.example/#//x", "https://psp.example//evil.example/", "https://psp.example/../x",
        "https://psp.example/a/%2e%2e/x", "https://psp.example/%00", "https://psp.example/%0d%0a",
        "https://psp.example/?a=[1]&b={2}|3", "https://psp.example/é?ü#ß", "https://psp.example/日本",
        "https://xn--psp-dma.example/", "https://a/", "https://psp-1.ex-ample/", "https://1psp.2example/",
        "https://3.example/", "https://0x1.example/", "https://example.0xyz/", "https://1.2.3.4/",
        "https://255.255.255.255:443/", "https://0.0.0.0/", "https://localhost/", "https://127.0.0.1/",
        "https://[::1]/", "https://[::1]:443/", "https://shop.example/return", "https://psp.example:443?x",
        "https://psp.example:443#x", "https://psp.example/" + String(repeating: "a", count: 8_192 - 20),
        "https://" + String(repeating: "a", count: 63) + ".example/", "https://psp.example/;/?:@&=+$,!~*'()",
      ],
      blocked: [
        "myapp://return", "http://127.0.0.1/", "http://localhost/", "https://127.0.0.1:8443/",
        "https://localhost:8443/", "https://[::1]:8443/",
      ]),
    RedirectTable(
      name: "loopback", policy: RedirectPolicy(allowLoopbackHTTP: true),
      allowed: [
        "http://127.0.0.1/", "http://127.0.0.1:4711/pay", "http://127.255.255.254:1/", "http://[::1]/",
        "http://[::1]:65535/", "http://localhost", "http://LocalHost:8080?x", "HTTP://localhost:443/",
        "https://127.0.0.1:8443/", "https://localhost:80/", "https://[::1]:8443/", "http://127.0.0.1:80/",
        "https://psp.example/", "http://127.0.0.1#x",
      ],
      blocked: [
        "http://psp.example/", "http://localhost.evil.example/", "http://127.0.0.1.evil.example/",
        "http://evil.localhost/", "http://localhost./", "http://127.0.0.1./", "http://127.1/", "http://2130706433/",
        "http://0x7f.0.0.1/", "http://0177.0.0.1/", "http://127.0.0.256/", "http://127.0.0.01/", "http://128.0.0.1/",
        "http://126.255.255.255/", "http://0.0.0.0/", "http://10.0.0.1/", "http://192.168.0.1/",
        "http://169.254.169.254/", "http://[::]/", "http://[::ffff:127.0.0.1]/", "http://[0:0:0:0:0:0:0:1]/",
        "http://localhost:0/", "http://localhost:65536/", "http://localhost:/", "http://localhost:080/",
        "http://user@localhost/", "http://localhost@evil.example/", "http://localhost\\.evil.example/",
        "http://loca%6chost/", "http://localhost%00/", "http:/localhost/", "http:localhost", "http:///localhost/",
        "ws://localhost/", "ftp://127.0.0.1/", "http://ｌocalhost/", "http://127。0。0。1/", "https://psp.example:8443/",
      ]),
    RedirectTable(
      name: "listed hosts",
      policy: RedirectPolicy(
        hosts: ["psp.example", "ACS.Example", "bank.example:8443", "default.example:443"],
        returnURLPrefix: "https://shop.example/return"),
      allowed: [
        "https://psp.example/", "https://PSP.example:443/", "https://acs.example/", "https://bank.example:8443/",
        "https://default.example/", "https://default.example:443/",
      ],
      returned: ["https://shop.example/return", "https://shop.example:443/return?x"],
      blocked: [
        "https://shop.example/", "https://www.psp.example/", "https://psp.example.evil.example/",
        "https://xpsp.example/", "https://psp.exampl/", "https://psp.examplee/", "https://bank.example/",
        "https://bank.example:8444/", "https://bank.example:443/", "https://psp.example:8443/", "https://example/",
        "https://evil.example/?psp.example", "https://evil.example/psp.example", "https://evil.example#psp.example",
        "http://bank.example:8443/", "https://bank.example:08443/", "https://other.example/",
      ]),
    RedirectTable(
      name: "listed loopback",
      policy: RedirectPolicy(allowLoopbackHTTP: true, hosts: ["127.0.0.1", "localhost:4711", "[::1]"]),
      allowed: [
        "http://127.0.0.1:9/", "https://127.0.0.1:9/", "http://127.0.0.1/", "http://localhost:4711/",
        "https://localhost:4711/", "http://[::1]:5/",
      ],
      blocked: [
        "http://localhost/", "http://localhost:4712/", "http://127.0.0.2/", "https://localhost/",
        "https://psp.example/",
      ]),
    RedirectTable(
      name: "nonsense in the list matches nothing",
      policy: RedirectPolicy(hosts: [
        "", "*", "*.example", "https://psp.example", "psp.example/", "psp.example.", ".example", "psp.example:",
        "example",
      ]),
      allowed: ["https://example/"], blocked: ["https://psp.example/", "https://a.example/"]),
    RedirectTable(
      name: "https return", policy: RedirectPolicy(returnURLPrefix: "https://shop.example/return"),
      allowed: [
        "https://shop.example/", "https://shop.example", "https://shop.example/returnx",
        "https://shop.example/returned", "https://shop.example/retur", "https://shop.example/Return",
        "https://shop.example/return%2Fx", "https://shop.example/return%3Fx", "https://shop.example/%72eturn",
        "https://shop.example/x/return", "https://shop.example//return", "https://shop.example/?/return",
        "https://shop.example/#/return", "https://shop.example/return/../evil", "https://shop.example/return/..",
        "https://shop.example/return/%2e%2E/evil", "https://shop.example/return/.%2e", "https://shop.example/./return",
        "https://shop.example/x/../return", "https://shop.example/return;x", "https://shop.example/return&x",
        "https://evil.example/return", "https://shop.example.evil.example/return", "https://xshop.example/return",
        "https://evil.example/https://shop.example/return", "https://evil.example/?https://shop.example/return",
        "https://evil.example#https://shop.example/return", "https://shop.exampl/return",
        "https://shop.example/return=x", "https://shop.example/return\u{301}",
      ],
      returned: [
        "https://shop.example/return", "https://shop.example/return/", "https://shop.example/return/x",
        "https://shop.example/return?x=1", "https://shop.example/return?", "https://shop.example/return#",
        "https://shop.example/return#f", "https://SHOP.example/return", "HTTPS://shop.EXAMPLE/return?x",
        "https://shop.example:443/return", "https://shop.example/return?next=/../x", "https://shop.example/return?é",
        "https://shop.example/return/...", "https://shop.example/return/..x", "https://shop.example/return?u=a@b",
      ],
      blocked: [
        "http://shop.example/return", "https://shop.example:8443/return", "https://user@shop.example/return",
        "https://shop.example./return", "https://shop.example\\return", "https://shop.example/return ",
        "https://shop.example/return?a b", "https://shop.example@evil.example/return", "https:/shop.example/return",
        "https:shop.example/return", "https://shop%2eexample/return", "https://shop.example/return\n",
        "https://shop.example/return?\\", "myapp://return", "https://shop.example:0443/return",
        "javascript:https://shop.example/return",
      ]),
    RedirectTable(
      name: "https return with a port", policy: RedirectPolicy(returnURLPrefix: "https://shop.example:8443/return"),
      allowed: ["https://shop.example/return", "https://shop.example:443/return"],
      returned: ["https://shop.example:8443/return", "https://shop.example:8443/return?x"],
      blocked: ["https://shop.example:8443/", "https://shop.example:8444/return", "https://shop.example:8443/returned"]),
    RedirectTable(
      name: "https return to a whole host", policy: RedirectPolicy(returnURLPrefix: "https://Shop.Example"),
      allowed: ["https://psp.example/", "https://shop.example.evil.example/", "https://shop.examples/"],
      returned: [
        "https://shop.example", "https://shop.example/", "https://shop.example?x", "https://shop.example#x",
        "https://shop.example/any/thing", "https://shop.example:443",
      ],
      blocked: [
        "https://shop.example:8443/", "https://shop.example@evil.example/", "https://shop.example.",
        "https://shop.example:",
      ]),
    RedirectTable(
      name: "https return to a folder", policy: RedirectPolicy(returnURLPrefix: "https://shop.example/return/"),
      allowed: ["https://shop.example/return", "https://shop.example/return?x", "https://shop.example/return/../x"],
      returned: [
        "https://shop.example/return/", "https://shop.example/return/x", "https://shop.example/return/?x",
        "https://shop.example/return/#x",
      ]),
    RedirectTable(
      name: "https return with a query",
      policy: RedirectPolicy(returnURLPrefix: "https://shop.example/return?session=1"),
      allowed: [
        "https://shop.example/return", "https://shop.example/return?session=12",
        "https://shop.example/return?x&session=1", "https://shop.example/return?session=1/2",
        "https://shop.example/return?session=1?x", "https://shop.example/return/?session=1",
        "https://shop.example/return?session=1=",
      ],
      returned: [
        "https://shop.example/return?session=1", "https://shop.example/return?session=1&state=SUCCESS",
        "https://shop.example/return?session=1#x",
      ]),
    RedirectTable(
      name: "https return with an open query", policy: RedirectPolicy(returnURLPrefix: "https://shop.example?id="),
      allowed: ["https://shop.example/", "https://shop.example/?i", "https://shop.example/x?id=1"],
      returned: ["https://shop.example?id=", "https://shop.example?id=42", "https://shop.example/?id=42&x#y"]),
    RedirectTable(
      name: "an app's return", policy: RedirectPolicy(returnURLPrefix: "myapp://return"),
      allowed: ["https://psp.example/", "https://psp.example/?myapp://return", "https://return/"],
      returned: [
        "myapp://return", "MYAPP://return", "MyApp://return/x", "myapp://return?x=1", "myapp://return#f",
        "myapp://return/?é", "myapp://return?u=a@b", "myapp://return?https://x",
      ],
      blocked: [
        "myapp://returned", "myapp://return.evil.example", "myapp://return:80/", "myapp://return@evil.example/",
        "myapp://user@return/", "myapp://Return", "myapp://retur", "myapp:return", "myapp:/return", "myapp:///return",
        "myapp://", "myapp:", "myapp", "xmyapp://return", "myapp2://return", "my-app://return", "myapp://return/../x",
        "myapp://return/%2e", "myapp://return\\x", "myapp://return x", "myapp://return\n", " myapp://return",
        "myapp://return\u{0}", "myapp://r%65turn", "myapp://retürn", "myapp://return%2f", "otherapp://return",
        "https:myapp://return", "myapp%3A//return", "myapp://return\u{200B}", "myapp://return&x", "myapp://return;x",
      ]),
    RedirectTable(
      name: "an app's whole scheme", policy: RedirectPolicy(returnURLPrefix: "com.example.shop:"),
      returned: [
        "com.example.shop:", "com.example.shop:/back", "COM.example.shop://back?x", "com.example.shop:back",
        "com.example.shop:///back",
      ],
      blocked: [
        "com.example.shop", "com.example.shopx:/back", "com-example-shop:/back", "com.example.shop://a@b/",
        "com.example.shop:\\x", "com.example.shop:/../x",
      ]),
    RedirectTable(
      name: "an app's path", policy: RedirectPolicy(returnURLPrefix: "myapp:/back?to="),
      returned: ["myapp:/back?to=", "myapp:/back?to=1", "myapp:/back?to=1&x"],
      blocked: ["myapp:/back", "myapp:/back?x&to=1", "myapp://back?to=1"]),
  ]

  /// Prefixes that must match nothing, however like a return the address looks.
  static let deadPrefixes: [String] = [
    "", " ", "/", "//shop.example/return", "return", "myapp", "://return", ":", "http://shop.example/return",
    "HTTP://shop.example/return", "http:", "http://127.0.0.1:4711/return", "javascript:", "JAVASCRIPT:alert(1)",
    "data:", "data:text/html,x", "file:", "file:///return", "about:", "about:blank", "blob:",
    "blob:https://shop.example/", "intent:", "Intent://return", "vbscript:", "ws:", "ws://return", "wss:",
    "wss://return", "ftp:", "ftp://return", "content:", "content://return", "view-source:",
    "View-Source:https://shop.example/return", "https:", "https:/", "https://", "https:///", "https:///return",
    "https:/shop.example/return", "https:return", "https://?", "https://user@shop.example/return",
    "https://shop.example./return", "https://shop.example:/return", "https://shop%2eexample/return",
    "https://1.2.3/return", "https://[::2]/return", "https://shop.example/return/../x", "https://shop.example/a b",
    "https://shöp.example/return", "myapp://a b", "myapp://a@return", "myapp://return/..", "my app://return",
    "1app://return", "myapp://return\n", "myapp:\\return", "myäpp://return",
  ]
}
