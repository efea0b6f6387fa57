package import ForageCore
import ForageLocal

extension [ProviderOutcome] {
  /// Whether every provider that failed did so because of wrong settings.
  package var isMisconfigured: Bool {
    let failures = filter(\.state.isFailure)
    return !failures.isEmpty && failures.allSatisfy { $0.error?.code == .configuration }
  }

  /// Whether no provider can answer the search, and it is said of all together: none was asked, and either none was named or the query is one for
  /// another kind of results.
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
  /// - Parameter named: The ids of the providers that the user named.
  package func failure(named: Set<String>) -> ForageError? {
    if outcomes.areAllUnsupported(named: named) { return unsupported }
    guard items.isEmpty, let first = outcomes.first(where: \.isWithoutAnswer) else { return nil }
    return ForageError(
      "\(outcomes.label(of: first)): \(first.error?.message ?? first.state.rawValue)",
      hint: first.error?.hint ?? "",
      code: outcomes.isMisconfigured ? .usage : .noAnswer)
  }

  /// No provider can answer the search; the hint leads to one that can.
  private var unsupported: ForageError {
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
    let kinds = outcomes.nearest?.otherKinds.map(\.rawValue) ?? []
    return ForageError(
      "no provider can answer this search: " + reasons.joined(separator: "; "),
      hint: kinds.isEmpty
        ? "change the query, or choose other providers"
        : "leave it out, or search for kinds: " + kinds.joined(separator: ", "),
      code: .nothingFound)
  }
}

extension [ProviderOutcome] {
  /// The outcome whose other kinds are nearest to an unsupported query: the fewer kinds, the more of the query they have in common.
  package var nearest: ProviderOutcome? {
    filter { !$0.otherKinds.isEmpty }.min { $0.otherKinds.count < $1.otherKinds.count } ?? first
  }

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

extension ProviderOutcome {
  /// The outcome of work on clones.
  ///
  /// - Parameter problem: What is missing, `nil` for nothing.
  package static func local(_ state: State = .ok, _ problem: String? = nil) -> ProviderOutcome {
    var outcome = ProviderOutcome(id: LocalProvider.id, name: LocalProvider.id, kind: .repo, state: state)
    outcome.error = problem.map { SearchError(.unavailable, $0, hint: "") }
    return outcome
  }
}

extension ProviderOutcome {
  /// How old an old answer from the cache is, as the end of a message; `nil` for a current answer.
  package var staleness: String? {
    cache.isStale ? cache.age.map { "its answer is from the cache and \(HumanFormat.span($0)) old" } : nil
  }
}
