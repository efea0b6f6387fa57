package import ForageCore
import ForageLocal

extension [ProviderOutcome] {
  /// Whether every provider that failed did so because of wrong settings.
  package var isMisconfigured: Bool {
    let failures = filter(\.state.isFailure)
    return !failures.isEmpty && failures.allSatisfy { $0.error?.code == .configuration }
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
