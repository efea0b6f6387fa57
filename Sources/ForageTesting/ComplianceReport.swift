import ForageCore

/// The results of a compliance run, check by check.
public struct ComplianceReport: Sendable, CustomStringConvertible {
  /// The result of a check.
  public enum Outcome: Hashable, Sendable {
    /// The provider keeps the rule.
    case passed
    /// The provider violates the rule; at least one finding.
    case failed([ComplianceFinding])
    /// The check could not be evaluated, and why.
    case notApplicable(String)
  }

  /// A check with its outcome.
  public struct Check: Hashable, Sendable {
    /// The id of the check in kebab-case.
    public var id: String
    /// The rule in one line.
    public var summary: String
    /// The result of the check.
    public var outcome: Outcome
    /// The number of findings that were omitted because there are too many, or because they repeat another.
    public var omitted = 0

    /// The findings; empty unless the check failed.
    public var findings: [ComplianceFinding] {
      if case .failed(let findings) = outcome { findings } else { [] }
    }
  }

  /// The id of the provider.
  public var provider: String
  /// All checks, in the order in which they ran.
  public var checks: [Check]
  /// What was not checked, and how to have it checked.
  public var notes: [String]

  /// All findings, in the order of the checks; empty if the provider complies.
  public var failures: [ComplianceFinding] { checks.flatMap(\.findings) }

  /// The ids of the failed checks, in the order of the checks.
  public var failedChecks: [String] { checks.filter { !$0.findings.isEmpty }.map(\.id) }

  /// A table of the checks, with the findings below each failed check, the notes and a summary line.
  public var description: String {
    let width = checks.map(\.id.count).max() ?? 0
    var lines: [String] = []
    for check in checks {
      let id = check.id + String(repeating: " ", count: width - check.id.count)
      switch check.outcome {
      case .passed: lines.append("passed  \(id)  \(check.summary)")
      case .notApplicable(let why): lines.append("n/a     \(id)  \(check.summary) [\(SafeText.line(why))]")
      case .failed(let findings):
        lines.append("FAILED  \(id)  \(check.summary)")
        lines += findings.map { "        " + $0.description }
        if check.omitted > 0 { lines.append("        \(check.id): and \(check.omitted) more") }
      }
    }
    lines += notes.map { "note    " + SafeText.line($0) }
    let failed = failedChecks.count
    let skipped = checks.count { if case .notApplicable = $0.outcome { true } else { false } }
    let passed = checks.count - failed - skipped
    lines.append(
      "\(SafeText.line(provider)): \(passed) passed, \(failed) failed, \(skipped) not applicable")
    return lines.joined(separator: "\n")
  }
}

/// A violation of the contract of `SearchProvider`.
public struct ComplianceFinding: Hashable, Sendable, CustomStringConvertible {
  /// The id of the check that found it, in kebab-case, for example `page-size`.
  public var check: String
  /// What was checked: the search, its page and the item, for example
  /// `repo "parser" page 2 item 3 (example.org/a/b)`.
  public var subject: String
  /// The expectation, as the end of "expected …".
  public var expected: String
  /// The actual result, as a clause.
  public var found: String

  /// The finding as one line that is safe for a terminal.
  public var description: String {
    SafeText.line("\(check): \(subject): expected \(expected), but \(found)")
  }
}
