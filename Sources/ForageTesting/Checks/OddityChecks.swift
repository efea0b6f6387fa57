import ForageCore

extension ComplianceCheck {
  static let oddityChecks = [
    ComplianceCheck(
      "odd-queries", "an odd query is answered or refused with a SearchError", callsProvider: true
    ) {
      trial in
      var asked = false
      var faults: [Observation] = []
      for kind in trial.kinds {
        guard let abilities = trial.descriptor.kinds[kind] else { continue }
        for odd in OddQuery.all(hasText: abilities.needsText) {
          guard let request = trial.request(kind, odd, abilities) else { continue }
          asked = true
          let subject = "\(kind.rawValue) with \(odd.name)"
          let answer = await trial.ask(subject, request, purpose: .odd)
          faults += fault(subject, answer.result)
          if trial.probe.hangs >= ProviderComplianceTests.hangLimit { return .evaluated(faults) }
        }
      }
      return asked ? .evaluated(faults) : .notApplicable("no search is possible")
    },
    ComplianceCheck(
      "odd-cursors", "a cursor of unknown origin is ignored or refused with a SearchError",
      callsProvider: true
    ) { trial in
      guard var request = trial.plainRequest else { return .notApplicable("no search is possible") }
      var faults: [Observation] = []
      for cursor in oddCursors {
        request.cursor = cursor
        let subject = "the cursor \(ReportText.short(QueryTerm.quoted(cursor)))"
        let answer = await trial.ask(subject, request, purpose: .odd)
        faults += fault(subject, answer.result)
      }
      return .evaluated(faults)
    },
  ]

  /// Cursors that a damaged or foreign session may hold.
  private static let oddCursors = [
    "", "-1", "9223372036854775807", "forage-compliance", "\u{0}\n/../?q=%00",
  ]

  private static func fault(_ subject: String, _ result: BoundedResult<SearchPage>) -> [Observation] {
    result.isRefusal ? [] : result.fault(subject, "an answer or a SearchError") { _ in nil }
  }
}

extension Trial {
  /// Returns the request for an odd query; `nil` if the federation would not send it.
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

private struct OddQuery {
  /// Longer than any server accepts, so that the refusal is checked, too.
  static let longText = 5000
  static let manyWords = 300

  let name: String
  let query: QueryExpression?

  /// Returns the odd queries.
  ///
  /// - Parameter hasText: Whether the provider needs text in a query.
  static func all(hasText: Bool) -> [OddQuery] {
    let texts = [
      ("quotes and backslashes", "say \"hello\" \\ \\\" \\"),
      ("other scripts", "naïve 日本語 العربية 🧑‍🚀 e\u{301}"),
      ("control characters", "a\u{0}b\u{1B}[31mc\r\n\u{202E}d"),
      ("characters with a meaning in URLs", "&q=x#?%00../../%2e+;"),
      ("characters with a meaning in patterns", "*%_[a-z]{1,}(.*)$^|'; --"),
      ("operators as words", "OR AND NOT ( ) : - stars:>1"),
      ("a very long word", String(repeating: "x", count: longText)),
      ("a single character", "-"),
    ]
    var result = texts.map { OddQuery(name: $0.0, query: .term(QueryTerm($0.1, isPhrase: true))) }
    let words = (0..<manyWords).map { QueryExpression.term(QueryTerm("w\($0)")) }
    result.append(OddQuery(name: "many words", query: QueryExpression.all(words)))
    let without = [QueryExpression.not(.term(QueryTerm("a"))), .not(.term(QueryTerm("b c", isPhrase: true)))]
    result.append(OddQuery(name: "negations only", query: QueryExpression.all(without)))
    result.append(OddQuery(name: "many alternatives", query: QueryExpression.any(words)))
    if !hasText { result.append(OddQuery(name: "no query", query: nil)) }
    return result
  }
}
