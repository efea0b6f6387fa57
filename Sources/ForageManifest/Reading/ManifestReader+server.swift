import ForageCore
import ForageHTTP
import ForageYAML
import Yams

/// The keys that concern the server, whatever kind is searched.
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

  func base(_ member: Member) -> String? {
    guard let text = StrictYAML.text(member.value) else {
      report(member.value, "base takes an address", hint: "for example: base: https://acme.example")
      return nil
    }
    return isAllowed(text, member.value, "base") ? text : nil
  }

  /// Whether requests to an address are allowed, as far as the manifest shows.
  func isAllowed(_ text: String, _ node: Node, _ what: String) -> Bool {
    do throws(SearchError) {
      _ = try HostRules.checked(text, setting: what, declared: hosts)
      return true
    } catch {
      report(node, error.message, hint: error.hint)
      return false
    }
  }

  func auth(_ member: Member) -> Manifest.Auth? {
    let example = "auth: {secret: token, bearer: true}"
    let keys = ["secret", "user", "header", "prefix", "bearer", "query"]
    guard let part = part(member, keys, example: example) else { return nil }
    let secret = part.required("secret", example: example).flatMap {
      checkedText(
        $0.value, "secret takes the name of a secret, not the secret itself",
        hint: "for example: secret: token", where: ProviderInfo.isID)
    }
    let ways = ["header", "bearer", "query"].filter { part[$0] != nil }
    guard ways.count == 1 else {
      report(
        member.value,
        "auth has \(ways.isEmpty ? "no target" : "two targets") for the secret",
        hint: "use one of: header: NAME, bearer: true, query: NAME")
      return nil
    }
    if part["header"] == nil, let prefix = part["prefix"] {
      report(prefix.key, "prefix requires header", hint: "remove it")
    }
    let user = part["user"].flatMap {
      checkedText(
        $0.value, "user takes the name of a secret", hint: "for example: user: user", where: ProviderInfo.isID
      )
    }
    if let member = part["user"], part["bearer"] == nil {
      report(
        member.key, "user requires bearer: true", hint: "without the name of an account a token is sent alone"
      )
    }
    guard let secret, let place = place(part) else { return nil }
    return Manifest.Auth(secret: secret, place: place, user: user)
  }

  private func place(_ part: Part) -> Manifest.Auth.Place? {
    if let bearer = part["bearer"] {
      if bearer.value.bool == true { return .bearer }
      report(bearer.value, "bearer takes true", hint: "write: bearer: true, or remove auth")
      return nil
    }
    if let query = part["query"] {
      return checkedText(query.value, "query takes the name of a parameter", where: Self.isLine).map {
        .parameter($0)
      }
    }
    guard let header = part["header"] else { return nil }
    let name = checkedText(
      header.value, "header takes the name of a header field", hint: "for example: header: PRIVATE-TOKEN",
      where: Self.isHeaderName)
    guard let name else { return nil }
    guard let given = part["prefix"] else { return .header(name, prefix: "") }
    let prefix = checkedText(
      given.value, "prefix takes a plain word", hint: "for example: prefix: token", where: Self.isHeaderText)
    return prefix.map { .header(name, prefix: $0.trimmingWhitespace() + " ") }
  }

  /// One request in 100 seconds to one each millisecond, which is no limit.
  private static let ratePerSecond = 0.01...1000.0

  func rate(_ member: Member) -> Double? {
    let example = "rate: {perSecond: 1}"
    guard let part = part(member, ["perSecond"], example: example),
      let given = part.required("perSecond", example: example)
    else { return nil }
    let range = Self.ratePerSecond
    guard let number = given.value.float ?? given.value.int.map(Double.init), range.contains(number) else {
      report(given.value, "perSecond takes a number from \(range.lowerBound) to \(Int(range.upperBound))")
      return nil
    }
    return number
  }

  func errors(_ member: Member) -> Manifest.ErrorRules {
    var rules = Manifest.ErrorRules()
    let example = "errors: {message: $.error_message}"
    guard let part = part(member, ["message", "code"], example: example) else { return rules }
    rules.message = part.rule("message")
    rules.code = part.rule("code")
    if let given = part["code"], let names = rules.code?.names {
      for name in names.values where !ManifestErrors.codes.contains(name.string ?? "") {
        report(
          given.value, "\"\(name.string ?? "null")\" is not an error code",
          hint: "known codes: \(ManifestErrors.codes.sorted().joined(separator: ", "))")
      }
    }
    return rules
  }
}
