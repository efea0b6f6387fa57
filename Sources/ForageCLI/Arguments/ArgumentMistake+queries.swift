import Forage
import ForageCore

/// What a query has for an option that a command does not take.
extension ArgumentMistake {
  /// An option that the parser does not know, as it was given.
  struct GivenOption {
    /// With its dashes.
    var name: String
    /// Behind an equals sign.
    var value: String?
    /// The next argument, unless it is an option, too.
    var next: String?
    /// Whether the command finds several kinds of results and the arguments name none.
    var needsKind: Bool
  }

  /// How to write an option in a query, `nil` where it has no qualifier.
  ///
  /// The qualifier has the value that was given, if that is one of its values, and the hint names a kind of
  /// results that has it.
  static func query(for option: GivenOption) -> String? {
    guard let provider = BuiltInProvider.all.first else { return nil }
    let vocabulary = QualifierVocabulary.common.adding(provider.info.vocabulary)
    let known = SearchQualifier.named[option.name]
    // A word with one dash before it is more likely one that results must not have.
    guard let qualifier = known?.qualifier ?? longName(option.name), let definition = vocabulary[qualifier]
    else { return nil }
    let given = option.value ?? option.next
    // The values to try, each one or more of them; a year is two.
    let values: [[String]]
    switch known?.value {
    case .flag(let on, let off)?: values = [[option.value == "false" ? off : on].compactMap(\.self)]
    case .truth?: values = [[option.value ?? "true"]]
    default:
      values = [given.map { [$0] }, given.flatMap(QualifierOptions.days), [definition.type.example]]
        .compactMap(\.self)
    }
    let parser = QueryParser(vocabulary: vocabulary)
    let parsed = values.lazy.compactMap { values in
      try? values.map { value in
        try parser.parse(qualifier + ":" + QueryTerm.quoted((known?.beginning ?? "") + value)).root
      }
    }.first
    guard let parsed, case .qualifier(let condition)? = parsed.first else { return nil }
    let kinds = provider.kinds.filter { kind, abilities in
      abilities.push(condition.name) != .unsupported && vocabulary.of(kind).takes(condition)
    }.keys
    let kind = kinds.contains(.issue) ? .issue : kinds.min { $0.rawValue < $1.rawValue }
    let isUsual = !option.needsKind || kinds.contains(.repo)
    return "write it in the query" + (isUsual ? "" : kind.map { ", with -k \($0.rawValue)" } ?? "") + ": "
      + parsed.map(\.description).joined(separator: " ")
  }

  private static func longName(_ name: String) -> String? {
    name.hasPrefix("--") ? String(name.dropFirst(2)) : nil
  }
}

extension QualifierType {
  /// A value that stands for any other.
  fileprivate var example: String {
    switch value {
    case .number, .fraction: ">10"
    case .date: ">2024-01-31"
    case .flag: "true"
    case .text, .list: words.first ?? "VALUE"
    }
  }
}
