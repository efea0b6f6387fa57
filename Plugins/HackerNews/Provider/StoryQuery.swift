import ForageCore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A query in the terms of the API.
struct StoryQuery: Sendable {
  /// The words, phrases in quotes, words that must not occur behind a minus sign.
  private(set) var text: [String] = []
  private var tags: [String] = []
  private var numericFilters: [String] = []
  /// The qualifiers that the API cannot apply.
  private(set) var unapplied: Set<String> = []
  /// Whether no story can fulfil it.
  private(set) var isImpossible = false

  /// A query for everything.
  static let empty = StoryQuery()

  private init() {}

  /// Translates a query.
  ///
  /// - Throws: `SearchError` for alternatives, and for text with quotes, which the API cannot be told.
  init(_ query: QueryExpression?) throws(SearchError) {
    for condition in query?.negationNormalForm.conjuncts ?? [] {
      switch condition {
      case .term(let term): text.append(try Self.notation(term))
      case .not(.term(let term)): text.append("-" + (try Self.notation(term)))
      case .qualifier(let qualifier): add(qualifier)
      case .not(.qualifier(let qualifier)): unapplied.insert(qualifier.name)
      default:
        throw SearchError(
          .unsupportedQuery, "Hacker News cannot search for alternatives", hint: "leave OR out of the query")
      }
    }
  }

  /// The parameters of a search, except for the page.
  func parameters(tags further: [String]) -> [(name: String, value: String)] {
    var parameters = [(name: "tags", value: (further + tags).joined(separator: ","))]
    if !text.isEmpty { parameters.insert(("query", text.joined(separator: " ")), at: 0) }
    if !numericFilters.isEmpty {
      parameters.append(("numericFilters", numericFilters.joined(separator: ",")))
    }
    return parameters
  }

  /// A word as it is; in quotes where it would otherwise mean something else.
  private static func notation(_ term: QueryTerm) throws(SearchError) -> String {
    guard !term.text.contains("\"") else {
      throw SearchError(
        .unsupportedQuery, "Hacker News cannot search for quotation marks",
        hint: "leave them out of the query")
    }
    return term.isPhrase || term.text.hasPrefix("-") ? "\"\(term.text)\"" : term.text
  }

  private mutating func add(_ qualifier: Qualifier) {
    switch (qualifier.name, qualifier.value) {
    case ("author", .text(let name)):
      // Nobody has another name, and a comma or a parenthesis would begin another condition.
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
  /// The interval in seconds since 1970, of which a day is the whole.
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
