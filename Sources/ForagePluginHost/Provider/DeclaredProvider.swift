import ForageCore
import ForagePluginProtocol

/// A provider as its plugin has declared it, and what its answers come to.
struct DeclaredProvider {
  /// Bytes of an id and of a title: what stands in a line of a list.
  private static let textLimit = 4 << 10
  /// Bytes of an address: more than any browser sends.
  private static let addressLimit = 8 << 10

  /// The whole descriptor.
  let descriptor: ProviderDescriptor
  private let declaration: ProviderDeclaration

  /// Takes over what may not change from the provisional descriptor: id, name, group, weight, hosts and
  /// timeout.
  init(_ declaration: ProviderDeclaration, provisional: ProviderDescriptor) {
    self.declaration = declaration
    var descriptor = ProviderDescriptor(
      declaration, hosts: provisional.hosts, weight: provisional.weight, timeout: provisional.timeout)
    descriptor.name = provisional.name
    descriptor.group = provisional.group
    self.descriptor = descriptor
  }

  /// What the provider can do for a kind.
  func abilities(for kind: ResultKind) throws(SearchError) -> ProviderDescriptor.KindAbilities {
    guard let abilities = descriptor.kinds[kind] else {
      throw SearchError(
        .unsupportedQuery, "\(descriptor.name) has no results of kind \(kind.rawValue)",
        hint: "it has: " + descriptor.kinds.keys.map(\.rawValue).sorted().joined(separator: ", "))
    }
    return abilities
  }

  /// The sort keys that it has declared, its own order among them.
  func sorts(for kind: ResultKind) -> [String] {
    declaration.abilities.replaced(by: declaration.byKind?[kind.rawValue]).sorts ?? []
  }

  /// The page that an answer comes to.
  ///
  /// - Throws: Why there is none: the plugin failed before it delivered anything.
  func page(_ answer: PluginAnswer, kind: ResultKind, query: EncodedQuery) throws(SearchError) -> SearchPage {
    let reader = ItemReader(descriptor)
    var (results, unreadable) = ([SearchResult](), answer.unreadable)
    results.reserveCapacity(answer.items.count)
    for item in answer.items {
      if let result = result(item, kind, reader) { results.append(result) } else { unreadable += 1 }
    }
    if let result = answer.result {
      return SearchPage(result, items: results, unreadable: unreadable, query: query)
    }
    let failure = answer.failure ?? PluginFault.broken(descriptor.name, "sent no answer")
    guard !results.isEmpty, failure.code != .cancelled else { throw failure }
    return SearchPage(items: results, isIncomplete: true, unreadable: unreadable, failure: failure)
  }

  /// The entity that an answer tells of, `nil` for none.
  ///
  /// - Throws: Why nothing is known.
  func details(_ answer: PluginAnswer, of id: EntityReference) throws(SearchError) -> FullDetails? {
    if let failure = answer.failure {
      if failure.code == .notFound { return nil }
      throw failure
    }
    guard let item = answer.items.first else {
      if answer.unreadable > 0 {
        throw PluginFault.broken(descriptor.name, "sent an item that cannot be read")
      }
      return nil
    }
    guard let result = result(item, id.kind, ItemReader(descriptor)) else {
      throw PluginFault.broken(descriptor.name, "sent an item that cannot be read")
    }
    let page = SearchPage(
      answer.result ?? SearchAnswer(count: 1), items: [], unreadable: 0, query: EncodedQuery(nil))
    let missing = (answer.result?.missing ?? []).prefix(Self.missingLimit).map { part in
      MissingPart(ResultField(rawValue: part.field), SearchError(part.error, from: descriptor.name))
    }
    return FullDetails(item: result, missing: Array(missing), cacheAge: page.cacheAge, isStale: page.isStale)
  }

  /// Parts of an entity that can be missing: it has no more fields.
  private static let missingLimit = 100

  private func result(_ item: Item, _ kind: ResultKind, _ reader: ItemReader) -> SearchResult? {
    guard item.kind == kind.rawValue, item.id.utf8.count <= Self.textLimit,
      item.title.utf8.count <= Self.textLimit, (item.url?.utf8.count ?? 0) <= Self.addressLimit
    else { return nil }
    return reader.result(item)
  }
}
