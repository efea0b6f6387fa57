import ForageCore

/// One rule of the contract of `SearchProvider` and its evaluation.
struct ComplianceCheck: Sendable {
  enum Verdict: Sendable {
    /// The violations of the rule.
    case evaluated([ComplianceFinding])
    /// The rule could not be evaluated, and why.
    case notApplicable(String)
  }

  /// The id in kebab-case.
  let id: String
  /// The rule in one line.
  let summary: String
  /// Whether the check calls the provider, as opposed to evaluating pages that were read before.
  private let callsProvider: Bool
  private let evaluate: @Sendable (inout Trial) async -> Verdict

  init(
    _ id: String, _ summary: String, callsProvider: Bool = false,
    evaluate: @escaping @Sendable (inout Trial) async -> Verdict
  ) {
    self.id = id
    self.summary = summary
    self.callsProvider = callsProvider
    self.evaluate = evaluate
  }

  /// All checks, in the order of a report.
  static let all = [
    declaration, answers, readable, identity, words, filters, sorts, pages, cursors, restart, cancellation,
    details,
  ]

  /// Evaluates the rule.
  func outcome(_ trial: inout Trial) async -> ComplianceReport.Check {
    if Task.isCancelled {
      return ComplianceReport.Check(id, summary, notApplicable: "the run was cancelled")
    }
    if callsProvider, trial.isHanging {
      return ComplianceReport.Check(id, summary, notApplicable: "the provider does not answer")
    }
    // A limit of the service is no fault of the provider.
    func limited(_ limit: SearchError) -> ComplianceReport.Check {
      ComplianceReport.Check(id, summary, notApplicable: "not tested: \(limit.message)")
    }
    if callsProvider, let limit = trial.limit { return limited(limit) }
    switch await evaluate(&trial) {
    case .evaluated(let findings):
      if callsProvider, !findings.isEmpty, let limit = trial.limit { return limited(limit) }
      return ComplianceReport.Check(id, summary, findings: findings)
    case .notApplicable(let why): return ComplianceReport.Check(id, summary, notApplicable: why)
    }
  }
}
