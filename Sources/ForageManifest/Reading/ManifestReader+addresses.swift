import ForageCore
import ForageHTTP
import ForageYAML
import Yams

extension ManifestReader {
  func readHosts(_ member: Member) {
    guard let sequence = member.value.sequence else {
      return report(
        member.value, "hosts takes a list of hosts", hint: "for example: hosts: [api.acme.example]")
    }
    for node in sequence {
      guard let text = StrictYAML.text(node), let url = HTTPURL("https://" + text), url.path == "/",
        url.query == nil, url.authority == text.lowercased(), !HostRules.isMisleading(url.host)
      else {
        report(
          node, "hosts takes host names, without scheme and path",
          hint: "for example: hosts: [api.acme.example, search.acme.example:8443]")
        continue
      }
      hosts.append(url.authority)
    }
  }

  func readBase(_ member: Member) {
    guard let text = StrictYAML.text(member.value) else {
      return report(member.value, "base takes an address", hint: "for example: base: https://acme.example")
    }
    if checkAddress(text, member.value, "base") { base = text }
  }

  /// Whether requests to an address are allowed, as far as the manifest shows.
  private func checkAddress(_ text: String, _ node: Node, _ what: String) -> Bool {
    do throws(SearchError) {
      _ = try HostRules.checked(text, setting: what, declared: hosts)
      return true
    } catch {
      report(node, error.message, hint: error.hint)
      return false
    }
  }

  static let requestKeys = ["method", "url", "params", "headers", "body"]

  func request(_ member: Member) -> ManifestRequest? {
    let example = "request: {url: \"https://acme.example/search\", params: {q: \"{text}\"}}"
    guard let part = part(member, Self.requestKeys, example: example) else { return nil }
    let method = part.word("method", ManifestRequest.Method.self) ?? .get
    let url = part.required("url", example: "url: \"{base}/search\"").flatMap(url)
    var request = ManifestRequest(
      method: method, origin: url?.origin ?? .base, segments: url?.segments ?? [])
    if let params = part["params"] { request.parameters = parameters(params) }
    if let headers = part["headers"] { request.headers = self.headers(headers) }
    if let body = part["body"] {
      if method == .get {
        report(body.key, "a request has a body only with: method: POST")
      }
      request.body = self.body(body.value)
    }
    return url == nil ? nil : request
  }

  private func url(_ member: Member) -> (origin: ManifestRequest.Origin, segments: [RequestText])? {
    guard let text = StrictYAML.text(member.value), !text.isEmpty else {
      report(member.value, "url takes an address", hint: "for example: url: \"{base}/api/search\"")
      return nil
    }
    let origin: ManifestRequest.Origin
    var rest: Substring
    if text.hasPrefix("{base}") {
      origin = .base
      rest = text.dropFirst("{base}".count)
      guard rest.isEmpty || rest.hasPrefix("/") else {
        report(member.value, "{base} must be followed by a slash", hint: "for example: \"{base}/api/search\"")
        return nil
      }
    } else {
      guard let mark = text.utf8Range(of: "://") else {
        report(
          member.value, "url begins with https:// or {base}", hint: "for example: url: \"{base}/api/search\"")
        return nil
      }
      let slash = text[mark.upperBound...].firstIndex(of: "/") ?? text.endIndex
      let host = String(text[..<slash])
      guard !host.contains("{") else {
        report(
          member.value, "the host of an address must not contain placeholders",
          hint: "for a host that the user sets, write: url: \"{base}/...\"")
        return nil
      }
      guard checkAddress(host, member.value, "url") else { return nil }
      origin = .fixed(host)
      rest = text[slash...]
    }
    guard !rest.contains("?"), !rest.contains("#") else {
      report(
        member.value, "the url must not contain parameters", hint: "write them under params: {name: value}")
      return nil
    }
    if rest.hasPrefix("/") { rest = rest.dropFirst() }
    var segments: [RequestText] = []
    for part in rest.isEmpty ? [] : rest.split(separator: "/", omittingEmptySubsequences: false) {
      guard let segment = requestText(String(part), member.value) else { return nil }
      let isPlain = segment.places.isEmpty
      // An empty last segment is a trailing slash, which some addresses need.
      if isPlain, part == "." || part == ".." {
        report(member.value, "the path of a url must not contain . or ..")
        return nil
      }
      let decoded = segment.parts.map { piece in
        if case .text(let text) = piece { RequestText.Part.text(PercentEncoding.decode(text)) } else { piece }
      }
      segments.append(RequestText(decoded))
    }
    return (origin, segments)
  }

  /// A text with placeholders such as `{text}`; unknown ones are reported.
  func requestText(_ text: String, _ node: Node) -> RequestText? {
    var parts: [RequestText.Part] = []
    for piece in PlaceholderReader.pieces(text) {
      switch piece {
      case .text(let text): parts.append(.text(text))
      case .name(let name):
        guard let place = RequestText.Place(rawValue: name) else {
          let known = RequestText.Place.allCases.map(\.rawValue)
          report(
            node, "{\(name)} is not a known placeholder",
            hint: NearestName.hint(for: name, among: known, written: { "{\($0)}" })
              ?? "known placeholders: \(known.map { "{\($0)}" }.joined(separator: ", ")); for literal text write {{\(name)}}"
          )
          return nil
        }
        parts.append(.place(place))
      }
    }
    return RequestText(parts)
  }

  private func parameters(_ member: Member) -> [(name: String, value: RequestText)] {
    var parameters: [(name: String, value: RequestText)] = []
    for parameter in entries(member) {
      guard let text = StrictYAML.text(parameter.value) else {
        report(parameter.value, "a parameter takes a text, a number, true or false")
        continue
      }
      if let value = requestText(text, parameter.value) { parameters.append((parameter.name, value)) }
    }
    return parameters
  }

  /// Headers that the program sets itself, or that carry secrets.
  private static let ownHeaders: Set<String> = [
    "authorization", "proxy-authorization", "cookie", "host", "content-length", "transfer-encoding",
    "connection", "upgrade", "te", "trailer", "expect", "user-agent", "accept-encoding", "if-none-match",
    "if-modified-since", "range",
  ]

  private func headers(_ member: Member) -> [(name: String, value: String)] {
    var headers: [(name: String, value: String)] = []
    for header in entries(member) {
      guard Self.isHeaderName(header.name) else {
        report(header.key, "\"\(header.name)\" is not a valid header name")
        continue
      }
      guard !Self.ownHeaders.contains(header.name.lowercased()) else {
        report(
          header.key, "\(header.name) cannot be set by a manifest",
          hint: "for a secret, write: auth: {secret: token, header: NAME}")
        continue
      }
      guard let text = line(header.value), text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) else {
        report(header.value, "a header field takes a plain text on one line")
        continue
      }
      headers.append((header.name, text))
    }
    return headers
  }

  static func isHeaderName(_ name: String) -> Bool {
    !name.isEmpty && name.consists(of: "a"..."z", "A"..."Z", "0"..."9", and: "!#$%&'*+-.^_`|~")
  }

  private func body(_ node: Node) -> RequestBody? {
    switch node {
    case .scalar(let scalar):
      if let value = constant(node, "the body"), value.string == nil { return .fixed(value) }
      if scalar.style == .plain, let number = Double(scalar.string), number.isFinite {
        return .fixed(.double(number))
      }
      return requestText(scalar.string, node).map { .text($0) }
    case .sequence(let sequence): return .array(sequence.compactMap(body))
    case .mapping:
      var members: [String: RequestBody] = [:]
      for member in entries(node, of: "the body") ?? [] { members[member.name] = body(member.value) }
      return .object(members)
    case .alias: return nil
    }
  }
}
