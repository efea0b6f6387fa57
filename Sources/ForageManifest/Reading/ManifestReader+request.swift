import ForageCore
import ForageHTTP
import ForageYAML
import Yams

extension ManifestReader {
  /// - Parameter further: Placeholders of its address besides those of every request.
  func request(_ member: Member, further: [String] = []) -> ManifestRequest? {
    let example = "request: {url: \"https://acme.example/search\", params: {q: \"{text}\"}}"
    guard let part = part(member, ["method", "url", "urls", "params", "headers", "body"], example: example)
    else {
      return nil
    }
    let method = part.word("method", ManifestRequest.Method.self) ?? .get
    let urls = part["urls"].map(within) ?? []
    let own =
      part["urls"] == nil
      ? part.required("url", example: "url: \"{base}/search\"").flatMap { self.url($0, further: further) }
      : part["url"].flatMap { self.url($0, further: further) }
    let url = own ?? (part["url"] == nil ? urls.first.map { ($0.origin, $0.within.path) } : nil)
    if let url, let other = urls.first(where: { $0.origin != url.origin }) {
      report(other.node, "all addresses of a request are on one host", hint: "begin it as the others")
    }
    let parameters = part["params"].map { self.parameters($0, ManifestRequest.names + further) } ?? []
    let headers = part["headers"].map(self.headers) ?? []
    if method == .get, let body = part["body"] {
      report(body.key, "a request has a body only with: method: POST")
    }
    let body = part["body"].flatMap { self.body($0.value) }
    return url.map { url in
      ManifestRequest(
        method: method, origin: url.0, path: url.1, within: urls.map(\.within), needsWithin: own == nil,
        parameters: parameters, headers: headers, body: body)
    }
  }

  /// Reads the addresses that search within what a qualifier names.
  private func within(_ member: Member) -> [(
    origin: ManifestRequest.Origin, within: ManifestRequest.Within, node: Node
  )] {
    entries(member, example: "urls: {repo: \"{base}/projects/{repo}/issues\"}").compactMap { entry in
      guard let url = url(entry, further: [entry.name]) else { return nil }
      guard url.path.names.contains(entry.name) else {
        report(entry.value, "this address does not contain {\(entry.name)}", hint: "add it, or use url")
        return nil
      }
      return (url.origin, .init(qualifier: entry.name, path: url.path), entry.value)
    }
  }

  /// - Parameter further: Placeholders besides those of every request.
  func url(_ member: Member, further: [String] = []) -> (
    origin: ManifestRequest.Origin, path: Template
  )? {
    func fail(_ message: String, _ hint: String = "for example: url: \"{base}/api/search\"") {
      report(member.value, message, hint: hint)
    }
    guard let text = StrictYAML.text(member.value), !text.isEmpty else {
      fail("url takes an address")
      return nil
    }
    let origin: ManifestRequest.Origin
    let rest: Substring
    if text.hasPrefix("{base}") {
      origin = .base
      rest = text.dropFirst("{base}".count)
    } else {
      guard let mark = text.utf8Range(of: "://") else {
        fail("url begins with https:// or {base}")
        return nil
      }
      let slash = text[mark.upperBound...].firstIndex(of: "/") ?? text.endIndex
      let host = String(text[..<slash])
      guard !host.contains("{") else {
        fail(
          "the host of an address must not contain placeholders",
          "for a host that the user sets, write: url: \"{base}/...\"")
        return nil
      }
      guard isAllowed(host, member.value, "url") else { return nil }
      (origin, rest) = (.fixed(host), text[slash...])
    }
    guard rest.isEmpty || rest.hasPrefix("/") else {
      fail("{base} must be followed by a slash")
      return nil
    }
    guard !rest.contains("?"), !rest.contains("#") else {
      fail("the url must not contain parameters", "write them under params: {name: value}")
      return nil
    }
    guard !rest.split(separator: "/").contains(where: { $0 == "." || $0 == ".." }) else {
      fail("the path of a url must not contain . or ..", "fix the line, or remove it")
      return nil
    }
    guard HTTPURL("https://host" + rest) != nil else {
      fail("the path of a url has characters that are not allowed there", "percent-encode them")
      return nil
    }
    return template(String(rest), member.value, ManifestRequest.names + further, usual: .segment).map {
      (origin, $0)
    }
  }

  /// A text with placeholders such as `{text}`; unknown ones are reported.
  func template(
    _ text: String, _ node: Node, _ names: [String], usual: Template.Filter? = nil, hint: String? = nil
  ) -> Template? {
    do throws(Template.Failure) {
      return try Template(text, names: names, usual: usual)
    } catch {
      report(node, error.message, hint: hint ?? error.hint)
      return nil
    }
  }

  /// - Parameter names: The placeholders that values can have.
  func parameters(_ member: Member, _ names: [String] = ManifestRequest.names) -> [(
    name: String, value: Template
  )] {
    entries(member).flatMap { parameter -> [(name: String, value: Template)] in
      // Several values are as many parameters.
      let nodes = parameter.value.sequence.map(Array.init) ?? [parameter.value]
      return nodes.compactMap { node in
        guard let text = StrictYAML.text(node) else {
          report(node, "a parameter takes a text, a number, true or false, or a list of these")
          return nil
        }
        return template(text, node, names).map { (parameter.name, $0) }
      }
    }
  }

  /// Headers that the program sets itself, or that carry secrets.
  private static let ownHeaders: Set<String> = [
    "authorization", "proxy-authorization", "cookie", "host", "content-length", "transfer-encoding",
    "connection", "upgrade", "te", "trailer", "expect", "user-agent", "accept-encoding", "if-none-match",
    "if-modified-since", "range",
  ]

  private func headers(_ member: Member) -> [(name: String, value: String)] {
    entries(member).compactMap { header in
      guard Self.isHeaderName(header.name) else {
        report(header.key, "\"\(header.name)\" is not a valid header name")
        return nil
      }
      guard !Self.ownHeaders.contains(header.name.lowercased()) else {
        report(
          header.key, "\(header.name) cannot be set by a manifest",
          hint: "for a secret, write: auth: {secret: token, header: NAME}")
        return nil
      }
      return checkedText(
        header.value, "a header field takes a plain text on one line", where: Self.isHeaderText
      ).map { (header.name, $0) }
    }
  }

  static func isHeaderName(_ name: String) -> Bool {
    !name.isEmpty && name.consists(of: "a"..."z", "A"..."Z", "0"..."9", and: "!#$%&'*+-.^_`|~")
  }

  static func isHeaderText(_ text: String) -> Bool {
    isLine(text) && text.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7F }
  }

  private func body(_ node: Node) -> JSONTree? {
    switch node {
    case .scalar(let scalar):
      guard let value = constant(node, "the body"), let text = value.string else {
        return constant(node, "the body")
      }
      if scalar.style == .plain, let number = Double(text), number.isFinite { return .double(number) }
      return template(text, node, ManifestRequest.names).map { _ in value }
    case .sequence(let sequence): return .array(sequence.compactMap(body))
    case .mapping:
      var members: [String: JSONTree] = [:]
      for member in entries(node, of: "the body") ?? [] { members[member.name] = body(member.value) }
      return .object(members)
    case .alias: return nil
    }
  }
}
