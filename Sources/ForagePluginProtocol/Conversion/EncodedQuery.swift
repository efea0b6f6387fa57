package import ForageCore
import ForageFoundation

/// A query encoded as parameters of `search`.
///
/// `text` and `filters` contain the conditions that must hold in any case. Negated words and phrases are
/// filters on `text`; a negated qualifier has a negated operation. If the query has alternatives, `query`
/// contains the complete condition as well.
package struct EncodedQuery: Hashable, Sendable {
  /// Required words and phrases, in order.
  package private(set) var text: [String] = []
  /// The indices of phrases in `text`.
  package private(set) var phrases: [Int] = []
  /// Conditions on single properties, and words that must not occur.
  package private(set) var filters: [SearchFilter] = []
  /// The complete condition, if it has alternatives.
  package private(set) var query: QueryNode?
  /// The qualifier name of each filter by its number, including filters within alternatives.
  private var names: [String] = []

  /// Encodes a query.
  ///
  /// - Parameter query: The part of the query that is sent to the provider; `nil` for none.
  package init(_ query: QueryExpression?) {
    guard let query = query?.negationNormalForm else { return }
    let nodes = query.conjuncts.map { condition in
      let node = node(condition)
      switch node {
      case .text(let word): text.append(word)
      case .phrase(let phrase):
        phrases.append(text.count)
        text.append(phrase)
      case .filter(let filter): filters.append(filter)
      case .and, .or: break
      }
      return node
    }
    if query.hasDisjunction { self.query = nodes.count == 1 ? nodes[0] : .and(nodes) }
  }

  /// The qualifiers of the filters that a plugin did not apply, as used in `SearchPage.unapplied`. Unknown
  /// numbers are ignored; `nil` stands for all filters.
  package func names(of unapplied: [Int]?) -> Set<String> {
    guard let unapplied else { return Set(names) }
    return Set(unapplied.lazy.filter(names.indices.contains).map { names[$0] })
  }

  private mutating func node(_ condition: QueryExpression) -> QueryNode {
    switch condition {
    case .and(let parts): return .and(parts.map { node($0) })
    case .or(let parts): return .or(parts.map { node($0) })
    case .term(let term): return term.isPhrase ? .phrase(term.text) : .text(term.text)
    case .qualifier(let qualifier): return .filter(filter(qualifier))
    case .not(.term(let term)):
      names.append(SearchFilter.textField)
      return .filter(
        SearchFilter(
          n: names.count - 1, field: SearchFilter.textField, op: .equal.negated, value: .string(term.text),
          phrase: term.isPhrase ? true : nil))
    case .not(.qualifier(let qualifier)):
      var filter = filter(qualifier)
      filter.op = filter.op.negated
      return .filter(filter)
    // Negation normal form has no other negation.
    case .not(let child): return node(child)
    }
  }

  private mutating func filter(_ qualifier: Qualifier) -> SearchFilter {
    names.append(qualifier.name)
    let plain = SearchFilter(n: names.count - 1, field: qualifier.name, op: .equal)
    switch qualifier.value {
    case .text(let text): return plain.with(.equal, .string(text))
    case .list(let texts): return plain.with(.anyOf, .array(texts.map(JSONTree.string)))
    case .boolean(let flag): return plain.with(.equal, .bool(flag))
    case .number(let bounds):
      return plain.with(
        bounds, value: JSONTree.integer, above: { .integer($0 &+ 1) }, below: { .integer($0 &- 1) })
    case .date(let bounds):
      return plain.with(
        bounds, value: { .string($0.text) }, above: { .string(Timestamp.text($0.end)) },
        below: { .string(Timestamp.text($0.start.addingTimeInterval(-1))) })
    }
  }
}

extension SearchFilter {
  fileprivate func with(_ op: Operation, _ value: JSONTree) -> SearchFilter {
    var filter = self
    (filter.op, filter.value) = (op, value)
    return filter
  }

  /// The filter for an interval. Ranges are inclusive, so an exclusive end is encoded as the adjacent value.
  fileprivate func with<Value>(
    _ bounds: Bounds<Value>, value: (Value) -> JSONTree, above: (Value) -> JSONTree,
    below: (Value) -> JSONTree
  ) -> SearchFilter {
    switch (bounds.lower, bounds.upper) {
    case (let lower?, nil): return with(lower.isInclusive ? .greaterOrEqual : .greater, value(lower.value))
    case (nil, let upper?): return with(upper.isInclusive ? .lessOrEqual : .less, value(upper.value))
    case (let lower?, let upper?) where lower == upper && lower.isInclusive:
      return with(.equal, value(lower.value))
    case (let lower, let upper):
      var filter = self
      filter.op = .range
      filter.from = lower.map { $0.isInclusive ? value($0.value) : above($0.value) }
      filter.to = upper.map { $0.isInclusive ? value($0.value) : below($0.value) }
      return filter
    }
  }
}
