package import ForageCore

extension [ProviderOutcome] {
  /// Whether every provider failed because of wrong settings.
  package var isMisconfigured: Bool {
    let failures = filter(\.state.isFailure)
    return !failures.isEmpty && failures.allSatisfy { $0.error?.code == .configuration }
      && !contains(where: \.state.isAnswer)
  }

  /// Whether no provider can answer the search, so that the mistake is in the arguments: none was asked, and either none was named or the
  /// query is one for another kind of results.
  ///
  /// - Parameter named: The ids of the providers that the user named.
  package func areAllUnsupported(named: Set<String>) -> Bool {
    !isEmpty && allSatisfy { $0.state == .unsupported }
      && (!contains { named.contains($0.id) } || contains { !$0.otherKinds.isEmpty })
  }
}

extension FederatedResult {
  /// Why nothing could be answered: each provider that was asked failed, or none can answer the search. `nil` where there is an answer, an empty
  /// one too.
  ///
  /// - Parameters:
  ///   - named: The ids of the providers that the user named.
  ///   - name: How hints call the kind `issue`.
  package func failure(named: Set<String>, callingIssues name: String = ResultKind.issue.rawValue)
    -> ForageError?
  {
    if outcomes.areAllUnsupported(named: named) { return unsupported(callingIssues: name) }
    guard items.isEmpty, let first = outcomes.first(where: \.state.isFailure) else { return nil }
    return ForageError(
      "\(outcomes.label(of: first)): \(first.error?.message ?? first.state.rawValue)", hint: first.advice,
      code: outcomes.isMisconfigured ? .usage : .noAnswer)
  }

  /// No provider can answer the search; the hint leads to one that can.
  private func unsupported(callingIssues name: String) -> ForageError {
    // A provider without the kind takes no part, whatever the query.
    let able = outcomes.filter { !$0.lacksKind }
    let concerned = able.isEmpty ? outcomes : able
    var reasons: [String] = []
    for outcome in concerned {
      let reason = outcome.reason ?? outcome.state.rawValue
      let isShared = concerned.allSatisfy { $0.reason == outcome.reason }
      let text = isShared ? reason : "\(outcome.id): \(reason)"
      if !reasons.contains(text) { reasons.append(text) }
    }
    // The fewer kinds, the more of the query they have in common.
    let best =
      outcomes.filter { !$0.otherKinds.isEmpty }.min { $0.otherKinds.count < $1.otherKinds.count }
      ?? outcomes.first
    return ForageError(
      "no provider can answer this search: " + reasons.joined(separator: "; "),
      hint: best?.advice(callingIssues: name) ?? "")
  }
}

extension [ProviderOutcome] {
  /// The name of an outcome: its provider, with the kind where its other kinds have another outcome.
  package func label(of outcome: ProviderOutcome) -> String {
    allSatisfy { $0.id != outcome.id || Self.failAlike($0, outcome) }
      ? outcome.id : "\(outcome.id) (\(outcome.kind.rawValue))"
  }

  /// Whether another kind of the same provider failed in the same way before: a server that is down is reported once.
  package func hasReported(_ outcome: ProviderOutcome) -> Bool {
    first { $0.id == outcome.id && Self.failAlike($0, outcome) }.map { $0.kind != outcome.kind } ?? false
  }

  private static func failAlike(_ a: ProviderOutcome, _ b: ProviderOutcome) -> Bool {
    a.kind == b.kind || (!a.state.isAnswer && a.state == b.state && a.error?.message == b.error?.message)
  }
}
