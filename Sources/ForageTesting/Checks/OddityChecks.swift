import ForageCore

extension ComplianceCheck {
  /// The checks of what nobody would type.
  static let oddityChecks = [
    ComplianceCheck("odd-queries", "an odd query is answered or refused with a SearchError", asks: true) {
      trial in
      var asked = false
      var faults: [Observation] = []
      for kind in trial.kinds {
        guard let abilities = trial.descriptor.kinds[kind], trial.samples.pageSize > 0 else { continue }
        for odd in OddQuery.all(hasText: abilities.needsText) {
          guard let request = trial.request(kind, odd, abilities) else { continue }
          asked = true
          let subject = "\(kind.rawValue) with \(odd.name)"
          let answer = await trial.ask(subject, request, purpose: .odd)
          if let fault = fault(subject, answer.result) { faults.append(fault) }
          if trial.probe.hangs >= ProviderComplianceTests.hangLimit { return .evaluated(faults) }
        }
      }
      return asked ? .evaluated(faults) : .notApplicable("no query can be asked")
    },
    ComplianceCheck(
      "odd-cursors", "a cursor that it never gave out is ignored or refused with a SearchError", asks: true
    ) { trial in
      guard var request = trial.plainRequest else { return .notApplicable("nothing can be asked") }
      var faults: [Observation] = []
      for cursor in oddCursors {
        request.cursor = cursor
        let subject = "the cursor \(Legible.short(QueryTerm.quoted(cursor)))"
        let answer = await trial.ask(subject, request, purpose: .odd)
        if let fault = fault(subject, answer.result) { faults.append(fault) }
      }
      return .evaluated(faults)
    },
  ]

  /// Cursors as a damaged or foreign session may hold them.
  private static let oddCursors = [
    "", "-1", "9223372036854775807", "forage-compliance", "\u{0}\n/../?q=%00",
  ]

  private static func fault(_ subject: String, _ result: BoundedResult<SearchPage>) -> Observation? {
    let expected = "an answer or a SearchError"
    switch result {
    case .value: return nil
    case .failed(let error) where error is SearchError: return nil
    case .failed(let error): return Observation(subject, expected, "it threw \(Legible.error(error))")
    case .late: return Observation(subject, expected, "it never ended")
    }
  }
}

extension Trial {
  /// The request for an odd query, `nil` where the federation would not send it.
  fileprivate func request(
    _ kind: ResultKind, _ odd: OddQuery, _ abilities: ProviderDescriptor.KindAbilities
  ) -> SearchRequest? {
    guard let query = odd.query else { return request(kind, nil, abilities) }
    guard let plan = try? QueryPlan(query, abilities: abilities, vocabulary: vocabulary.of(kind)) else {
      return nil
    }
    return request(kind, plan.pushed, abilities)
  }
}

/// A query that is allowed and that nobody would type.
private struct OddQuery {
  /// Longer than any server takes, so that its refusal is seen, too.
  static let longText = 5000
  /// More words than anybody types.
  static let manyWords = 300

  let name: String
  let query: QueryExpression?

  /// The odd queries.
  ///
  /// - Parameter hasText: Whether the provider must be sent something.
  static func all(hasText: Bool) -> [OddQuery] {
    let texts = [
      ("quotes and backslashes", "say \"hello\" \\ \\\" \\"),
      ("other scripts", "naïve 日本語 العربية 🧑‍🚀 e\u{301}"),
      ("control characters", "a\u{0}b\u{1B}[31mc\r\n\u{202E}d"),
      ("what means something in addresses", "&q=x#?%00../../%2e+;"),
      ("what means something in patterns", "*%_[a-z]{1,}(.*)$^|'; --"),
      ("operators as words", "OR AND NOT ( ) : - stars:>1"),
      ("a very long word", String(repeating: "x", count: longText)),
      ("a single character", "-"),
    ]
    var result = texts.map { OddQuery(name: $0.0, query: .term(QueryTerm($0.1, isPhrase: true))) }
    let words = (0..<manyWords).map { QueryExpression.term(QueryTerm("w\($0)")) }
    result.append(OddQuery(name: "very many words", query: QueryExpression.all(words)))
    let without = [QueryExpression.not(.term(QueryTerm("a"))), .not(.term(QueryTerm("b c", isPhrase: true)))]
    result.append(OddQuery(name: "nothing but negations", query: QueryExpression.all(without)))
    result.append(OddQuery(name: "very many alternatives", query: QueryExpression.any(words)))
    if !hasText { result.append(OddQuery(name: "no query", query: nil)) }
    return result
  }
}
