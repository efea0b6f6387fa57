import ForageCore

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
