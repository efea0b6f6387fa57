package import ForageCore
import ForageFoundation
import ForageHTTP
import ForageManifest
import ForagePluginHost

/// A plugin or manifest that is checked against the contract for providers, trusted or not.
package struct PluginTrial: Sendable {
  private let forage: Forage
  private let settings: Settings
  private let path: String
  /// The first providers of manifests by their ids; later ones keep the rate of their API together with them.
  private let first = Locked<[String: ManifestProvider]>([:])

  /// - Parameter path: A plugin's folder, a manifest, or an installed id.
  /// - Throws: `ForageError` for settings that cannot be read.
  package init(_ forage: Forage, path: String) throws {
    self.forage = forage
    self.path = path
    settings = try forage.settings()
  }

  /// Its providers, with nothing cached, as after a restart of the program.
  ///
  /// - Throws: `ForageError` for a path without a plugin or manifest, a description with mistakes, and the id
  ///   of a built-in provider.
  package func providers() throws -> [any SearchProvider] {
    forage.pluginHost.startAnew()
    let providers = try made()
    for id in providers.map(\.info.id) where BuiltInProvider.types.contains(where: { $0.name == id }) {
      throw ForageError("\"\(id)\" is the id of a built-in provider", hint: "give it an id of its own")
    }
    return providers.map { provider in
      // Stars are those of somebody, and never changed by a check.
      let searching = (provider as? ManifestForgeProvider)?.searching ?? provider
      guard var manifest = searching as? ManifestProvider else { return provider }
      if let other = first.withLock({ $0[manifest.info.id] }) { manifest.keepPace(with: other) }
      first.withLock { [manifest] in $0[manifest.info.id] = manifest }
      manifest.coverage = MapCoverage()
      return manifest
    }
  }

  private func made() throws -> [any SearchProvider] {
    let requestOptions = RequestOptions(cache: .bypass)
    if FileManager.default.fileExists(atPath: path) {
      return try forage.named(path, settings, requestOptions)
    }
    let installed = forage.installed()
    if let plugin = installed.plugins[path] {
      return try forage.named(plugin.folder, settings, requestOptions)
    }
    if let found = installed.manifest(path) {
      let source = found.isBundled ? Forage.ManifestSource.bundled : .named
      return [forage.provider(of: found.manifest, id: path, settings, source: source, requestOptions)]
    }
    throw ForageError("\"\(path)\" is no file, no folder and no installed plugin", .listPlugins)
  }

  /// How long a call may take: for a manifest also as long as it waits for the rate of its API.
  package static func deadline(of provider: any SearchProvider) -> Duration {
    SearchOptions.defaultTimeout + ((provider as? ManifestProvider)?.pace ?? .zero) * 2
  }

  /// Starts the plugin of a provider; does nothing for the provider of a manifest.
  ///
  /// - Throws: `SearchError` if it cannot be started.
  package static func start(_ provider: any SearchProvider) async throws {
    try await (provider as? PluginProvider)?.start(by: .now + SearchOptions.defaultTimeout)
  }

  /// The requests that a forge does not answer as its description says, with the user's secret: its account,
  /// the stars, the repositories of an owner and the files of one. Nothing is changed. `nil` for what is no
  /// forge, and without a secret.
  package func forgeFaults(of id: String) async -> [(subject: String, error: SearchError)]? {
    guard let forge = try? made().first(where: { $0.info.id == id }) as? ManifestForgeProvider,
      (try? await forge.hasSecret()) == true
    else { return nil }
    let deadline = ContinuousClock.now + SearchOptions.defaultTimeout
    let request = SearchRequest(kind: .repo, query: nil, pageSize: 5, deadline: deadline)
    var faults: [(String, SearchError)] = []
    func ask<Answer>(_ subject: String, _ body: () async throws -> Answer) async -> Answer? {
      do { return try await body() } catch {
        let error = error as? SearchError ?? SearchError(.other, "\(error)")
        // It does not have this.
        if error.code != .unsupportedQuery { faults.append((subject, error)) }
        return nil
      }
    }
    _ = await ask("account") { try await forge.account(deadline: deadline) }
    let stars = await ask("stars") { try await forge.starred(by: nil, request) }
    if let owner = stars?.items.first?[.owner]?.text {
      _ = await ask("owner \(owner)") { try await forge.repositories(of: owner, request) }
    }
    // A repository can be empty, and a file can be a link.
    var fault: (String, SearchError)?
    for item in (stars?.items ?? []).prefix(3) {
      guard let repository = EntityReference(item.id, defaultHost: "") else { continue }
      guard let error = await Self.fileFault(forge, repository, deadline) else { return faults }
      fault = ("files of \(repository.title)", error)
    }
    return faults + [fault].compactMap(\.self)
  }

  /// Why no file of a repository can be read; `nil` where one of the first can, and where the forge describes
  /// no files.
  private static func fileFault(
    _ forge: ManifestForgeProvider, _ repository: EntityReference, _ deadline: ContinuousClock.Instant
  ) async -> SearchError? {
    var fault: SearchError?
    do {
      guard
        case .folder(let names, _) = try await forge.contents(
          at: "", in: repository, ref: nil, deadline: deadline)
      else { return nil }
      for name in names.filter({ !$0.hasSuffix("/") }).prefix(3) {
        do {
          _ = try await forge.contents(at: name, in: repository, ref: nil, deadline: deadline)
          return nil
        } catch let error as SearchError {
          fault = error
        }
      }
    } catch {
      let error = error as? SearchError ?? SearchError(.other, "\(error)")
      return error.code == .unsupportedQuery ? nil : error
    }
    return fault
  }

  /// Why a provider does not answer a search for a word; `nil` if it does.
  package static func failure(of provider: any SearchProvider, word: String) async -> SearchError? {
    guard let kind = provider.kinds.keys.min(by: { $0.rawValue < $1.rawValue }) else { return nil }
    do {
      _ = try await provider.search(
        SearchRequest(
          kind: kind, query: .term(QueryTerm(word)), pageSize: 1,
          deadline: ContinuousClock.now + SearchOptions.defaultTimeout))
      return nil
    } catch {
      return error as? SearchError
    }
  }

  /// The values that a manifest has left out of answers so far; `nil` for a plugin.
  package static func warnings(of provider: any SearchProvider) -> [String]? {
    (provider as? ManifestProvider)?.warnings.messages
  }

  /// What a manifest most likely says wrong.
  package struct ManifestFault: Sendable {
    /// The member of the manifest, or a search.
    package let subject: String
    /// What is wrong, as a clause.
    package let problem: String
    /// Whether it may be that only no answer needed the member.
    package let isDoubtful: Bool

    fileprivate init(_ fault: ManifestProvider.Fault) {
      (subject, problem, isDoubtful) = (fault.subject, fault.problem, fault.isDoubtful)
    }
  }

  /// The members of a manifest whose paths no answer has a usable value for; `nil` for a plugin, and if there
  /// were too few rows.
  package static func pathFaults(of provider: any SearchProvider) -> [ManifestFault]? {
    (provider as? ManifestProvider)?.pathFaults?.map(ManifestFault.init)
  }

  /// The lists of a manifest that have results before their first page; `nil` for a plugin, and where no list
  /// can have any.
  ///
  /// - Parameter words: Words with results.
  package static func startFaults(of provider: any SearchProvider, words: [String]) async -> [ManifestFault]?
  {
    let faults = await (provider as? ManifestProvider)?.startFaults(
      words: words, within: deadline(of: provider))
    return faults?.map(ManifestFault.init)
  }

  /// The faults of a plugin for which it is not stopped, each once.
  package struct Faults: Sendable {
    /// The plugin's id.
    package let id: String
    /// Fields that were left out, which is no reason to fail.
    package fileprivate(set) var fields: [String] = []
    /// Output that is no message.
    package fileprivate(set) var output: [String] = []
    /// Messages and items that are not as the protocol says.
    package fileprivate(set) var messages: [String] = []
    /// The processes that go on after the end of its input: the plugin itself, or a child process. `nil` if
    /// it had ended before.
    package fileprivate(set) var endings: [String]?
  }

  /// The declarations of the program of the plugin in a folder that its `plugin.json` does not have; the
  /// program is run for this.
  package func declaration() async -> PluginDeclaration? {
    guard FileManager.default.fileExists(atPath: path), let plugin = try? FoundPlugin(at: path) else {
      return nil
    }
    return await PluginDeclaration(of: plugin, environment: forage.environment)
  }

  /// The faults of a plugin's actions, with hints; empty for a manifest.
  package var actionFaults: [ActionFault] {
    let plugin = (try? FoundPlugin(at: path)) ?? forage.installed().plugins[path]
    return forage.faults(of: plugin?.actions ?? [], plugin: plugin)
  }

  /// The faults of the plugin, for use after its name; it is ended for this. The text is untrusted. `nil`
  /// for a manifest.
  package func faults() async -> Faults? {
    guard let id = ((try? FoundPlugin(at: path)) ?? forage.installed().plugins[path])?.id else { return nil }
    let host = forage.pluginHost
    var faults = Faults(id: id)
    let endings = await forage.reporter.waiting(for: id) { await host.endingFaults(of: id) }
    // Each of its processes may end in the same way.
    faults.endings = endings?.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    // Afterwards, because it may also write something at its end.
    var known: Set<String> = []
    for warning in host.warnings(of: id) where known.insert(warning).inserted {
      if PluginHost.isNote(warning) {
        faults.fields.append(warning)
      } else if warning.hasPrefix("wrote ") {
        faults.output.append(warning)
      } else {
        faults.messages.append(warning)
      }
    }
    return faults
  }
}
