public import ForageCore

/// Checks that a provider keeps the contract of `SearchProvider`.
///
/// It returns its findings and works with any test framework, or none.
///
/// let report = await ProviderComplianceTests(provider: provider, samples: .init(words: ["parser"])).run()
/// #expect(report.failures.isEmpty, "\(report)")
///
/// A provider that hangs does not block the run: its call is abandoned after the deadline, and after the
/// second such call no more are made.
public struct ProviderComplianceTests: Sendable {
  /// The most findings of a check that are reported; the first few explain a fault that every item has.
  static let findingLimit = 10
  /// The page size for reading a list; small, so that there are several pages.
  static let pageSize = 5
  /// The most pages of a list that are read, to limit the load on a live server.
  static let maximumPages = 20
  /// The number of hanging calls after which no more are made, because each costs the whole deadline.
  static let hangLimit = 2

  private let provider: any SearchProvider
  private let samples: Samples
  private let make: (@Sendable () async throws -> any SearchProvider)?

  /// Creates a run.
  ///
  /// - Parameters:
  ///   - provider: The provider to check.
  ///   - samples: What is known about its contents.
  ///   - make: Creates a new instance of the same provider, as the next start of the program does; without it
  ///     no check covers that.
  public init(
    provider: any SearchProvider, samples: Samples,
    make: (@Sendable () async throws -> any SearchProvider)? = nil
  ) {
    self.provider = provider
    self.samples = samples
    self.make = make
  }

  /// The ids of all checks and their rules, in the order of a report.
  public static var checks: [(id: String, summary: String)] {
    ComplianceCheck.all.map { ($0.id, $0.summary) }
  }

  /// Runs all checks.
  ///
  /// - Returns: The outcome of each check. When the calling task is cancelled, the remaining checks are not
  ///   applicable.
  public func run() async -> ComplianceReport {
    var trial = Trial(provider: provider, samples: samples, make: make)
    await trial.gather()
    var checks: [ComplianceReport.Check] = []
    for check in ComplianceCheck.all {
      checks.append(await Self.outcome(of: check, trial))
    }
    return ComplianceReport(
      provider: trial.declaration.info.id, checks: checks,
      notes: trial.uncheckedQualifiers + trial.uncheckedEnds)
  }

  private static func outcome(of check: ComplianceCheck, _ trial: Trial) async -> ComplianceReport.Check {
    var result = ComplianceReport.Check(id: check.id, summary: check.summary, outcome: .passed)
    if Task.isCancelled {
      result.outcome = .notApplicable("the run was cancelled")
    } else if check.callsProvider, trial.probe.hangs >= hangLimit {
      result.outcome = .notApplicable("the provider hangs, see deadline")
    } else {
      switch await check.evaluate(trial) {
      case .notApplicable(let why): result.outcome = .notApplicable(why)
      case .evaluated(let observations):
        // The same fault of many items is one finding.
        var faults: Set<[String]> = []
        let different = observations.filter { faults.insert([$0.expected, $0.found]).inserted }
        var findings = Array(different.prefix(findingLimit))
        for index in findings.indices { findings[index].check = check.id }
        if !findings.isEmpty { result.outcome = .failed(findings) }
        result.omitted = observations.count - findings.count
      }
    }
    return result
  }
}

extension ProviderComplianceTests {
  /// What the author of a provider knows about its contents, for the checks.
  public struct Samples: Sendable {
    /// Words with results, the best one first: one with many results, but few enough to be read to the end, a
    /// hundred.
    public var words: [String]
    /// Qualifiers in the query language, such as `language:swift`, that hold for some results of the first
    /// word and not for others.
    public var qualifiers: [String]
    /// The kinds to check; `nil` for all that the provider offers.
    public var kinds: [ResultKind]?
    /// The time limit of one call.
    public var deadline: Duration
    /// The time that a call may run after its deadline or cancellation.
    public var grace: Duration
    /// Whether every first page needs requests, which are counted; `false` for one that needs no
    /// network or has a cache.
    public var sendsRequests: Bool

    /// Creates samples.
    public init(
      words: [String], qualifiers: [String] = [], kinds: [ResultKind]? = nil,
      deadline: Duration = .seconds(10), grace: Duration = .seconds(1), sendsRequests: Bool = false
    ) {
      self.words = words
      self.qualifiers = qualifiers
      self.kinds = kinds
      self.deadline = deadline
      self.grace = grace
      self.sendsRequests = sendsRequests
    }
  }
}
