import ForageCore

/// One run: the provider, what is known about it, and the lists that were read from it.
struct Trial: Sendable {
  /// The number of calls without an end after which no more are made, because each costs the whole deadline.
  private static let hangLimit = 2

  let provider: any SearchProvider
  let samples: ProviderComplianceTests.Samples
  let make: (@Sendable () async throws -> any SearchProvider)?
  let info: ProviderInfo
  /// What the provider declares for each kind.
  let abilities: [ResultKind: Abilities]
  let detailedKinds: Set<ResultKind>
  let vocabulary: QualifierVocabulary
  let qualifiers: [Qualifier]
  let sampleFaults: [ComplianceFinding]
  var walks: [Walk] = []
  private var hangs = 0
  /// The error of the first call that a limit of the service refused; no more are made.
  private(set) var limit: SearchError?

  init(
    provider: any SearchProvider, samples: ProviderComplianceTests.Samples,
    make: (@Sendable () async throws -> any SearchProvider)?
  ) {
    self.provider = provider
    self.samples = samples
    self.make = make
    info = provider.info
    abilities = provider.kinds
    detailedKinds = (provider as? any DetailsProvider)?.detailedKinds ?? []
    vocabulary = QualifierVocabulary.common.adding(info.vocabulary)
    (qualifiers, sampleFaults) = Self.read(samples, vocabulary)
  }

  private static func read(_ samples: ProviderComplianceTests.Samples, _ vocabulary: QualifierVocabulary)
    -> ([Qualifier], [ComplianceFinding])
  {
    var qualifiers: [Qualifier] = []
    var faults: [ComplianceFinding] = []
    if samples.words.isEmpty || samples.words.contains(where: { $0.trimmingWhitespace().isEmpty }) {
      faults.append(ComplianceFinding("the samples", "they have no word, or an empty one"))
    }
    for text in samples.qualifiers {
      do throws(QueryError) {
        if case .qualifier(let qualifier) = try QueryParser(vocabulary: vocabulary).parse(text).root {
          qualifiers.append(qualifier)
        } else {
          faults.append(ComplianceFinding("the sample \(text)", "it is not a qualifier such as stars:>10"))
        }
      } catch {
        faults.append(ComplianceFinding("the sample \(text)", error.message))
      }
    }
    return (qualifiers, faults)
  }

  /// The kinds to check, in a fixed order.
  var kinds: [ResultKind] { (samples.kinds ?? Array(abilities.keys)).sorted { $0.rawValue < $1.rawValue } }

  /// Whether so many calls did not end that no more are made.
  var isHanging: Bool { hangs >= Self.hangLimit }

  /// Requests one page; `nil` if the call does not end.
  ///
  /// - Parameters:
  ///   - request: The request; its deadline is set here.
  ///   - other: Another instance of the provider to call.
  mutating func page(_ request: SearchRequest, isFeed: Bool, of other: (any SearchProvider)? = nil) async
    -> Result<SearchPage, any Error>?
  {
    var request = request
    request.deadline = .now + samples.deadline
    return await call { [request, provider = other ?? provider] in
      let page = isFeed ? try await provider.page(ofFeed: request) : try await provider.search(request)
      // A page that breaks off counts as a failure.
      if let failure = page.failure { throw failure }
      return page
    }
  }

  /// Calls the provider; `nil` if the call does not end.
  mutating func call<Value: Sendable>(_ work: @escaping @Sendable () async throws -> Value) async
    -> Result<Value, any Error>?
  {
    let result = await Self.bounded(by: samples.deadline + samples.grace, work)
    if result == nil { hangs += 1 }
    if case .failure(let error as SearchError)? = result, error.code == .rateLimited {
      limit = limit ?? error
    }
    return result
  }

  /// Runs a call with a time limit; `nil` if it was still running then.
  ///
  /// A late call is cancelled and abandoned: a task that ignores cancellation cannot be ended, and waiting
  /// for it would block the caller.
  static func bounded<Value: Sendable>(
    by limit: Duration, _ work: @escaping @Sendable () async throws -> Value
  ) async
    -> Result<Value, any Error>?
  {
    do {
      return try await Deadline.run(until: .now + limit, work).map { .success($0) }
    } catch {
      return .failure(error)
    }
  }
}
