package import ForageCore
import ForageFoundation
import ForageGit
import ForageHTTP
package import ForageManifest
package import ForagePluginHost
import ForageYAML

extension Forage {
  /// The providers that are not built in and needed for a command, in the order of their ids, then the
  /// further instances of the settings.
  package func externalProviders(_ settings: Settings, _ requestOptions: RequestOptions)
    -> [any SearchProvider]
  {
    let (named, everything) = (requestOptions.named, requestOptions.everything)
    let configured = Set(settings.providers.keys).subtracting(settings.absent.map(\.id))
    let isPlain = named.isEmpty && !everything && !configured.contains { !isBuiltIn($0, settings) }
    let installed = installed(onlyOwn: isPlain)
    let known = configured.union(installed.ids.all)
    // The error for an unknown id suggests the nearest of all.
    let isSlip = named.contains { !known.contains($0) && !isBuiltIn($0, settings) }
    reportBroken(installed, named: named)
    // The trust of others is not checked.
    func isWanted(_ id: String) -> Bool {
      everything || isSlip || (named.isEmpty ? isEnabled(id, settings) : named.contains(id))
    }
    var providers: [any SearchProvider] = []
    for plugin in installed.plugins.plugins where plugin.manifest.providerIDs.contains(where: isWanted) {
      providers += self.providers(of: plugin, settings)
    }
    for found in installed.manifests.found where isWanted(found.manifest.id) {
      providers.append(provider(of: found, id: found.manifest.id, settings, requestOptions))
    }
    for id in settings.added where isWanted(id) {
      guard let type = settings.providers[id]?.type, let found = installed.manifest(type) else { continue }
      providers.append(provider(of: found, id: id, settings, requestOptions))
    }
    return providers
  }

  /// The fields that only providers which are not built in have, enabled or not.
  package var ownFields: [FieldDefinition] {
    externalInfos.flatMap(\.fields)
  }

  /// Every provider that is not built in, enabled or not, those that the user named by their paths first.
  private var externalInfos: [ProviderInfo] {
    guard let settings = try? settings() else { return [] }
    let named = setup.pluginPaths.flatMap { (try? self.named($0, settings)) ?? [] }
    return (named + externalProviders(settings, RequestOptions(everything: true))).map(\.info)
  }

  /// Adds what the fields of a result mean that only its provider has; a result of an earlier list is without
  /// that.
  ///
  /// Its provider is the one whose id or host begins its id, else any that has such fields.
  package func define(_ item: inout SearchResult) {
    let own = Set(item.fields.keys.filter(\.isOwn)).subtracting(item.definitions.map(\.name))
    guard !own.isEmpty else { return }
    let places = [":", "/"].map { end in String(item.id.prefix { String($0) != end }) }
    let infos = externalInfos.filter { !own.isDisjoint(with: $0.fields.map(\.name)) }
    let info = infos.first { places.contains($0.id) || $0.hosts.contains(where: places.contains) }
    let known = item.definitions.map(\.name)
    item.definitions += ((info ?? infos.first)?.fields ?? []).filter { !known.contains($0.name) }
  }

  /// The providers of a plugin. The plugin is started when one of them is asked, and only if it is trusted.
  ///
  /// `config` and `secrets` are those of the plugin's id.
  package func providers(of plugin: FoundPlugin, _ settings: Settings) -> [any SearchProvider] {
    let entry = settings.entry(of: plugin.id)
    let made = pluginHost.providers(
      of: plugin, handshake: entry.start, config: entry.config,
      secrets: { [environment] in entry.secrets.compactMapValues { environment[$0] } })
    let fault =
      fault(plugin.id, settings, secrets: plugin.manifest.secrets, config: nil)
      ?? secretRefusal(plugin, entry)
    return made.map { provider in
      guard let error = fault ?? settings.problem(of: provider.info.id) else { return provider }
      return UnusableProvider(provider, error: error)
    }
  }

  package func provider(
    of found: ManifestDiscovery.Found, id: String, _ settings: Settings,
    _ requestOptions: RequestOptions = RequestOptions()
  ) -> any SearchProvider {
    provider(of: found.manifest, id: id, settings, source: found.isBundled ? .bundled : .own, requestOptions)
  }

  /// The provider of a manifest.
  ///
  /// - Parameters:
  ///   - id: The provider's id, which differs from the manifest's for a further instance.
  ///   - source: The location of the manifest.
  package func provider(
    of manifest: Manifest, id: String, _ settings: Settings, source: ManifestSource,
    _ requestOptions: RequestOptions = RequestOptions()
  ) -> any SearchProvider {
    let entry = settings.entry(of: id)
    let original = manifest
    var manifest = manifest
    if id != manifest.id {
      manifest.name += " (\(id))"
      manifest.id = id
    }
    do throws(SearchError) {
      let secrets = manifest.auth?.names ?? []
      if let fault = fault(id, settings, secrets: secrets, config: manifest.usesBase ? ["url"] : []) {
        throw fault
      }
      if !entry.secrets.isEmpty, let refusal = secretRefusal(original, entry, source) { throw refusal }
      let usual = usualVariable(of: original, entry, source)
      let made = try ManifestProvider(
        manifest, base: entry.config["url"]?.string,
        transport: try network.transport(), services: network.services(of: id, requestOptions.cache),
        userAgent: "forage/" + Self.version,
        variable: manifest.auth.flatMap { auth in
          entry.ownedSecrets[auth.secret] != nil
            ? nil : entry.secrets[auth.secret] ?? (auth.secret == BundledForge.secret ? usual : nil)
        },
        report: { [reporter] in reporter.trace?("\(id): warning: " + $0) },
        knownSecrets: credentials.knownSecrets,
        secret: { [environment] name in
          let other = name == BundledForge.secret ? usual : nil
          let variable = entry.secrets[name] == nil ? other : entry.variable(of: name)
          return variable.flatMap { environment[$0] }
        },
        helper: usual == nil ? helper(of: original, entry, source) : nil)
      return ManifestForgeProvider(made) ?? made
    } catch {
      return UnusableProvider(
        info: manifest.info(base: entry.config["url"]?.string), kinds: manifest.abilities, error: error)
    }
  }

  /// The provider at a path that the user named for this run, trusted by being named.
  package func named(
    _ path: String, _ settings: Settings, _ requestOptions: RequestOptions = RequestOptions()
  ) throws -> [any SearchProvider] {
    guard FileAccess.entry(path) != nil else {
      throw ForageError("the plugin or manifest \(path) does not exist", hint: "check the path")
    }
    guard ManifestDiscovery.isManifest(path) else {
      if FileAccess.isDirectory(path), FileAccess.entry(path + "/" + PluginManifest.fileName) == nil {
        if let manifest = PluginSource.onlyManifest(in: path) {
          return try named(manifest, settings, requestOptions)
        }
        if !FileManager.default.isReadableFile(atPath: path) {
          throw ForageError("\(path) cannot be read", hint: "check its permissions")
        }
        throw ForageError(
          "\(path) is no plugin: it has no \(PluginManifest.fileName)",
          hint:
            "name the folder of a plugin or a manifest, or write one with: forage plugin new NAME --kind manifest"
        )
      }
      let plugin = try Self.plugin(at: path)
      try plugin.checkFiles()
      return providers(of: plugin, settings)
    }
    let manifest = try Self.manifest(at: path)
    return [provider(of: manifest, id: manifest.id, settings, source: .named, requestOptions)]
  }

  /// Reads a manifest that the user named.
  ///
  /// - Throws: `ForageError` with every mistake in it.
  package static func manifest(at path: String) throws -> Manifest {
    do throws(ManifestProblems) {
      return try ManifestDiscovery.manifest(at: path)
    } catch {
      throw ForageError(error.problems, in: error.path)
    }
  }

  /// Opens a plugin that the user named.
  ///
  /// - Throws: `ForageError` with every mistake in its `plugin.json`; `SearchError` for anything else.
  private static func plugin(at path: String) throws -> FoundPlugin {
    do throws(SearchError) {
      return try FoundPlugin(at: path)
    } catch {
      let file = path.hasSuffix("/" + PluginManifest.fileName) ? path : path + "/" + PluginManifest.fileName
      let problems = PluginManifest.problems(at: file)
      guard problems.isEmpty else { throw ForageError(problems, in: file) }
      throw error
    }
  }

  /// Reports the user's own plugins and manifests that cannot be used.
  ///
  /// - Parameter named: The ids that the user named; none for all.
  private func reportBroken(_ installed: InstalledProviders, named: [String]) {
    for (row, isOwn) in installed.broken where isOwn {
      guard let problem = row.problem, named.isEmpty || named.contains(row.id) || installed.isFolder(row)
      else { continue }
      reporter.warnOnce(problem.message, hint: reporter.hint(problem))
    }
  }

  /// The error for settings that are not understood, or that a plugin or manifest does not have; `nil`
  /// without one.
  ///
  /// - Parameters:
  ///   - secrets: The names of its secrets.
  ///   - config: The names of its settings, `nil` where it checks them itself.
  private func fault(_ id: String, _ settings: Settings, secrets: [String], config: [String]?)
    -> SearchError?
  {
    if let problem = settings.problem(of: id) { return problem }
    let entry = settings.entry(of: id)
    func fault(_ name: String, _ what: String, _ known: [String]) -> SearchError {
      let list =
        known.isEmpty ? "it has none; remove it" : "it has: \(known.sorted().joined(separator: ", "))"
      return SearchError(
        .configuration, "\(id) has no \(what) \"\(name)\", which the settings name",
        hint: NearestName.hint(for: name, among: known, written: { "\"\($0)\"" }) ?? list)
    }
    if let name = entry.secrets.keys.sorted().first(where: { !secrets.contains($0) }) {
      return fault(name, "secret", secrets)
    }
    guard let config, let name = entry.config.keys.sorted().first(where: { !config.contains($0) }) else {
      return nil
    }
    return fault(name, "setting", config)
  }
}

extension InstalledIDs {
  /// The ids of the manifests that come with Forage, which are missing in an incomplete installation.
  package static let bundledManifests: Set = [
    "bitbucket", "bitbucket-server", "codeberg", "crates", "gitlab", "npm", "pagure", "sourcegraph",
    "stackoverflow", "zoekt",
  ]

  /// Adds the ids of the plugin or manifest at a path; what is wrong with it is reported when it is used.
  mutating func add(at path: String) {
    if ManifestDiscovery.isManifest(path) {
      if let manifest = try? ManifestDiscovery.manifest(at: path) { manifests.append(manifest.id) }
    } else if let plugin = try? FoundPlugin(at: path) {
      plugins[plugin.id] = plugin.manifest.providerIDs
    }
  }

  /// These ids and others, which win over these.
  func adding(_ others: InstalledIDs) -> InstalledIDs {
    InstalledIDs(
      manifests: manifests + others.manifests, types: types + others.types,
      plugins: plugins.merging(others.plugins) { _, new in new })
  }
}
