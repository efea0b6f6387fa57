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
        guard let abilities = trial.abilities[kind] else { continue }
        for (name, request) in trial.oddRequests(kind, abilities) {
          asked = true
          let subject = "\(kind.rawValue) with \(name)"
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
  /// The requests for odd queries, as far as the search would send them.
  fileprivate func oddRequests(_ kind: ResultKind, _ abilities: Abilities)
    -> [(name: String, request: SearchRequest)]
  {
    let requests = OddQuery.all.compactMap { name, query -> (String, SearchRequest)? in
      guard let query,
        let plan = try? QueryPlan(query, abilities: abilities, vocabulary: vocabulary.of(kind))
      else { return nil }
      return (name, request(kind, plan.pushed, abilities))
    }
    return requests + (abilities.needsText ? [] : [("no query", request(kind, nil, abilities))])
  }
}

private enum OddQuery {
  /// Longer than any server accepts, so that the refusal is checked, too.
  private static let longText = 5000
  private static let manyWords = 300

  private static let texts = [
    ("quotes and backslashes", "say \"hello\" \\ \\\" \\"),
    ("other scripts", "naïve 日本語 العربية 🧑‍🚀 e\u{301}"),
    ("control characters", "a\u{0}b\u{1B}[31mc\r\n\u{202E}d"),
    ("characters with a meaning in URLs", "&q=x#?%00../../%2e+;"),
    ("characters with a meaning in patterns", "*%_[a-z]{1,}(.*)$^|'; --"),
    ("operators as words", "OR AND NOT ( ) : - stars:>1"),
    ("a very long word", String(repeating: "x", count: longText)),
    ("a single character", "-"),
  ]

  static let all: [(name: String, query: QueryExpression?)] = {
    let words = (0..<manyWords).map { QueryExpression.term(QueryTerm("w\($0)")) }
    let without = [QueryExpression.not(.term(QueryTerm("a"))), .not(.term(QueryTerm("b c", isPhrase: true)))]
    return texts.map { ($0.0, .term(QueryTerm($0.1, isPhrase: true))) } + [
      ("many words", QueryExpression.all(words)), ("negations only", QueryExpression.all(without)),
      ("many alternatives", QueryExpression.any(words)),
    ]
  }()
}
