public import ForageCore

/// Checks that a provider keeps the contract of `SearchProvider`.
///
/// It works with any test framework, or none: it returns what it found.
///
///     let report = await ProviderComplianceTests(provider: provider, samples: .init(words: ["parser"])).run()
///     #expect(report.failures.isEmpty, "\(report)")
///
/// A provider that hangs does not hang the run: it is left behind after its deadline, and after the second time nothing more is asked of it.
public struct ProviderComplianceTests: Sendable {
  /// How many findings of one check are kept: a fault that every item has is understood from the first few.
  static let findingLimit = 10
  /// After how many calls that never ended nothing more is asked: each costs the whole deadline.
  static let hangLimit = 2

  private let provider: any SearchProvider
  private let samples: Samples
  private let make: (@Sendable () async throws -> any SearchProvider)?

  /// Creates a run.
  ///
  /// - Parameters:
  ///   - provider: The provider to look at.
  ///   - samples: What is known about what it holds.
  ///   - make: Makes the same provider anew, as the next start of the program would; without it no check looks at that.
  public init(
    provider: any SearchProvider, samples: Samples,
    make: (@Sendable () async throws -> any SearchProvider)? = nil
  ) {
    self.provider = provider
    self.samples = samples
    self.make = make
  }

  /// The ids of all checks with what each asks for, in the order of a report.
  public static var checks: [(id: String, summary: String)] {
    ComplianceCheck.all.map { ($0.id, $0.summary) }
  }

  /// Makes every check.
  ///
  /// - Returns: How each came out. When the calling task is cancelled, the checks that are left are not applicable.
  public func run() async -> ComplianceReport {
    let descriptor = provider.descriptor
    var trial = Trial(
      provider: provider, original: descriptor, declared: await declared(descriptor), samples: samples,
      make: make)
    await trial.gather()
    var checks: [ComplianceReport.Check] = []
    for check in ComplianceCheck.all {
      checks.append(await Self.outcome(of: check, trial))
    }
    return ComplianceReport(provider: trial.descriptor.id, checks: checks)
  }

  /// What the provider can do; where asking it leads nowhere, what its descriptor tells: the calls of the checks then say what is wrong.
  private func declared(_ descriptor: ProviderDescriptor) async -> ProviderDescriptor {
    guard descriptor.isProvisional else { return descriptor }
    let answer = await Bounded.run(samples.deadline + samples.grace) { [provider, samples] in
      try await provider.declaration(deadline: .now + samples.deadline)
    }
    if case .value(let declared) = answer { return declared }
    return descriptor
  }

  private static func outcome(of check: ComplianceCheck, _ trial: Trial) async -> ComplianceReport.Check {
    var result = ComplianceReport.Check(id: check.id, summary: check.summary, outcome: .passed)
    if Task.isCancelled {
      result.outcome = .notApplicable("the run was cancelled")
    } else if check.asks, trial.probe.hangs >= hangLimit {
      result.outcome = .notApplicable("the provider hangs, see deadline")
    } else {
      switch await check.evaluate(trial) {
      case .notApplicable(let why): result.outcome = .notApplicable(why)
      case .evaluated(let observations):
        let findings = observations.prefix(findingLimit).map { $0.finding(check: check.id) }
        if !findings.isEmpty { result.outcome = .failed(findings) }
        result.omitted = observations.count - findings.count
      }
    }
    return result
  }
}
