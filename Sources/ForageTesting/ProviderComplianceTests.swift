public import ForageCore

/// Checks that a provider keeps the contract of `SearchProvider`.
///
/// It returns its findings and works with any test framework, or none.
///
///     let report = await ProviderComplianceTests(provider: provider, samples: .init(words: ["parser"])).run()
///     #expect(report.failures.isEmpty, "\(report)")
///
/// A provider that hangs does not block the run: its call is abandoned after the deadline, and after the
/// second such call no more are made.
public struct ProviderComplianceTests: Sendable {
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
    for check in ComplianceCheck.all { checks.append(await check.outcome(&trial)) }
    return ComplianceReport(
      provider: trial.info.id, checks: checks, notes: trial.uncheckedQualifiers + trial.uncheckedEnds)
  }
}

extension ProviderComplianceTests {
  /// Words and qualifiers whose results the author of a provider knows, for the checks.
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

    /// Creates samples.
    public init(
      words: [String], qualifiers: [String] = [], kinds: [ResultKind]? = nil,
      deadline: Duration = .seconds(10), grace: Duration = .seconds(1)
    ) {
      self.words = words
      self.qualifiers = qualifiers
      self.kinds = kinds
      self.deadline = deadline
      self.grace = grace
    }
  }
}
