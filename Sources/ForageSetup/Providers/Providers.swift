package import ForageCore
import ForageGitHub
import ForageHTTP
import ForageLocal
import ForageStore

/// A built-in provider, with its further instances.
package struct BuiltInProvider: Sendable {
  /// A provider that is made where it is asked.
  struct Instance {
    let id: String
    let make: () -> any SearchProvider
  }

  /// Its type in the settings, whose name is its id.
  package let type: ProviderType
  /// The facts about it that are known without settings.
  package let info: ProviderInfo
  package let kinds: [ResultKind: Abilities]
  /// The provider, and behind it the further instances in the order of the settings.
  let instances: @Sendable (Forage, Settings, RequestOptions) -> [Instance]

  /// All of them, in order of precedence: the one place that names every provider.
  package static let all = [gitHub, clones]

  /// The GitHub servers of the settings: `github` and further ones.
  private static let gitHub = BuiltInProvider(
    type: ProviderType(name: Forge.gitHubID) { address throws(SearchError) in
      guard let address else { return ForgeAddress.gitHub }
      return try ForgeAddress(gitHubAPI: address, setting: "url").host
    },
    info: GitHubProvider.info(id: Forge.gitHubID, name: "", at: nil), kinds: GitHubProvider.kinds
  ) { forage, _, requestOptions in
    forage.forges.map { forge in Instance(id: forge.id) { forage.provider(of: forge, requestOptions) } }
  }

  /// The clones on this machine.
  private static let clones = BuiltInProvider(
    type: ProviderType(name: clonesID), info: LocalProvider.info, kinds: LocalProvider.kinds
  ) { forage, settings, _ in
    let local = Instance(id: clonesID) {
      let code = CodeSettings(
        index: forage.searchedCodeIndex, maximumFileSize: settings.maximumFileSize, hosts: forage.remoteHosts)
      let local = LocalProvider(code: code, known: forage.knownRepositories) { [store = forage.store] in
        try store.existing()
      }
      return settings.problem(of: clonesID).map { UnusableProvider(local, error: $0) } ?? local
    }
    return [local]
  }

  /// The types of providers in the settings; each has a built-in provider, in order of precedence.
  package static let types = all.map(\.type)

  /// The id of the provider of the clones on this machine.
  package static let clonesID = LocalProvider.id
  /// The host that a name without one means where the settings name no other.
  package static let usualHost = ForgeAddress.gitHub
}

/// A type of providers in the settings.
package struct ProviderType: Sendable {
  /// The value of `type`, and the id of the built-in provider of this type.
  package var name: String
  /// The host of an address, with its port where that is not the default; without an address the host of the
  /// built-in provider.
  ///
  /// It throws for an address that is not allowed. `nil`: the type has no addresses, so there is only the
  /// built-in provider.
  var host: (@Sendable (_ address: String?) throws(SearchError) -> String)?
  /// Whether it is a plugin or a manifest, which has `config` and `secrets`.
  package var isExternal = false

  package init(name: String, isExternal: Bool = false) {
    self.name = name
    self.isExternal = isExternal
  }

  init(name: String, host: @escaping @Sendable (_ address: String?) throws(SearchError) -> String) {
    self.name = name
    self.host = host
  }
}

/// How providers are asked, for one search or one page.
package struct RequestOptions: Sendable {
  package var cache: CacheMode
  /// The ids that the user named; where all are built in, plugins and manifests are not searched for.
  package var named: [String]
  /// Whether plugins and manifests that are not enabled are needed, too.
  package var everything: Bool
  /// Whether results of a forge have its answer, too, as the field `answer`.
  package var keepsAnswers: Bool

  package init(
    cache: CacheMode = .normal, named: [String] = [], everything: Bool = false, keepsAnswers: Bool = false
  ) {
    self.cache = cache
    self.named = named
    self.everything = everything
    self.keepsAnswers = keepsAnswers
  }
}

extension Forage {
  /// Every provider, enabled or not, in order of precedence: the built-in ones, then further instances in the
  /// order of the settings, then plugins and manifests; those that the user named by a path come before
  /// others of their ids.
  ///
  /// Where all that the user named are built in, no others of the settings and of the installation are made.
  package func registry(_ settings: Settings, _ requestOptions: RequestOptions = RequestOptions()) throws
    -> ProviderRegistry
  {
    let named = requestOptions.named
    let instances = BuiltInProvider.all.map { $0.instances(self, settings, requestOptions) }
    let builtIn = instances.compactMap(\.first) + instances.flatMap { $0.dropFirst() }
    let known = Set(builtIn.map(\.id))
    let extra = try setup.pluginPaths.flatMap { try self.named($0, settings, requestOptions) }
    for id in extra.map(\.info.id) where known.contains(id) {
      throw ForageError(
        "\"\(id)\" is the id of a built-in provider", hint: "give the plugin an id of its own")
    }
    let added = configuration.added
    let own = known.union(added.map(\.info.id))
    let isOwn = !named.isEmpty && named.allSatisfy(own.contains)
    let made = builtIn.filter { !isOwn || named.contains($0.id) }.map { $0.make() }
    let all = made + extra + (isOwn ? [] : externalProviders(settings, requestOptions)) + added
    // It is not known what their settings are for; a user who names one gets the reason.
    let unknown = settings.brokenProviders.filter { broken in
      named.contains(broken.id) && !all.contains { $0.info.id == broken.id }
    }
    return ProviderRegistry(
      all + unknown.map { UnusableProvider(id: $0.id, error: $0.error) },
      preferences: settings.preferences(of:))
  }
}

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
