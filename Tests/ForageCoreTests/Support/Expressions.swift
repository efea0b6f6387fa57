import ForageCore

/// A plain word.
func word(_ text: String) -> QueryExpression { .term(QueryTerm(text)) }

/// A quoted phrase.
func phrase(_ text: String) -> QueryExpression { .term(QueryTerm(text, isPhrase: true)) }

/// A qualifier with a text value.
func text(_ name: String, _ value: String) -> QueryExpression { .qualifier(Qualifier(name, .text(value))) }

/// A qualifier with a boolean value.
func flag(_ name: String, _ value: Bool) -> QueryExpression { .qualifier(Qualifier(name, .boolean(value))) }

/// A qualifier with a number or a range of them.
func number(_ name: String, _ bounds: Bounds<Int>) -> QueryExpression {
  .qualifier(Qualifier(name, .number(bounds)))
}

/// A qualifier with a date or a range of them.
func date(_ name: String, _ bounds: Bounds<DatePoint>) -> QueryExpression {
  .qualifier(Qualifier(name, .date(bounds)))
}

extension Bounds {
  /// The interval from `value` on.
  static func from(_ value: Value, isInclusive: Bool = true) -> Bounds {
    Bounds(lower: End(value, isInclusive: isInclusive), upper: nil)
  }

  /// The interval up to `value`.
  static func upTo(_ value: Value, isInclusive: Bool = true) -> Bounds {
    Bounds(lower: nil, upper: End(value, isInclusive: isInclusive))
  }

  /// The closed interval.
  static func closed(_ lower: Value, _ upper: Value) -> Bounds {
    Bounds(lower: End(lower, isInclusive: true), upper: End(upper, isInclusive: true))
  }
}

/// The tree of a query in the common vocabulary.
func parsed(_ query: String) throws -> QueryExpression { try QueryParser().parse(query).root }

/// A repository with an id of the form `host/owner/name` and any further fields.
func repository(
  _ id: String, forgeID: String? = nil, url: String? = nil, _ fields: [ResultField: FieldValue] = [:]
) -> SearchResult {
  let parts = id.split(separator: "/").map(String.init)
  var item = SearchResult(
    id: id, forgeID: forgeID, kind: .repo, title: parts.dropFirst().joined(separator: "/"), url: url,
    fields: fields)
  item[.host] = item[.host] ?? parts.first.map { .text($0) }
  return item
}
