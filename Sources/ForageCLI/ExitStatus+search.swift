import Forage
import ForageCore

extension ExitStatus {
  /// The status after a search.
  ///
  /// - Parameters:
  ///   - named: The ids of the providers that the user named.
  ///   - isStrict: Whether an incomplete list counts as partial.
  ///   - isOfAccount: Whether the list is that of a named account, which is empty if the server knows no such account.
  init(_ result: FederatedResult, named: Set<String>, isStrict: Bool, isOfAccount: Bool = false) {
    let failed = result.outcomes.filter(\.state.isFailure)
    if isOfAccount, result.items.isEmpty, !failed.isEmpty,
      failed.allSatisfy({ $0.error?.code == .notFound })
    {
      self = .nothingFound
    } else if let failure = result.failure(named: named) {
      self = ExitStatus(failure.code)
    } else if isStrict && !result.isComplete || failed.contains(where: { named.contains($0.id) }) {
      self = .partial
    } else {
      self = result.items.isEmpty ? .nothingFound : .success
    }
  }
}
