public import ForageCore

extension InMemoryProvider {
  /// Creates a provider that supports all that its items allow: every common qualifier and sort whose field
  /// an item has, exactly. Its feed has all items.
  ///
  /// - Parameters:
  ///   - id: The id of the provider.
  ///   - items: All items, best first.
  ///   - pageSize: The largest page.
  ///   - hosts: The hosts whose entities it knows first-hand; if there are any, it also has details.
  public init(id: String, items: [SearchResult], pageSize: Int = 100, hosts: [String] = []) {
    var kinds: [ResultKind: Abilities] = [:]
    for kind in Set(items.map(\.kind)) {
      kinds[kind] = Self.abilities(for: items.filter { $0.kind == kind }, pageSize: pageSize)
    }
    self.init(
      items, info: ProviderInfo(id: id, hosts: hosts), kinds: kinds,
      detailedKinds: hosts.isEmpty ? [] : Set(kinds.keys))
  }

  /// The abilities of a provider that evaluates all fields of some items of one kind exactly.
  private static func abilities(for items: [SearchResult], pageSize: Int) -> Abilities {
    let fields = Set(items.flatMap(\.fields.keys))
    let common = QualifierVocabulary.common
    let readable = common.names.filter { name in
      // `repo:` reads the owner and the name.
      name == "repo"
        ? fields.isSuperset(of: [.owner, .name, .fullName])
        : common[name]?.field.map(fields.contains) ?? false
    }
    let sortable = fields.filter { field in
      items.contains { item in
        switch item[field] {
        case .number, .date, .text: true
        default: false
        }
      }
    }
    let sorts = sortable.map(\.rawValue).sorted()
    return Abilities(
      fields: fields, qualifiers: Dictionary(uniqueKeysWithValues: (readable + ["in"]).map { ($0, .exact) }),
      sorts: sorts, booleans: true, needsText: false, maximumPageSize: pageSize,
      feed: Abilities.Feed(sorts: sorts))
  }
}
