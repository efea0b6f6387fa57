package import ForageCore

/// The providers that one search or page asks.
package struct ProviderChoice {
  /// The providers to ask, in order of precedence.
  package var registry: ProviderRegistry
  /// The ids that the user named; of these a failure counts.
  package var named: Set<String>
  /// The kinds of results of all providers, also of those that are not asked.
  package let kinds: Set<ResultKind>
  /// The built-in providers that the settings disable, where the user named none.
  package var disabled: [String] = []

  /// Chooses the named providers, or all that are enabled.
  ///
  /// - Parameters:
  ///   - names: As given with `--provider`, each possibly several ids with commas.
  ///   - installed: The plugins and manifests of this machine; read only for an id that is not there.
  ///   - isEnabled: Whether a provider is searched where none is named.
  /// - Throws: `ForageError` for an id that is not there.
  package init(
    names: [String], registry: ProviderRegistry, installed: @autoclosure () -> InstalledIDs = InstalledIDs(),
    isEnabled: (String) -> Bool
  ) throws {
    let ids = Self.ids(names)
    for id in ids where registry[id] == nil { throw Self.unknown(id, registry, installed()) }
    if !names.isEmpty, ids.isEmpty {
      throw ForageError(
        "no provider is named", hint: "providers: \(registry.ids.joined(separator: ", "))")
    }
    named = Set(ids)
    // Built-in providers that the user did not name may not be in the registry.
    kinds = Self.kinds(of: registry).union(BuiltInProvider.all.flatMap(\.kinds.keys))
    self.registry = registry.selecting(ids.isEmpty ? registry.ids.filter(isEnabled) : ids)
    guard !self.registry.providers.isEmpty else {
      throw ForageError("every provider is disabled", .enableProvider)
    }
  }

  /// Chooses all providers of a registry, of which the user has named none.
  package init(all registry: ProviderRegistry) {
    self.registry = registry
    kinds = Self.kinds(of: registry)
    named = []
  }

  /// Chooses some providers, as if the user had named them.
  package init(only providers: [any SearchProvider], _ settings: Settings) {
    registry = ProviderRegistry(providers, preferences: settings.preferences(of:))
    kinds = Self.kinds(of: registry)
    named = Set(providers.map(\.info.id))
  }

  private static func kinds(of registry: ProviderRegistry) -> Set<ResultKind> {
    Set(registry.providers.flatMap(\.kinds.keys))
  }

  package static func ids(_ names: [String]) -> [String] {
    names.flatMap { $0.split(separator: ",").map { $0.trimmingWhitespace() } }
  }

  /// The error for an id that is not there, or is that of a plugin whose providers have other ids.
  package static func unknown(_ id: String, _ registry: ProviderRegistry, _ installed: InstalledIDs)
    -> ForageError
  {
    if let own = installed.plugins[id] {
      return ForageError(
        "\"\(id)\" is a plugin, not a provider", hint: "its providers: \(own.joined(separator: ", "))")
    }
    return ForageError(
      "there is no provider \"\(id)\"",
      hint: NearestName.hint(for: id, among: registry.ids)
        ?? "providers: \(registry.ids.joined(separator: ", "))")
  }
}

extension ProviderRegistry {
  /// The ids of the providers that have a kind of results, or a feed of it.
  package func ids(having kind: String, feed: Bool = false) -> [String] {
    entries.filter { entry in
      guard let abilities = entry.kinds[ResultKind(rawValue: kind)] else { return false }
      return !feed || abilities.feed != nil
    }.map(\.info.id)
  }
}
