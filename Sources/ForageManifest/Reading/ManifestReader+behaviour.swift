import ForageCore
import Yams

extension ManifestReader {
  func readBehaviour(_ members: [String: Member], _ manifest: inout Manifest) {
    if let member = members["group"] { manifest.group = line(member.value) ?? manifest.group }
    if let member = members["auth"] { manifest.auth = auth(member) }
    if let member = members["rate"] { manifest.perSecond = rate(member) }
    if let member = members["text"], let text = text(member) { manifest.text = text }
    if let member = members["needsText"] { manifest.needsText = flag(member) ?? true }
    if let member = members["booleans"] { manifest.booleans = flag(member) ?? false }
    if let member = members["errors"] { manifest.errors = errors(member) }
    if let member = members["retryAfter"] { manifest.retryAfter = retryAfter(member) }
  }

  /// Checks rules that concern several keys.
  func checkWhole(_ members: [String: Member], _ root: Node, _ manifest: Manifest, isSearchRead: Bool) {
    if isSearchRead, manifest.base != nil, !manifest.usesBase, let base = members["base"] {
      report(base.key, "no url begins with {base}", hint: "write: url: \"{base}/...\", or remove base")
    }
    if manifest.booleans, manifest.text.sendsLongest || manifest.text.push != .exact,
      let member = members["booleans"]
    {
      report(
        member.key, "booleans requires text that the API applies exactly",
        hint: "remove text: {push: inexact}, or booleans")
    }
    if manifest.text.sendsLongest, manifest.text.push == .exact, let member = members["text"] {
      report(
        member.key, "with take: longest, Forage checks the other words", hint: "add: push: inexact")
    }
  }

  private func auth(_ member: Member) -> Manifest.Auth? {
    let example = "auth: {secret: token, bearer: true}"
    guard
      let members = self.members(
        member.value, of: "auth", known: ["secret", "header", "prefix", "bearer", "query", "required"],
        hint: "for example: \(example)")
    else { return nil }
    let secret = required(members, "secret", member.value, example: example).flatMap { member -> String? in
      guard let name = line(member.value), ProviderDescriptor.isID(name) else {
        report(
          member.value, "secret takes the name of a secret, not the secret itself",
          hint: "for example: secret: token"
        )
        return nil
      }
      return name
    }
    let ways = ["header", "bearer", "query"].filter { members[$0] != nil }
    guard ways.count == 1 else {
      report(
        member.value,
        ways.isEmpty
          ? "auth has no target for the secret" : "auth has two targets for the secret",
        hint: "use one of: header: NAME, bearer: true, query: NAME")
      return nil
    }
    if members["header"] == nil, let prefix = members["prefix"] {
      report(prefix.key, "prefix requires header", hint: "remove it")
    }
    let isRequired = members["required"].flatMap(flag) ?? false
    guard let secret, let place = place(members) else { return nil }
    return Manifest.Auth(secret: secret, place: place, isRequired: isRequired)
  }

  private func place(_ members: [String: Member]) -> Manifest.Auth.Place? {
    if let bearer = members["bearer"] {
      guard flag(bearer) == true else {
        if bearer.value.bool == false { report(bearer.value, "bearer takes true", hint: "remove auth") }
        return nil
      }
      return .header("Authorization", prefix: "Bearer ")
    }
    if let query = members["query"] {
      guard let name = line(query.value) else {
        report(query.value, "query takes the name of a parameter")
        return nil
      }
      return .parameter(name)
    }
    guard let header = members["header"] else { return nil }
    guard let name = StrictYAML.text(header.value), Self.isHeaderName(name) else {
      report(
        header.value, "header takes the name of a header field", hint: "for example: header: PRIVATE-TOKEN")
      return nil
    }
    guard let given = members["prefix"] else { return .header(name, prefix: "") }
    guard let prefix = line(given.value), prefix.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) else {
      report(given.value, "prefix takes a plain word", hint: "for example: prefix: token")
      return nil
    }
    return .header(name, prefix: prefix.trimmingWhitespace() + " ")
  }

  private func rate(_ member: Member) -> Double? {
    guard
      let members = self.members(
        member.value, of: "rate", known: ["perSecond"], hint: "for example: rate: {perSecond: 1}"),
      let given = required(members, "perSecond", member.value, example: "rate: {perSecond: 1}")
    else { return nil }
    guard let number = given.value.float ?? given.value.int.map(Double.init), number >= 0.01, number <= 1000
    else {
      report(given.value, "perSecond takes a number from 0.01 to 1000")
      return nil
    }
    return number
  }

  private enum PushName: String, CaseIterable { case exact, inexact }
  private enum TakeName: String, CaseIterable { case all, longest }
  private enum WordName: String, CaseIterable { case plain, quoted }

  /// How precisely the API applies a condition.
  func push(_ member: Member) -> ProviderDescriptor.Push? {
    word(member, PushName.self).map { $0 == .exact ? .exact : .inexact }
  }

  private func text(_ member: Member) -> TextRules? {
    var rules = TextRules()
    if case .scalar = member.value {
      guard let push = push(member) else { return nil }
      rules.push = push
      return rules
    }
    guard
      let members = self.members(
        member.value, of: "text", known: ["push", "take", "words", "phrases", "quote", "not"],
        hint: "for example: text: inexact, or text: {push: inexact, phrases: plain}")
    else { return nil }
    if let given = members["push"] { rules.push = push(given) ?? .exact }
    if let given = members["take"] { rules.sendsLongest = word(given, TakeName.self) == .longest }
    if let given = members["words"] { rules.quotesWords = word(given, WordName.self) == .quoted }
    if let given = members["phrases"] { rules.quotesPhrases = word(given, WordName.self) != .plain }
    if let given = members["quote"] {
      if let quoting = word(given, Quoting.self) { rules.quoting = quoting }
    }
    if let given = members["not"] { rules.negation = around(given, place: "term") }
    return rules
  }

  /// The texts around the single placeholder of a text such as `license:{value}`.
  func around(_ member: Member, place: String) -> Around? {
    let pieces = line(member.value).map(PlaceholderReader.pieces) ?? []
    let names = pieces.filter { if case .name = $0 { true } else { false } }
    guard names == [.name(place)] else {
      report(
        member.value, "\(member.name) takes a text with {\(place)} once",
        hint: "for example: \"\(place == "term" ? "-" : "name:"){\(place)}\"")
      return nil
    }
    var (around, isBehind) = (Around(before: "", behind: ""), false)
    for piece in pieces {
      switch piece {
      case .name: isBehind = true
      case .text(let text): if isBehind { around.behind = text } else { around.before = text }
      }
    }
    return around
  }

  private func errors(_ member: Member) -> Manifest.ErrorRules {
    var rules = Manifest.ErrorRules()
    guard
      let members = self.members(
        member.value, of: "errors", known: ["message", "code"],
        hint: "for example: errors: {message: $.error_message}")
    else { return rules }
    rules.message = members["message"].flatMap { rule($0.value, "message", type: nil) }
    rules.code = members["code"].flatMap { rule($0.value, "code", type: nil) }
    if let given = members["code"], let names = rules.code?.names {
      for name in names.values where !ManifestErrors.codes.contains(name.string ?? "") {
        report(
          given.value, "\"\(name.string ?? "null")\" is not an error code",
          hint: "known codes: \(ManifestErrors.codes.sorted().joined(separator: ", "))")
      }
    }
    return rules
  }

  private func retryAfter(_ member: Member) -> Manifest.RetryAfter? {
    let example = "retryAfter: {path: $.backoff, unit: s}"
    guard
      let members = self.members(
        member.value, of: "retryAfter", known: ["path", "unit"], hint: "for example: \(example)"),
      let given = required(members, "path", member.value, example: example),
      let path = path(given.value, "path", isSingular: true)
    else { return nil }
    var unit = 1000
    if let given = members["unit"] {
      guard let text = StrictYAML.text(given.value), let found = ["s": 1000, "ms": 1][text] else {
        report(given.value, "unit takes s or ms")
        return nil
      }
      unit = found
    }
    return Manifest.RetryAfter(path: path, unit: unit)
  }
}
