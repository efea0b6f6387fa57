package import ForageCore

extension [ProviderOutcome] {
  /// The name of an outcome: its provider, with the kind where its other kinds have another outcome.
  package func label(of outcome: ProviderOutcome) -> String {
    allSatisfy { $0.id != outcome.id || Self.failAlike($0, outcome) }
      ? outcome.id : "\(outcome.id) (\(outcome.kind.rawValue))"
  }

  /// Whether another kind of the same provider failed in the same way before: a server that is down is
  /// reported once.
  package func hasReported(_ outcome: ProviderOutcome) -> Bool {
    first { $0.id == outcome.id && Self.failAlike($0, outcome) }.map { $0.kind != outcome.kind } ?? false
  }

  private static func failAlike(_ a: ProviderOutcome, _ b: ProviderOutcome) -> Bool {
    a.kind == b.kind || (!a.state.isAnswer && a.state == b.state && a.error?.message == b.error?.message)
  }
}
