import Forage
import ForageCore

/// What a query has for an option of gh.
extension ArgumentMistake {
  /// Options of gh for which a query has a qualifier of another name: its name, the beginning of its value, and an example of the rest.
  ///
  /// A flag has no example, and its value is fixed.
  static let queries: [String: (name: String, beginning: String, example: String?)] = [
    "visibility": ("is", "", "public"), "include-forks": ("fork", "", "true"),
    "number-topics": ("topics", "", ">3"), "merged-at": ("merged", "", ">2024-01-31"),
    "team-mentions": ("team", "", "ORG/TEAM"), "checks": ("status", "", "success"),
    "app": ("author", "app/", "NAME"), "merged": ("is", "merged", nil), "locked": ("is", "locked", nil),
    "draft": ("draft", "true", nil), "merge": ("merge", "true", nil),
    "no-assignee": ("no", "assignee", nil), "no-label": ("no", "label", nil),
    "no-milestone": ("no", "milestone", nil), "no-project": ("no", "project", nil),
  ]

  /// Short options of gh for which a query has a qualifier.
  private static let letterQueries = ["-B": "base", "-H": "head"]

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

  /// How to write an option of gh in a query, `nil` where it has no qualifier.
  ///
  /// The qualifier has the value that was given, if that is one of its values, and the hint names a kind of results that has it.
  static func query(for option: GivenOption) -> String? {
    // A word with one dash before it is more likely one that results must not have.
    let isLong = option.name.hasPrefix("--")
    guard let name = isLong ? String(option.name.dropFirst(2)) : letterQueries[option.name],
      let provider = BuiltInProvider.all.first
    else { return nil }
    let vocabulary = QualifierVocabulary.common.adding(provider.info.vocabulary)
    let own = vocabulary.names.contains(name) ? (name, "", vocabulary[name]?.type.example) : nil
    guard let (qualifier, beginning, example) = queries[name] ?? own else { return nil }
    let parser = QueryParser(vocabulary: vocabulary)
    let given = option.value ?? option.next
    let values = example.map { [given, given.flatMap(firstDay), $0].compactMap(\.self) } ?? [""]
    let parsed = values.lazy.compactMap { value in
      try? parser.parse(qualifier + ":" + QueryTerm.quoted(beginning + value)).root
    }.first
    guard let parsed, case .qualifier(let condition) = parsed else { return nil }
    let kinds = provider.kinds.filter { kind, abilities in
      abilities.push(condition.name) != .unsupported && vocabulary.of(kind).takes(condition)
    }.keys
    let kind = kinds.contains(.issue) ? .issue : kinds.min { $0.rawValue < $1.rawValue }
    let isUsual = !option.needsKind || kinds.contains(.repo)
    let isNegated = example == nil && option.value == "false"
    return "write it in the query" + (isUsual ? "" : kind.map { ", with -k \($0.rawValue)" } ?? "") + ": "
      + (isNegated ? "NOT " : "") + parsed.description
  }
}

extension ArgumentMistake {
  /// A year or a month with its first day, because dates have days.
  private static func firstDay(_ value: String) -> String? {
    guard let (_, comparison, year, month) = value.wholeMatch(of: /([<>]?=?)(\d{4})(-\d\d)?/)?.output else {
      return nil
    }
    return "\(comparison)\(year)\(month ?? "-01")-01"
  }
}

extension QualifierType {
  /// A value that stands for any other.
  fileprivate var example: String {
    switch self {
    case .number: ">10"
    case .date: ">2024-01-31"
    case .boolean: "true"
    case .choice(let words), .words(let words): words.first ?? "VALUE"
    case .text: "VALUE"
    }
  }
}
