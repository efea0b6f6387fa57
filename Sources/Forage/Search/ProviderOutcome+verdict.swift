import ForageCore
import ForageLocal
import ForageStore

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

extension Services {
  /// Names the database that another process has locked in place of a provider that waited for it until its time was over.
  func explainTimeouts(_ outcomes: inout [ProviderOutcome]) {
    for index in outcomes.indices where outcomes[index].error?.code == .timeout {
      let folder = directories.cacheFolder
      let lock =
        outcomes[index].id == LocalProvider.id
        ? StoreError.lock(onStore: store.path) ?? StoreError.lock(onCache: codeIndex.path)
        : StoreError.lock(onCache: NetworkServices.answersFile(folder))
          ?? StoreError.lock(onCache: NetworkServices.limitsFile(folder))
      guard let lock else { continue }
      outcomes[index].error = SearchError(.timeout, lock.message, hint: lock.hint)
    }
  }
}
