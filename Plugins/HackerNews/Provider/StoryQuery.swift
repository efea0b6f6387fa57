import ForageCore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A query in the form of the API.
struct StoryQuery: Sendable {
  /// The words, quoted phrases, and excluded words with a minus sign.
  private(set) var text: [String] = []
  private var tags: [String] = []
  private var numericFilters: [String] = []
  /// The qualifiers that the API does not support.
  private(set) var unapplied: Set<String> = []
  /// Whether no story can match.
  private(set) var isImpossible = false

  /// A query that matches everything.
  static let empty = StoryQuery()

  private init() {}

  /// Translates a query.
  ///
  /// - Throws: `SearchError` for alternatives, and for text with quotation marks, which the API does not
  ///   support.
  init(_ query: QueryExpression?) throws(SearchError) {
    for condition in query?.negationNormalForm.conjuncts ?? [] {
      switch condition {
      case .term(let term): text.append(try Self.notation(term))
      case .not(.term(let term)): text.append("-" + (try Self.notation(term)))
      case .qualifier(let qualifier): add(qualifier)
      case .not(.qualifier(let qualifier)): unapplied.insert(qualifier.name)
      default:
        throw SearchError(
          .unsupportedQuery, "Hacker News cannot search for alternatives", hint: "remove OR from the query")
      }
    }
  }

  /// The parameters of a search, without those of the page.
  func parameters(tags further: [String]) -> [(name: String, value: String)] {
    var parameters = [(name: "tags", value: (further + tags).joined(separator: ","))]
    if !text.isEmpty { parameters.insert(("query", text.joined(separator: " ")), at: 0) }
    if !numericFilters.isEmpty {
      parameters.append(("numericFilters", numericFilters.joined(separator: ",")))
    }
    return parameters
  }

  /// A word, quoted if the API would interpret it otherwise.
  private static func notation(_ term: QueryTerm) throws(SearchError) -> String {
    guard !term.text.contains("\"") else {
      throw SearchError(
        .unsupportedQuery, "Hacker News cannot search for quotation marks",
        hint: "remove them from the query")
    }
    return term.isPhrase || term.text.hasPrefix("-") ? "\"\(term.text)\"" : term.text
  }

  private mutating func add(_ qualifier: Qualifier) {
    switch (qualifier.name, qualifier.value) {
    case ("author", .text(let name)):
      // Account names consist of these characters only; a comma or parenthesis would begin another condition.
      guard !name.isEmpty, name.utf8.allSatisfy(Self.isOfName) else {
        isImpossible = true
        return
      }
      tags.append("author_" + name)
    case ("author", .list(let names)):
      let tags = names.filter { !$0.isEmpty && $0.utf8.allSatisfy(Self.isOfName) }.map { "author_" + $0 }
      if tags.isEmpty {
        isImpossible = true
        return
      }
      self.tags.append("(" + tags.joined(separator: ",") + ")")
    case ("points", .number(let bounds)): numericFilters += Self.filters("points", bounds)
    case ("comments", .number(let bounds)): numericFilters += Self.filters("num_comments", bounds)
    case ("created", .date(let bounds)): numericFilters += Self.filters("created_at_i", bounds.seconds)
    default: unapplied.insert(qualifier.name)
    }
  }

  private static func isOfName(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
      true
    default: false
    }
  }

  private static func filters(_ field: String, _ bounds: Bounds<Int>) -> [String] {
    if let lower = bounds.lower, let upper = bounds.upper, lower == upper, lower.isInclusive {
      return [field + "=\(lower.value)"]
    }
    let lower = bounds.lower.map { field + ($0.isInclusive ? ">=" : ">") + "\($0.value)" }
    let upper = bounds.upper.map { field + ($0.isInclusive ? "<=" : "<") + "\($0.value)" }
    return [lower, upper].compactMap(\.self)
  }
}

extension Bounds<DatePoint> {
  /// The interval in seconds since 1970; a day counts as a whole.
  fileprivate var seconds: Bounds<Int> {
    Bounds<Int>(
      lower: lower.map { end in
        let instant = end.isInclusive ? end.value.start : end.value.end
        return .init(Int(instant.timeIntervalSince1970), isInclusive: true)
      },
      upper: upper.map { end in
        let instant = end.isInclusive ? end.value.end : end.value.start
        return .init(Int(instant.timeIntervalSince1970), isInclusive: false)
      })
  }
}
