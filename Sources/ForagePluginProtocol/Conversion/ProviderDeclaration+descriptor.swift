package import ForageCore

extension ProviderDescriptor {
  /// Creates the descriptor for a provider of a plugin.
  ///
  /// The plugin's own qualifiers are added to the vocabulary of its kinds. Qualifiers of the common
  /// vocabulary keep their meaning, because they mean the same for every provider. Numbers outside their
  /// range are clamped.
  ///
  /// - Parameters:
  ///   - declaration: The declaration.
  ///   - hosts: The hosts that the plugin's manifest allows.
  package init(_ declaration: ProviderDeclaration, hosts: [String]? = nil) {
    var kinds: [ResultKind: KindAbilities] = [:]
    var own: [QualifierDefinition] = []
    for kind in declaration.kinds {
      let abilities = declaration.abilities.replaced(by: declaration.byKind?[kind])
      let definitions = abilities.definitions(for: ResultKind(rawValue: kind))
      own += definitions.filter { !own.contains($0) }
      kinds[ResultKind(rawValue: kind)] = KindAbilities(
        abilities, vocabulary: QualifierVocabulary.common.adding(definitions).of(ResultKind(rawValue: kind)))
    }
    self.init(
      id: declaration.id, name: declaration.name, kinds: kinds, hosts: hosts ?? declaration.hosts ?? [],
      hasDetails: declaration.details ?? false, vocabulary: own)
  }
}

extension ProviderDescriptor.KindAbilities {
  fileprivate init(_ declared: AbilityDeclaration, vocabulary: QualifierVocabulary) {
    var qualifiers: [String: ProviderDescriptor.Pushdown] = [:]
    var read: Set<ResultField> = []
    for (name, qualifier) in declared.qualifiers ?? [:] where AbilityDeclaration.isUsable(name) {
      qualifiers[name.lowercased()] = qualifier.push
      if let field = vocabulary[name]?.field { read.insert(field) }
    }
    let page = declared.paging?.maxPage ?? PluginProtocol.Limits.items
    self.init(
      text: declared.text ?? .exact, qualifiers: qualifiers,
      fields: declared.fields.map { Set($0.map(ResultField.init(rawValue:))) }
        ?? read.union(ResultField.order),
      sorts: (declared.sorts ?? []).filter { $0 != AbilityDeclaration.ownOrder },
      booleans: declared.booleans ?? false, needsText: declared.needsText ?? true,
      needsToken: declared.needsToken ?? false,
      maximumPageSize: min(max(1, page), PluginProtocol.Limits.items),
      reachable: declared.paging?.maxTotal.map { max(0, $0) },
      feed: declared.feed == true ? ProviderDescriptor.Feed(sorts: declared.feedSorts ?? []) : nil)
  }
}

extension AbilityDeclaration {
  /// Whether a name can be used for a qualifier: `text` is reserved, and the parser must accept the name.
  fileprivate static func isUsable(_ name: String) -> Bool {
    !name.isEmpty && name.lowercased() != SearchFilter.textField
      && name.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && !#":"'()"#.utf8.contains($0) }
  }

  fileprivate func definitions(for kind: ResultKind) -> [QualifierDefinition] {
    (qualifiers ?? [:]).sorted { $0.key < $1.key }.compactMap { name, qualifier in
      guard Self.isUsable(name), QualifierVocabulary.common[name] == nil else { return nil }
      let name = name.lowercased()
      return QualifierDefinition(
        name, qualifier.valueType, field: ResultField(rawValue: qualifier.field ?? name), kinds: [kind])
    }
  }
}

extension QualifierDeclaration {
  fileprivate var valueType: QualifierType {
    switch type {
    case "number": .number
    case "date": .date
    case "boolean": .boolean
    case "choice": .choice((values ?? []).map { $0.lowercased() })
    default: .text
    }
  }

  /// Creates the declaration of a qualifier. One of the common vocabulary needs only its push mode.
  fileprivate init(_ push: ProviderDescriptor.Pushdown, _ own: QualifierDefinition?) {
    self.init(push)
    guard let own else { return }
    field = own.field?.rawValue
    switch own.type {
    case .text, .words: type = "text"
    case .number: type = "number"
    case .date: type = "date"
    case .boolean: type = "boolean"
    case .choice(let words): (type, values) = ("choice", words)
    }
  }
}

extension ProviderDeclaration {
  /// Creates the declaration for a provider.
  ///
  /// - Parameters:
  ///   - descriptor: The provider.
  ///   - concurrency: The number of requests that it handles concurrently.
  package init(_ descriptor: ProviderDescriptor, concurrency: Int? = nil) {
    let kinds = descriptor.kinds.keys.sorted { $0.rawValue < $1.rawValue }
    let all = kinds.compactMap { kind in
      descriptor.kinds[kind].map { AbilityDeclaration($0, kind: kind, descriptor.vocabulary) }
    }
    let common = all.first ?? AbilityDeclaration()
    var special: [String: AbilityDeclaration] = [:]
    for (kind, abilities) in zip(kinds, all) where abilities != common { special[kind.rawValue] = abilities }
    self.init(
      id: descriptor.id, name: descriptor.name, kinds: kinds.map(\.rawValue), ordered: true,
      concurrency: concurrency, hosts: descriptor.hosts.isEmpty ? nil : descriptor.hosts,
      details: descriptor.hasDetails, abilities: common, byKind: special.isEmpty ? nil : special)
  }
}

extension AbilityDeclaration {
  fileprivate init(
    _ abilities: ProviderDescriptor.KindAbilities, kind: ResultKind, _ vocabulary: [QualifierDefinition]
  ) {
    var qualifiers: [String: QualifierDeclaration] = [:]
    for (name, push) in abilities.qualifiers {
      let own = vocabulary.first { $0.name == name && ($0.kinds.isEmpty || $0.kinds.contains(kind)) }
      qualifiers[name] = QualifierDeclaration(push, own)
    }
    // A qualifier that the plugin does not apply still defines how its results are filtered.
    for own in vocabulary where (own.kinds.isEmpty || own.kinds.contains(kind)) && qualifiers[own.name] == nil
    {
      qualifiers[own.name] = QualifierDeclaration(.unsupported, own)
    }
    self.init(
      text: abilities.text, qualifiers: qualifiers, sorts: [Self.ownOrder] + abilities.sorts,
      paging: PagingDeclaration(
        maxPage: min(abilities.maximumPageSize, PluginProtocol.Limits.items), maxTotal: abilities.reachable),
      booleans: abilities.booleans, feed: abilities.feed != nil,
      feedSorts: (abilities.feed?.sorts).flatMap { $0.isEmpty ? nil : $0 },
      fields: abilities.fields.map(\.rawValue).sorted(), needsText: abilities.needsText,
      needsToken: abilities.needsToken)
  }
}
