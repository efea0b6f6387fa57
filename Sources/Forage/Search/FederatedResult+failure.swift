package import ForageCore

extension [ProviderOutcome] {
  /// Whether no provider can answer the search.
  package var areAllUnsupported: Bool { !isEmpty && allSatisfy { $0.state == .unsupported } }

  /// Whether that is said of all together: either none was named or the query is one for another kind of
  /// results.
  ///
  /// - Parameter named: The ids of the providers that the user named.
  package func areUnsupportedTogether(named: Set<String>) -> Bool {
    areAllUnsupported && (!contains { named.contains($0.id) } || contains { !$0.otherKinds.isEmpty })
  }
}

extension FederatedResult {
  /// Why nothing could be answered: each provider that was asked failed, or none can answer the search. `nil`
  /// where there is an answer, an empty one too.
  ///
  /// - Parameter named: The ids of the providers that the user named.
  package func failure(named: Set<String>) -> ForageError? {
    if outcomes.areUnsupportedTogether(named: named) { return unsupported }
    // One that was named cannot answer, or could have if it had been asked alone.
    let lacking = outcomes.first {
      named.contains($0.id) && ($0.refusesQuery || outcomes.areAllUnsupported)
    }
    if let lacking, items.isEmpty, outcomes.allSatisfy(\.state.isExcluded) {
      return ForageError(
        "\(outcomes.label(of: lacking)): \(lacking.error?.message ?? "")", hint: lacking.error?.hint ?? "",
        code: .usage)
    }
    // What clones refuse is a mistake in the query.
    let wrong = outcomes.first { outcome in
      outcome.error?.code == .unknownRef
        || outcome.id == BuiltInProvider.clonesID && outcome.error?.code == .invalidQuery
    }
    if items.isEmpty, let wrong = wrong?.error {
      return ForageError(wrong.message, hint: wrong.hint, code: .usage)
    }
    guard items.isEmpty, let first = outcomes.first(where: \.isWithoutAnswer) else { return nil }
    return ForageError(
      "\(outcomes.label(of: first)): \(first.error?.message ?? first.state.rawValue)",
      hint: first.error?.hint ?? "",
      code: outcomes.isMisconfigured ? .usage : .failed)
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
      code: .usage)
  }
}

extension [ProviderOutcome] {
  /// The outcome whose other kinds are nearest to an unsupported query: the fewer kinds, the more of the
  /// query they have in common. The clones count where no other provider has any: their kinds are a part of
  /// what can be searched.
  package var nearest: ProviderOutcome? {
    let able = filter { !$0.otherKinds.isEmpty }
    let others = able.filter { $0.id != BuiltInProvider.clonesID }
    return (others.isEmpty ? able : others).min { $0.otherKinds.count < $1.otherKinds.count } ?? first
  }
}

extension ProviderOutcome {
  /// Whether it lacks a qualifier that says where to search, or was asked and does not support the query.
  fileprivate var refusesQuery: Bool {
    error?.code == .needsQualifier || error?.code == .unsupportedQuery && requests > 0
  }
}

extension ProviderOutcome {
  /// How old an old answer from the cache is, as the end of a message; `nil` for a current answer.
  package var staleness: String? {
    cache.isStale ? cache.age.map { "its answer is from the cache and \(HumanFormat.span($0)) old" } : nil
  }
}
