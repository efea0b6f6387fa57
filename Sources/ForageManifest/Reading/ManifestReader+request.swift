import ForageCore
import ForageHTTP
import ForageYAML
import Yams

extension ManifestReader {
  func request(_ member: Member) -> ManifestRequest? {
    let example = "request: {url: \"https://acme.example/search\", params: {q: \"{text}\"}}"
    guard let part = part(member, ["method", "url", "urls", "params", "headers", "body"], example: example)
    else {
      return nil
    }
    let method = part.word("method", ManifestRequest.Method.self) ?? .get
    let urls = part["urls"].map(within) ?? []
    let own =
      part["urls"] == nil
      ? part.required("url", example: "url: \"{base}/search\"").flatMap { self.url($0) }
      : part["url"].flatMap { self.url($0) }
    let url = own ?? (part["url"] == nil ? urls.first.map { ($0.origin, $0.within.path) } : nil)
    if let url, let other = urls.first(where: { $0.origin != url.origin }) {
      report(other.node, "all addresses of a request are on one host", hint: "begin it as the others")
    }
    let parameters = part["params"].map(self.parameters) ?? []
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
  private func url(_ member: Member, further: [String] = []) -> (
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

  /// Reads the request for one entity.
  func details(_ member: Member) -> ManifestDetails? {
    let example = "details: {url: \"{base}/projects/{id}/issues/{number}\"}"
    guard let part = part(member, ["url", "item"], example: example),
      let url = part.required("url", example: example).flatMap({
        self.url($0, further: ManifestDetails.names)
      })
    else { return nil }
    if let place = url.path.names.first(where: ManifestRequest.names.contains) {
      report(member.value, "{\(place)} has no value in details", hint: "use {id}, {number} or {sha}")
    }
    return ManifestDetails(
      request: ManifestRequest(origin: url.origin, path: url.path), item: part.path("item"))
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

  private func parameters(_ member: Member) -> [(name: String, value: Template)] {
    entries(member).compactMap { parameter in
      guard let text = StrictYAML.text(parameter.value) else {
        report(parameter.value, "a parameter takes a text, a number, true or false")
        return nil
      }
      return template(text, parameter.value, ManifestRequest.names).map { (parameter.name, $0) }
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
