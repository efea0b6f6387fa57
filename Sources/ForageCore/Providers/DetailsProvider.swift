import ForagePlatform

/// A provider that knows more of an entity than a list shows.
public protocol DetailsProvider: SearchProvider {
  /// The kinds of entities that it has details of, some of `kinds`; by default all of them.
  var detailedKinds: Set<ResultKind> { get }

  /// Returns everything that is known about an entity of one of the provider's hosts, which may take several
  /// requests.
  ///
  /// The answer lists the parts that are missing.
  ///
  /// - Parameters:
  ///   - id: The entity.
  ///   - deadline: When the call times out.
  /// - Returns: The entity; `nil` if it does not exist.
  /// - Throws: `SearchError` if nothing is known.
  func details(of id: EntityReference, deadline: ContinuousClock.Instant) async throws -> EntityDetails?

  /// The same of a result that is on no forge, by default `nil`.
  ///
  /// - Parameters:
  ///   - id: The id of the result, as lists have it: `rubygems:faraday`.
  ///   - kind: One of the detailed kinds.
  ///   - deadline: When the call times out.
  /// - Returns: The result; `nil` if it does not exist.
  /// - Throws: `SearchError` if nothing is known.
  func details(ofResult id: String, kind: ResultKind, deadline: ContinuousClock.Instant) async throws
    -> EntityDetails?
}

extension DetailsProvider {
  /// The details of a result that is on no forge: none.
  public func details(ofResult id: String, kind: ResultKind, deadline: ContinuousClock.Instant) async throws
    -> EntityDetails?
  { nil }

  /// All kinds that the provider searches.
  public var detailedKinds: Set<ResultKind> { Set(kinds.keys) }
}

/// Everything that a provider knows about an entity.
public struct EntityDetails: Sendable {
  /// The entity.
  public var item: SearchResult
  /// The missing parts, in the order of the fields.
  public var missing: [MissingPart]
  /// How the cache contributed.
  public var cache: CacheUse

  /// Creates details.
  public init(item: SearchResult, missing: [MissingPart] = [], cache: CacheUse = .none) {
    self.item = item
    self.missing = missing
    self.cache = cache
  }
}

/// A part of an entity that could not be delivered.
public struct MissingPart: Hashable, Sendable {
  /// The field that is missing.
  public var field: ResultField
  /// The cause.
  public var error: SearchError

  /// Creates a missing part.
  public init(_ field: ResultField, _ error: SearchError) {
    self.field = field
    self.error = error
  }

  /// Whether the cause is a failure, rather than that the provider does not have this part (`unavailable`).
  package var isFailure: Bool { error.code != .unavailable }
}

extension MissingPart {
  /// The time between the end of the parts and the deadline.
  private static let margin = Duration.milliseconds(200)

  /// The deadline of the parts of an entity, before its own by 200 ms, at most by a fifth of what is left: a
  /// late part does not take the entity with it.
  package static func deadline(of entity: ContinuousClock.Instant) -> ContinuousClock.Instant {
    entity - min(margin, max(.zero, entity - .now) / 5)
  }
}

/// The result of the request for a part of an entity that has a request of its own.
package struct PartResult: Sendable {
  package var field: ResultField
  /// `nil` where the entity does not have it.
  package var value: FieldValue?
  /// Why it is missing; `nil` where it is not.
  package var error: SearchError?
  package var cache: CacheUse

  package init(
    _ field: ResultField, _ value: FieldValue? = nil, error: SearchError? = nil, cache: CacheUse = .none
  ) {
    (self.field, self.value, self.error, self.cache) = (field, value, error, cache)
  }
}

extension EntityDetails {
  /// Requests an entity and its parts at once. If it does not exist or cannot be read, the other requests are
  /// cancelled.
  ///
  /// - Parameters:
  ///   - entity: Requests the entity; `nil` if it does not exist.
  ///   - parts: Requests for the parts, in the order of the fields.
  package static func requested(
    _ entity: @Sendable () async throws -> EntityDetails?, with parts: [@Sendable () async -> PartResult]
  ) async throws -> EntityDetails? {
    async let answers = concurrently(parts) { part in await part() }
    guard var details = try await entity() else { return nil }
    for part in await answers {
      if let value = part.value { details.item[part.field] = value }
      if let error = part.error { details.missing.append(MissingPart(part.field, error)) }
      details.cache.add(part.cache)
    }
    return details
  }
}

/// The merged details of an entity.
public struct FederatedDetails: Sendable {
  /// The entity; `nil` if no provider knows it.
  public var item: SearchResult?
  /// The outcome for each provider that was asked.
  public var outcomes: [ProviderOutcome]
  /// The parts that the provider of the item could not deliver, with its id.
  public var missing: [(provider: String, part: MissingPart)]

  package init(
    item: SearchResult? = nil, outcomes: [ProviderOutcome] = [],
    missing: [(provider: String, part: MissingPart)] = []
  ) {
    self.item = item
    self.outcomes = outcomes
    self.missing = missing
  }
}

extension ProviderRegistry {
  /// Requests everything about an entity from all providers that are authoritative for its host.
  ///
  /// - Parameters:
  ///   - reference: The entity.
  ///   - timeout: The time limit.
  /// - Returns: The details of the first provider that knows the entity, and the outcome of each, by the
  ///   deadline. A provider with a missing part is `partial`, unless it never provides that part.
  public func details(of reference: EntityReference, timeout: Duration) async -> FederatedDetails {
    let start = ContinuousClock.now
    let asked = entries.filter { $0.hasDetails(of: reference) }
    let answers = await concurrently(asked) { entry in
      await Self.ask(entry, reference.kind, owner: reference.owner, start: start, within: timeout) {
        try await $0?.details(of: reference, deadline: $1)
      }
    }
    let first = answers.first { $0.1 != nil }
    return FederatedDetails(
      item: first?.1?.item, outcomes: answers.map(\.0),
      missing: first.map { answer in answer.1?.missing.map { (answer.0.id, $0) } ?? [] } ?? [])
  }

  /// Whether the provider of a result that is on no forge has details of it.
  package func hasDetails(ofListed result: SearchResult) -> Bool { entry(detailing: result) != nil }

  /// Requests everything about a result that is on no forge from its provider.
  ///
  /// - Parameters:
  ///   - result: The result as it was listed.
  ///   - timeout: The time limit.
  /// - Returns: As ``details(of:timeout:)``; no outcome where there are no details.
  package func details(ofListed result: SearchResult, timeout: Duration) async -> FederatedDetails {
    guard let entry = entry(detailing: result) else { return FederatedDetails() }
    let (outcome, found) = await Self.ask(entry, result.kind, owner: nil, start: .now, within: timeout) {
      try await $0?.details(ofResult: result.id, kind: result.kind, deadline: $1)
    }
    let missing = found?.missing.map { (outcome.id, $0) } ?? []
    return FederatedDetails(item: found?.item, outcomes: [outcome], missing: missing)
  }

  private func entry(detailing result: SearchResult) -> Entry? {
    let entry = self[String(result.id.prefix { $0 != ":" })]
    let provider = entry?.provider as? any DetailsProvider
    return provider?.detailedKinds.contains(result.kind) == true ? entry : nil
  }

  private static func ask(
    _ entry: Entry, _ kind: ResultKind, owner: String?, start: ContinuousClock.Instant,
    within timeout: Duration,
    _ call:
      @escaping @Sendable ((any DetailsProvider)?, ContinuousClock.Instant) async throws -> EntityDetails?
  ) async -> (ProviderOutcome, EntityDetails?) {
    let (provider, requests) = (entry.provider as? any DetailsProvider, RequestCounter())
    let deadline = start + min(timeout, entry.timeout ?? timeout)
    var outcome = ProviderOutcome(id: entry.info.id, name: entry.info.name, kind: kind)
    var details: EntityDetails?
    do {
      let answer = try await Deadline.run(until: deadline) {
        try await requests.counting {
          try await RequestOwner.$current.withValue(owner) {
            try await call(provider, deadline)
          }
        }
      }
      guard let answer else {
        throw SearchError(.timeout, "\(outcome.name) did not answer in time")
      }
      details = answer
      details?.item.definitions = entry.info.fields
      outcome.returned = answer == nil ? 0 : 1
      outcome.cache = answer?.cache ?? .none
      outcome.notes = Note.stale(outcome.cache, of: outcome.name).map { [$0] } ?? []
      if let failed = answer?.missing.first(where: \.isFailure) {
        (outcome.state, outcome.error) = (.partial, failed.error)
      }
    } catch {
      let error = SearchError(error, of: outcome.name)
      (outcome.state, outcome.error) = (error.state, error)
    }
    outcome.requests = requests.count
    outcome.elapsed = ContinuousClock.now - start
    return (outcome, details)
  }
}

extension ProviderRegistry.Entry {
  /// Whether the provider can be asked for details of an entity.
  fileprivate func hasDetails(of reference: EntityReference) -> Bool {
    guard let provider = provider as? any DetailsProvider else { return false }
    return info.hosts.contains(reference.host) && provider.detailedKinds.contains(reference.kind)
  }
}
