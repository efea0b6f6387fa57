import ForageCore
import ForageHTTP

/// Requests the parts of an entity that have requests of their own, all at once; a failure affects only its
/// own part.
struct PartsReader: Sendable {
  let client: ManifestClient
  let parts: [ManifestPart]
  /// The values of placeholders.
  let values: [String: String]
  private let deadline: ContinuousClock.Instant

  init(
    _ parts: [ManifestPart], _ values: [String: String], _ client: ManifestClient,
    deadline: ContinuousClock.Instant
  ) {
    (self.parts, self.values, self.client) = (parts, values, client)
    self.deadline = MissingPart.deadline(of: deadline)
  }

  /// Requests an entity and its parts at once.
  ///
  /// - Parameter entity: Requests the entity; `nil` if it does not exist.
  func completing(_ entity: @Sendable () async throws -> EntityDetails?) async throws -> EntityDetails? {
    try await EntityDetails.requested(entity, with: parts.map { part in { await answer(part) } })
  }

  private func answer(_ part: ManifestPart) async -> PartResult {
    do {
      let (value, cache) = try await value(of: part)
      return PartResult(part.field, value, cache: cache)
    } catch let error as SearchError {
      // An entity without this part.
      return PartResult(part.field, error: error.code == .notFound ? nil : error)
    } catch {
      return PartResult(part.field, error: SearchError(.other, "\(error)"))
    }
  }

  /// The value of a part; of several files that of the first that is there.
  ///
  /// - Throws: `SearchError`, with code `notFound` where there is none.
  func value(of part: ManifestPart) async throws -> (FieldValue?, CacheUse) {
    guard let file = part.files.first else { return try await read(part, values) }
    do {
      return try await read(part, values.merging(["file": file]) { $1 })
    } catch let error as SearchError where error.code == .notFound && part.files.count > 1 {
      var rest = part
      rest.files.removeFirst()
      return try await value(of: rest)
    }
  }

  private func read(_ part: ManifestPart, _ values: [String: String]) async throws -> (FieldValue?, CacheUse)
  {
    let (tree, response) = try await client.get(
      try client.address(part.request, values), part.request, body: [], needsToken: false, deadline: deadline)
    guard let value = self.value(of: part, in: tree) else {
      response.discardStored?()
      throw client.errors.unreadable(response)
    }
    return (value.isEmpty ? nil : value, response.cache)
  }

  /// The value of a part in a response, an empty one where the entity has none; `nil` if the response is
  /// another document.
  private func value(of part: ManifestPart, in tree: JSONTree) -> FieldValue? {
    switch part.content {
    case .languages(let areBytes):
      return RepositoryFacts.languages(tree, areBytes: areBytes).map { .items($0) }
    case .file(let path):
      guard let bytes = path.value(in: tree)?.string.flatMap(RepositoryFacts.bytes) else { return nil }
      let text = RepositoryFacts.text(bytes) ?? ""
      return .text(text.allSatisfy(\.isWhitespace) ? "" : text)
    case .record(let members): return tree.isObject ? .record(members.record(in: tree)) : nil
    case .records(let items, let members, let unless, let isNewestFirst):
      guard items.outermostList(in: tree)?.array != nil else { return nil }
      let records = items.values(in: tree).filter { unless?.value(in: $0)?.bool != true }.map {
        FieldValue.record(members.record(in: $0))
      }
      return .items(isNewestFirst ? records.reversed() : records)
    }
  }
}

extension [ManifestPart.Member] {
  /// The values of the members in a row.
  func record(in tree: JSONTree) -> [String: FieldValue] {
    reduce(into: [:]) { record, member in
      guard let found = member.rule.value(in: tree, base: "") else { return }
      record[member.name] = member.type.value(
        found, of: ResultField(rawValue: member.name), date: Instant.iso)
    }
  }
}

extension FieldValue {
  /// Whether it is a text, a list or a record of nothing.
  fileprivate var isEmpty: Bool {
    switch self {
    case .text(let text): text.isEmpty
    case .items(let values): values.isEmpty
    case .record(let members): members.isEmpty
    default: false
    }
  }
}
