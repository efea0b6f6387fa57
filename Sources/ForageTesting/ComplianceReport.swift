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
    /// The most findings of a check that are reported; the first few explain a fault that every item has.
    private static let findingLimit = 10

    /// The id of the check in kebab-case.
    public var id: String
    /// The rule in one line.
    public var summary: String
    /// The result of the check.
    public var outcome: Outcome
    /// The number of findings that were omitted because there are too many, or because they repeat another.
    public var omitted = 0

    /// Creates a check that passed if there are no findings; the same problem of many items is one finding.
    package init(_ id: String, _ summary: String, findings: [ComplianceFinding] = []) {
      self.id = id
      self.summary = summary
      var problems: Set<String> = []
      let different = findings.filter { problems.insert($0.problem).inserted }
      let kept = different.prefix(Self.findingLimit).map {
        ComplianceFinding(check: id, subject: $0.subject, problem: $0.problem)
      }
      outcome = kept.isEmpty ? .passed : .failed(kept)
      omitted = findings.count - kept.count
    }

    /// Creates a check that could not be evaluated.
    package init(_ id: String, _ summary: String, notApplicable why: String) {
      self.id = id
      self.summary = summary
      outcome = .notApplicable(why)
    }

    /// The findings; empty unless the check failed.
    public var findings: [ComplianceFinding] {
      if case .failed(let findings) = outcome { findings } else { [] }
    }
  }

  /// The id of the provider.
  public var provider: String
  /// All checks, in the order in which they ran.
  public var checks: [Check]
  /// Notes on what was not checked, and how to have it checked.
  public var notes: [String]

  /// Creates a report of checks that were made elsewhere.
  package init(provider: String, checks: [Check], notes: [String] = []) {
    self.provider = provider
    self.checks = checks
    self.notes = notes
  }

  /// All findings, in the order of the checks; empty if the provider complies.
  public var failures: [ComplianceFinding] { checks.flatMap(\.findings) }

  /// The ids of the failed checks, in the order of the checks.
  public var failedChecks: [String] { checks.filter { !$0.findings.isEmpty }.map(\.id) }

  /// A table of the checks, with the findings below each failed check, the notes and a summary line.
  public var description: String { (lines(checks) + noteLines + [summary]).joined(separator: "\n") }

  /// A summary line with the checks that could not be evaluated, the failed checks with their findings, and
  /// the notes.
  package var failureText: String {
    let skipped = checks.filter { if case .notApplicable = $0.outcome { true } else { false } }.map(\.id)
    let first = summary + (skipped.isEmpty ? "" : ": " + skipped.joined(separator: ", "))
    return ([first] + lines(checks.filter { !$0.findings.isEmpty }) + noteLines).joined(separator: "\n")
  }

  private var noteLines: [String] { notes.map { "note    " + SafeText.line($0) } }

  private func lines(_ checks: [Check]) -> [String] {
    let width = checks.map(\.id.count).max() ?? 0
    return checks.flatMap { check -> [String] in
      let rule = check.id + String(repeating: " ", count: width - check.id.count) + "  " + check.summary
      switch check.outcome {
      case .passed: return ["passed  " + rule]
      case .notApplicable(let why): return ["n/a     \(rule) [\(SafeText.line(why))]"]
      case .failed(let findings):
        let rest = check.omitted > 0 ? ["        and \(check.omitted) more"] : []
        return ["FAILED  " + rule] + findings.map { "        " + $0.text } + rest
      }
    }
  }

  /// How many checks passed, for example `acme: 9 checks passed, 1 failed, 2 not applicable`.
  private var summary: String {
    let failed = failedChecks.count
    let passed = checks.count { $0.outcome == .passed }
    let skipped = checks.count - passed - failed
    return SafeText.line(provider) + ": \(passed) check\(passed == 1 ? "" : "s") passed"
      + (failed > 0 ? ", \(failed) failed" : "") + (skipped > 0 ? ", \(skipped) not applicable" : "")
  }
}

/// A violation of the contract of `SearchProvider`.
public struct ComplianceFinding: Hashable, Sendable, CustomStringConvertible {
  /// The id of the check that found it, in kebab-case, for example `filters`.
  public var check: String
  /// The place of the violation: the search, its page and the item, for example
  /// `repo "parser" page 2 item 3 (example.org/a/b)`.
  public var subject: String
  /// A clause that says what is wrong.
  public var problem: String

  /// The finding as one line that is safe for a terminal.
  public var description: String { SafeText.line(check) + ": " + text }

  /// The finding without its check.
  var text: String { SafeText.line("\(subject): \(problem)") }
}

extension ComplianceFinding {
  /// Creates a finding; the report adds the check.
  package init(_ subject: String, _ problem: String) {
    self.init(check: "", subject: subject, problem: problem)
  }
}
