package import ForageCore

extension SearchParams {
  /// Creates the parameters of a page.
  ///
  /// - Parameters:
  ///   - provider: The provider's id.
  ///   - request: The request.
  ///   - query: The request's query, encoded.
  package init(provider: String, _ request: SearchRequest, query: EncodedQuery) {
    self.init(
      provider: provider, kind: request.kind.rawValue, text: query.text,
      phrases: query.phrases.isEmpty ? nil : query.phrases, filters: query.filters, query: query.query,
      sort: request.sort, order: request.sort == nil ? nil : request.order.rawValue,
      limit: min(request.pageSize, PluginProtocol.Limits.items), cursor: request.cursor,
      deadlineMs: request.deadline.millisecondsFromNow)
  }

  /// Decodes the condition.
  ///
  /// - Parameter vocabulary: The meaning of qualifiers for the searched kind.
  /// - Returns: The condition, `nil` if there is none, and the numbers of the filters that cannot be decoded
  ///   and therefore cannot be applied.
  package func condition(_ vocabulary: QualifierVocabulary) -> (query: QueryExpression?, unapplied: [Int]) {
    var reader = ConditionReader(vocabulary: vocabulary)
    if let query {
      let expression = reader.expression(query)
      return (expression, reader.unapplied.sorted())
    }
    let phrases = Set(phrases ?? [])
    let words = text.enumerated().map { place, word in
      QueryExpression.term(QueryTerm(word, isPhrase: phrases.contains(place)))
    }
    let conditions = filters.compactMap { reader.expression($0) }
    return (QueryExpression.all(words + conditions), reader.unapplied.sorted())
  }
}

extension FeedParams {
  package init(provider: String, _ request: SearchRequest) {
    self.init(
      provider: provider, kind: request.kind.rawValue, sort: request.sort,
      order: request.sort == nil ? nil : request.order.rawValue,
      limit: min(request.pageSize, PluginProtocol.Limits.items), cursor: request.cursor,
      deadlineMs: request.deadline.millisecondsFromNow)
  }
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

private struct ConditionReader {
  let vocabulary: QualifierVocabulary
  var unapplied: Set<Int> = []

  /// A condition that holds at least whenever the node holds; `nil` if no such condition remains.
  mutating func expression(_ node: QueryNode) -> QueryExpression? {
    switch node {
    case .text(let word): return word.isEmpty ? nil : .term(QueryTerm(word))
    case .phrase(let phrase): return phrase.isEmpty ? nil : .term(QueryTerm(phrase, isPhrase: true))
    case .filter(let filter): return expression(filter)
    case .and(let nodes): return QueryExpression.all(nodes.compactMap { expression($0) })
    case .or(let nodes):
      let parts = nodes.map { expression($0) }
      // If one alternative is not applied, the disjunction restricts nothing.
      return parts.contains(nil) ? nil : QueryExpression.any(parts.compactMap(\.self))
    }
  }

  mutating func expression(_ filter: SearchFilter) -> QueryExpression? {
    let op = filter.op.isNegated ? filter.op.negated : filter.op
    guard let condition = condition(filter, op) else {
      unapplied.insert(filter.n)
      return nil
    }
    return filter.op.isNegated ? .not(condition) : condition
  }

  private func condition(_ filter: SearchFilter, _ op: SearchFilter.Operation) -> QueryExpression? {
    if filter.field == SearchFilter.textField {
      guard op == .equal, let text = filter.value?.string, !text.isEmpty else { return nil }
      return .term(QueryTerm(text, isPhrase: filter.phrase ?? false))
    }
    return value(filter, op).map { .qualifier(Qualifier(filter.field, $0)) }
  }

  private func value(_ filter: SearchFilter, _ op: SearchFilter.Operation) -> QualifierValue? {
    let type = vocabulary[filter.field]?.type
    switch (type, filter.value) {
    case (_, .array(let values)?):
      let texts = values.compactMap(\.string)
      return op == .anyOf && !texts.isEmpty && texts.count == values.count ? .list(texts) : nil
    case (.text, let text?), (.words, let text?), (.choice, let text?):
      return op == .equal ? text.string.map { .text($0) } : nil
    case (_, .bool(let flag)?): return op == .equal ? .boolean(flag) : nil
    case (nil, .string(let text)?) where op == .equal: return .text(text)
    default: break
    }
    let isDate = type == .date || [filter.value, filter.from, filter.to].contains { $0?.string != nil }
    return isDate
      ? bounds(filter, op) { $0.string.flatMap { DatePoint($0) } }.map { .date($0) }
      : bounds(filter, op) { $0.integer }.map { .number($0) }
  }

  private func bounds<Value>(
    _ filter: SearchFilter, _ op: SearchFilter.Operation, _ read: (JSONTree) -> Value?
  ) -> Bounds<Value>? {
    typealias End = Bounds<Value>.End
    if op == .range {
      let (from, to) = (filter.from.flatMap(read), filter.to.flatMap(read))
      guard (from == nil) == (filter.from == nil), (to == nil) == (filter.to == nil) else { return nil }
      return Bounds(
        lower: from.map { End($0, isInclusive: true) }, upper: to.map { End($0, isInclusive: true) })
    }
    guard let value = filter.value.flatMap(read) else { return nil }
    switch op {
    case .equal: return .exactly(value)
    case .less: return Bounds(lower: nil, upper: End(value, isInclusive: false))
    case .lessOrEqual: return Bounds(lower: nil, upper: End(value, isInclusive: true))
    case .greater: return Bounds(lower: End(value, isInclusive: false), upper: nil)
    case .greaterOrEqual: return Bounds(lower: End(value, isInclusive: true), upper: nil)
    default: return nil
    }
  }
}
