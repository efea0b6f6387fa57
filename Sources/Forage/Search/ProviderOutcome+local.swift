package import ForageCore
import ForageLocal

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
