import ForageCore
import ForageYAML
import Yams

extension ManifestReader {
  private enum PushName: String, CaseIterable { case exact, inexact }
  private enum TakeName: String, CaseIterable { case all, longest }
  private enum WordName: String, CaseIterable { case plain, quoted }

  /// How precisely the API applies a condition.
  func push(_ member: Member) -> Pushdown? {
    word(member, PushName.self).map { $0 == .exact ? .exact : .inexact }
  }

  func text(_ member: Member) -> TextRules? {
    var rules = TextRules()
    if StrictYAML.text(member.value) == "none" {
      (rules.push, rules.isNone) = (.unsupported, true)
      return rules
    }
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
    rules.quotesWords = part.word("words", WordName.self) == .quoted
    rules.quotesPhrases = part.word("phrases", WordName.self) != .plain
    if let quoting = part.word("quote", Quoting.self) { rules.quoting = quoting }
    rules.negation = part["not"].flatMap { around($0, "term", example: "-{term}") }
    if rules.sendsLongest, rules.push == .exact {
      report(member.key, "with take: longest, Forage checks the other words", hint: "add: push: inexact")
    }
    return rules
  }

  /// A text with one placeholder, such as `license:{value}`.
  func around(_ member: Member, _ name: String, example: String) -> Template? {
    let template = line(member.value).flatMap { try? Template($0, names: [name]) }
    if let template, template.names == [name] { return template }
    report(
      member.value, "\(member.name) takes a text with {\(name)} once", hint: "for example: \"\(example)\"")
    return nil
  }
}
