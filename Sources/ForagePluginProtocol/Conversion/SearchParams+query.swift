package import ForageCore

/// A query as the `text` and `filters` of a request.
package struct EncodedQuery: Hashable, Sendable {
  /// Required words and phrases, in order.
  package private(set) var text: [String] = []
  /// Conditions on single properties, and words that must not occur.
  package private(set) var filters: [SearchFilter] = []
  /// The names of qualifiers that no filter can represent, as used in `SearchPage.unapplied`.
  package private(set) var unsent: Set<String> = []

  /// Encodes a query.
  ///
  /// - Parameter query: The part of the query that is sent to the provider, without alternatives; `nil` for
  ///   none.
  package init(_ query: QueryExpression?) {
    let conditions = query?.negationNormalForm.conjuncts ?? []
    let hasAlternatives = conditions.count(where: \.isScope) > 1
    for condition in conditions {
      switch condition {
      // All filters must hold, and these are alternatives.
      case .qualifier(let scope) where hasAlternatives && condition.isScope: unsent.insert(scope.name)
      case .term(let term): text.append(term.text)
      case .not(.term(let term)):
        filters.append(SearchFilter(field: SearchFilter.textField, value: .string(term.text), negated: true))
      case .qualifier(let qualifier): add(qualifier, negated: nil)
      case .not(.qualifier(let qualifier)): add(qualifier, negated: true)
      // A provider of a plugin does not declare alternatives.
      default: break
      }
    }
  }

  private mutating func add(_ qualifier: Qualifier, negated: Bool?) {
    if let (op, value) = Self.condition(qualifier.value) {
      filters.append(SearchFilter(field: qualifier.name, op: op, value: value, negated: negated))
    } else {
      unsent.insert(qualifier.name)
    }
  }

  private static func condition(_ value: QualifierValue) -> (SearchFilter.Operation, JSONTree)? {
    switch value {
    case .text(let text): (.equal, .string(text))
    case .list(let texts): (.anyOf, .array(texts.map(JSONTree.string)))
    case .boolean(let flag): (.equal, .bool(flag))
    case .number(let bounds): condition(bounds) { .integer($0) }
    case .date(let bounds): condition(bounds) { .string($0.text) }
    }
  }

  /// The condition for an interval; `nil` for one without ends, and for one between two values that excludes
  /// one.
  private static func condition<Value>(_ bounds: Bounds<Value>, _ tree: (Value) -> JSONTree)
    -> (SearchFilter.Operation, JSONTree)?
  {
    switch (bounds.lower, bounds.upper) {
    case (let lower?, nil): (lower.isInclusive ? .greaterOrEqual : .greater, tree(lower.value))
    case (nil, let upper?): (upper.isInclusive ? .lessOrEqual : .less, tree(upper.value))
    case (let lower?, let upper?) where lower.isInclusive && upper.isInclusive:
      lower == upper
        ? (.equal, tree(lower.value)) : (.range, .array([tree(lower.value), tree(upper.value)]))
    default: nil
    }
  }
}

extension SearchParams {
  /// Creates the parameters of a page of a search or a feed.
  ///
  /// - Parameters:
  ///   - provider: The provider's id.
  ///   - request: The request.
  ///   - query: The request's query, encoded.
  package init(provider: String, _ request: SearchRequest, query: EncodedQuery) {
    self.init(
      provider: provider, kind: request.kind.rawValue, text: query.text, filters: query.filters,
      sort: request.sort, order: request.sort == nil ? nil : request.order.rawValue,
      limit: min(request.pageSize, PluginProtocol.Limits.items), cursor: request.cursor,
      deadlineMs: request.deadline.millisecondsFromNow)
  }

  /// Decodes the condition.
  ///
  /// - Parameter vocabulary: The meaning of qualifiers for the searched kind.
  /// - Returns: `nil` if there is none.
  /// - Throws: `ErrorObject` for a filter that is not known.
  package func condition(_ vocabulary: QualifierVocabulary) throws(ErrorObject) -> QueryExpression? {
    var conditions = text.map {
      QueryExpression.term(QueryTerm($0, isPhrase: $0.contains(where: \.isWhitespace)))
    }
    for filter in filters {
      guard let condition = filter.condition(vocabulary) else {
        throw ErrorObject(
          .unsupportedQuery, "the filter \(filter.field) \(filter.op.rawValue) is not supported")
      }
      conditions.append(filter.negated == true ? .not(condition) : condition)
    }
    return QueryExpression.all(conditions)
  }
}

extension SearchFilter {
  fileprivate func condition(_ vocabulary: QualifierVocabulary) -> QueryExpression? {
    if field == Self.textField {
      guard op == .equal, let text = value.string, !text.isEmpty else { return nil }
      return .term(QueryTerm(text, isPhrase: text.contains(where: \.isWhitespace)))
    }
    return qualifierValue(vocabulary[field]?.type).map { .qualifier(Qualifier(field, $0)) }
  }

  private func qualifierValue(_ type: QualifierType?) -> QualifierValue? {
    switch (op, value) {
    case (.anyOf, .array(let values)):
      let texts = values.compactMap(\.string)
      return texts.isEmpty || texts.count < values.count ? nil : .list(texts)
    case (.equal, .bool(let flag)): return .boolean(flag)
    case (.equal, .string(let text)) where type != .date: return .text(text)
    default: return bounds(\.integer).map { .number($0) } ?? bounds(\.date).map { .date($0) }
    }
  }

  private func bounds<Value>(_ read: (JSONTree) -> Value?) -> Bounds<Value>? {
    typealias End = Bounds<Value>.End
    if op == .range, let ends = value.array, ends.count == 2, let lower = read(ends[0]),
      let upper = read(ends[1])
    {
      return Bounds(lower: End(lower, isInclusive: true), upper: End(upper, isInclusive: true))
    }
    guard let value = read(value) else { return nil }
    return switch op {
    case .equal: .exactly(value)
    case .less: Bounds(lower: nil, upper: End(value, isInclusive: false))
    case .lessOrEqual: Bounds(lower: nil, upper: End(value, isInclusive: true))
    case .greater: Bounds(lower: End(value, isInclusive: false), upper: nil)
    case .greaterOrEqual: Bounds(lower: End(value, isInclusive: true), upper: nil)
    default: nil
    }
  }
}

extension JSONTree {
  fileprivate var date: DatePoint? { string.flatMap { DatePoint($0) } }
}

extension ContinuousClock.Instant {
  /// Milliseconds from now until this instant: 0 if it has passed, at most one day.
  package var millisecondsFromNow: Int {
    let left = min(max(.zero, ContinuousClock.now.duration(to: self)), .seconds(86_400))
    return Int(left / .milliseconds(1))
  }

  /// The instant a number of milliseconds from now, at most one day.
  package static func now(plusMilliseconds milliseconds: Int) -> ContinuousClock.Instant {
    .now + .milliseconds(min(max(0, milliseconds), 86_400_000))
  }
}
