import ForageCore

/// The input of the checks: the provider, the samples, and the lists that were read.
struct Trial: Sendable {
  let provider: any SearchProvider
  /// What the provider says of itself at the beginning.
  let declaration: Declaration
  let samples: ProviderComplianceTests.Samples
  let make: (@Sendable () async throws -> any SearchProvider)?
  let vocabulary: QualifierVocabulary
  let probe = Probe()
  let qualifiers: [Qualifier]
  let sampleFaults: [Observation]
  var walks: [Walk] = []

  init(
    provider: any SearchProvider, samples: ProviderComplianceTests.Samples,
    make: (@Sendable () async throws -> any SearchProvider)?
  ) {
    self.provider = provider
    self.samples = samples
    self.make = make
    declaration = Declaration(provider)
    vocabulary = QualifierVocabulary.common.adding(declaration.info.vocabulary)
    (qualifiers, sampleFaults) = Self.read(samples, vocabulary: vocabulary)
  }

  /// What the provider can do for each kind.
  var abilities: [ResultKind: Abilities] { declaration.kinds }

  /// The kinds to check, in a fixed order.
  var kinds: [ResultKind] {
    (samples.kinds ?? Array(abilities.keys)).sorted { $0.rawValue < $1.rawValue }
  }

  var wordWalks: [Walk] { walks.filter { if case .word = $0.purpose { true } else { false } } }

  /// All items that were read, with their positions.
  var sightings: [Walk.Sighting] { walks.flatMap(\.sightings) }

  var patience: Duration { samples.deadline + samples.grace }

  /// Requests one page.
  ///
  /// - Parameters:
  ///   - subject: The call, for findings.
  ///   - request: The request; its deadline is set here.
  ///   - isFeed: Whether to request the feed.
  ///   - purpose: The purpose of the call.
  ///   - cancellation: When the call is cancelled.
  ///   - other: Another instance of the provider to call.
  func ask(
    _ subject: String, _ request: SearchRequest, isFeed: Bool = false, purpose: Probe.Purpose = .ordinary,
    cancellation: Cancellation = .never, other: (any SearchProvider)? = nil
  ) async -> (result: BoundedResult<SearchPage>, requests: Int) {
    var request = request
    request.deadline = .now + samples.deadline
    let (asked, requests) = (other ?? provider, RequestCounter())
    let limit = purpose == .abandoned ? samples.grace : patience
    let result = await probe.call(subject, purpose: purpose, limit: limit, cancellation: cancellation) {
      [request] in
      try await requests.counting {
        isFeed ? try await asked.page(ofFeed: request) : try await asked.search(request)
      }
    }
    // A page that breaks off counts as a failure.
    if case .value(let page) = result, let failure = page.failure {
      return (.failed(failure), requests.count)
    }
    return (result, requests.count)
  }

  private static func read(_ samples: ProviderComplianceTests.Samples, vocabulary: QualifierVocabulary)
    -> ([Qualifier], [Observation])
  {
    var qualifiers: [Qualifier] = []
    var faults: [Observation] = []
    if samples.words.isEmpty || samples.words.contains(where: { $0.trimmingWhitespace().isEmpty }) {
      faults.append(Observation("the samples", "at least one word, none empty", "there are \(samples.words)"))
    }
    if samples.deadline <= .zero {
      faults.append(Observation("the samples", "some time for a call", "there is none"))
    }
    for text in samples.qualifiers {
      do throws(QueryError) {
        guard case .qualifier(let qualifier) = try QueryParser(vocabulary: vocabulary).parse(text).root else {
          faults.append(Observation("the sample \(text)", "one qualifier such as stars:>10", "it is none"))
          continue
        }
        qualifiers.append(qualifier)
      } catch {
        faults.append(Observation("the sample \(text)", "one qualifier such as stars:>10", error.message))
      }
    }
    return (qualifiers, faults)
  }
}
