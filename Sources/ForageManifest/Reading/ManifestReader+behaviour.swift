import ForageCore
import ForageYAML
import Yams

extension ManifestReader {
  func readBehaviour(_ part: Part, _ manifest: inout Manifest) {
    if let group = part.line("group") { manifest.group = group }
    if let member = part["auth"] { manifest.auth = auth(member) }
    if let member = part["rate"] { manifest.perSecond = rate(member) }
    if let member = part["text"], let text = text(member) { manifest.text = text }
    manifest.needsText = part.flag("needsText") ?? true
    manifest.booleans = part.flag("booleans") ?? false
    if let member = part["errors"] { manifest.errors = errors(member) }
    if let member = part["retryAfter"] { manifest.retryAfter = retryAfter(member) }
  }

  /// Checks rules that concern several keys.
  func checkWhole(_ part: Part, _ manifest: Manifest, isSearchRead: Bool) {
    if isSearchRead, manifest.base != nil, !manifest.usesBase, let base = part["base"] {
      report(base.key, "no url begins with {base}", hint: "write: url: \"{base}/...\", or remove base")
    }
    if manifest.booleans, manifest.text.sendsLongest || manifest.text.push != .exact,
      let member = part["booleans"]
    {
      report(
        member.key, "booleans requires text that the API applies exactly",
        hint: "remove text: {push: inexact}, or booleans")
    }
    if manifest.text.sendsLongest, manifest.text.push == .exact, let member = part["text"] {
      report(
        member.key, "with take: longest, Forage checks the other words", hint: "add: push: inexact")
    }
  }

  private func auth(_ member: Member) -> Manifest.Auth? {
    let example = "auth: {secret: token, bearer: true}"
    let keys = ["secret", "header", "prefix", "bearer", "query", "required"]
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
        ways.isEmpty
          ? "auth has no target for the secret" : "auth has two targets for the secret",
        hint: "use one of: header: NAME, bearer: true, query: NAME")
      return nil
    }
    if part["header"] == nil, let prefix = part["prefix"] {
      report(prefix.key, "prefix requires header", hint: "remove it")
    }
    let isRequired = part.flag("required") ?? false
    guard let secret, let place = place(part) else { return nil }
    return Manifest.Auth(secret: secret, place: place, isRequired: isRequired)
  }

  private func place(_ part: Part) -> Manifest.Auth.Place? {
    if let bearer = part["bearer"] {
      guard part.flag("bearer") == true else {
        if bearer.value.bool == false { report(bearer.value, "bearer takes true", hint: "remove auth") }
        return nil
      }
      return .bearer
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
    let prefix = checkedText(given.value, "prefix takes a plain word", hint: "for example: prefix: token") {
      Self.isLine($0) && $0.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7F }
    }
    return prefix.map { .header(name, prefix: $0.trimmingWhitespace() + " ") }
  }

  /// One request in 100 seconds to one each millisecond, which is no limit.
  private static let ratePerSecond = 0.01...1000.0

  private func rate(_ member: Member) -> Double? {
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

  private enum PushName: String, CaseIterable { case exact, inexact }
  private enum TakeName: String, CaseIterable { case all, longest }
  private enum WordName: String, CaseIterable { case plain, quoted }

  /// How precisely the API applies a condition.
  func push(_ member: Member) -> Pushdown? {
    word(member, PushName.self).map { $0 == .exact ? .exact : .inexact }
  }

  private func text(_ member: Member) -> TextRules? {
    var rules = TextRules()
    if case .scalar = member.value {
      guard let push = push(member) else { return nil }
      rules.push = push
      return rules
    }
    let example = "text: inexact, or text: {push: inexact, phrases: plain}"
    let keys = ["push", "take", "words", "phrases", "quote", "not"]
    guard let part = part(member, keys, example: example) else { return nil }
    if let push = part["push"].flatMap(push) { rules.push = push }
    rules.sendsLongest = part.word("take", TakeName.self) == .longest
    if let words = part.word("words", WordName.self) { rules.quotesWords = words == .quoted }
    if let phrases = part.word("phrases", WordName.self) { rules.quotesPhrases = phrases == .quoted }
    if let quoting = part.word("quote", Quoting.self) { rules.quoting = quoting }
    rules.negation = part["not"].flatMap { around($0, place: "term") }
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

  private func retryAfter(_ member: Member) -> Manifest.RetryAfter? {
    let example = "retryAfter: {path: $.backoff, unit: s}"
    guard let part = part(member, ["path", "unit"], example: example),
      let path = part.path("path", example: example)
    else { return nil }
    var unit = 1000
    if let given = part["unit"] {
      guard let text = StrictYAML.text(given.value), let found = ["s": 1000, "ms": 1][text] else {
        report(given.value, "unit takes s or ms")
        return nil
      }
      unit = found
    }
    return Manifest.RetryAfter(path: path, unit: unit)
  }
}
