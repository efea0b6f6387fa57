/// What a compliance run found, check by check.
public struct ComplianceReport: Sendable, CustomStringConvertible {
  /// How a check came out.
  public enum Outcome: Hashable, Sendable {
    /// Nothing was found.
    case passed
    /// What was found, never empty.
    case failed([ComplianceFinding])
    /// The check had nothing to look at, and why.
    case notApplicable(String)
  }

  /// One check with its outcome.
  public struct Check: Hashable, Sendable {
    /// The id of the check in kebab-case.
    public var id: String
    /// What the check asks for, as a sentence.
    public var summary: String
    /// How it came out.
    public var outcome: Outcome
    /// How many findings were left out because they were too many.
    public var omitted: Int

    /// Creates a check.
    public init(id: String, summary: String, outcome: Outcome, omitted: Int = 0) {
      self.id = id
      self.summary = summary
      self.outcome = outcome
      self.omitted = omitted
    }

    /// The findings, empty unless it failed.
    public var findings: [ComplianceFinding] {
      if case .failed(let findings) = outcome { findings } else { [] }
    }
  }

  /// The id of the provider that was looked at.
  public var provider: String
  /// Every check, in the order in which they were made.
  public var checks: [Check]

  /// Creates a report.
  public init(provider: String, checks: [Check]) {
    self.provider = provider
    self.checks = checks
  }

  /// Every finding, in the order of the checks; empty when the provider complies.
  public var failures: [ComplianceFinding] { checks.flatMap(\.findings) }

  /// The ids of the checks that failed, in the order of the checks.
  public var failedChecks: [String] { checks.filter { !$0.findings.isEmpty }.map(\.id) }

  /// A table of the checks, the findings below the check that made them, and the sums.
  public var description: String {
    let width = checks.map(\.id.count).max() ?? 0
    var lines: [String] = []
    for check in checks {
      let id = check.id + String(repeating: " ", count: width - check.id.count)
      switch check.outcome {
      case .passed: lines.append("passed  \(id)  \(check.summary)")
      case .notApplicable(let why): lines.append("n/a     \(id)  \(check.summary) [\(Legible.line(why))]")
      case .failed(let findings):
        lines.append("FAILED  \(id)  \(check.summary)")
        lines += findings.map { "        " + $0.description }
        if check.omitted > 0 { lines.append("        \(check.id): \(check.omitted) more like these") }
      }
    }
    let failed = failedChecks.count
    let skipped = checks.count { if case .notApplicable = $0.outcome { true } else { false } }
    let passed = checks.count - failed - skipped
    lines.append(
      "\(Legible.line(provider)): \(passed) passed, \(failed) failed, \(skipped) not applicable")
    return lines.joined(separator: "\n")
  }
}
