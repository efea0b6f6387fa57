import ForageCore
import ForageHTTP
package import ForageLocal

/// The settings of the user and what is installed, each read once.
package struct Configuration: Sendable {
  package let settings: Once<Settings, ForageError>
  /// The forges of the settings, the built-in one first; those of no settings where the file cannot be read.
  let forges: Once<[Forge], Never>
  /// The ids of the plugins and manifests that the user named by their paths.
  let named: Once<InstalledIDs, Never>
  /// What is left out of every search and list of clones.
  let ignored: Once<IgnoredFolders, Never>
  /// The forges besides those of the settings, made once for their pages; `nil` before.
  let forgesWithPages = Locked<[any ForgeProvider]?>(nil)
  /// The host that a name without one means, found once; `nil` before.
  let bareHost = Locked<String?>(nil)
  private let everyInstalled: Once<InstalledProviders, Never>
  private let ownInstalled: Once<InstalledProviders, Never>
  /// Providers of the program that uses the library, behind all others.
  let added: [any SearchProvider]

  /// - Parameter other: What is read again but for the forges, which belong to its tokens; `nil` for none.
  init(
    _ setup: ForageSetup, _ paths: Paths, adding added: [any SearchProvider],
    sharing other: Configuration? = nil
  ) {
    self.added = added
    let environment = setup.environment
    let every = Once { () throws(Never) in
      InstalledProviders(environment: environment, paths: paths, onlyOwn: false)
    }
    everyInstalled = every
    ownInstalled = Once { () throws(Never) in
      every.made ?? InstalledProviders(environment: environment, paths: paths, onlyOwn: true)
    }
    let named = Once { () throws(Never) in
      var ids = InstalledIDs()
      for path in setup.pluginPaths { ids.add(at: path) }
      return ids
    }
    self.named = named
    let settings = Once { () throws(ForageError) in
      try Settings.read(paths.configFile, types: BuiltInProvider.types) {
        every.get().ids.adding(named.get())
      }
    }
    self.settings = settings
    ignored = Once { () throws(Never) in
      let own = IgnoredClones(beside: paths.configFile).read().content
      let ofSettings = (try? settings.get())?.clones.ignored.map(\.text) ?? []
      return IgnoredFolders(ofSettings + own, home: paths.home)
    }
    forges = other?.forges ?? Forge.all(of: settings, environment: environment)
  }

  /// The hosts of the forges of the settings, and of those of the program that uses the library.
  var forgeHosts: [String] {
    forges.get().flatMap { (try? $0.address.get().entityHosts) ?? [] } + servers.map(\.authority)
      + added.flatMap(\.info.hosts)
  }

  /// The servers of these types, by host.
  private var serversWithOwnPages: [(server: HTTPURL, folder: String)] {
    ((try? settings.get())?.providers ?? [:]).compactMap { id, entry in
      guard let folder = BundledForge.cloneFolders[entry.type ?? id],
        let server = entry.config["url"]?.string.flatMap(HTTPURL.init)
      else { return nil }
      return (server, folder)
    }
  }

  /// Hosts with paths, below which addresses for git have another folder than the pages.
  var cloneServers: [String] {
    serversWithOwnPages.map { $0.server.authority + $0.server.folder + $0.folder }
  }

  /// Whether the pages of repositories on a host are not where git finds them.
  func hasOwnPages(_ host: String) -> Bool { serversWithOwnPages.contains { $0.server.authority == host } }

  /// The addresses of servers that the settings name for plugins and manifests.
  var servers: [HTTPURL] {
    (try? settings.get())?.providers.values.compactMap { $0.config["url"]?.string.flatMap(HTTPURL.init) }
      ?? []
  }

  /// The plugins and manifests of this machine.
  ///
  /// - Parameter onlyOwn: Whether only the user's own are needed; others may be among them.
  func installed(onlyOwn: Bool) -> InstalledProviders {
    onlyOwn ? everyInstalled.made ?? ownInstalled.get() : everyInstalled.get()
  }
}

extension Forage {
  /// The user's settings, read once; each problem in them is reported once.
  ///
  /// - Throws: `ForageError` for a file that cannot be read, or is not YAML.
  package func settings() throws(ForageError) -> Settings {
    let settings = try configuration.settings.get()
    for problem in settings.problems { reporter.warnOnce(problem.error.message, hint: problem.error.hint) }
    return settings
  }

  /// The user's settings for what needs a section of them.
  ///
  /// - Throws: `ForageError` with file and line for anything in the section that is not understood; as
  ///   ``settings()``, which reports it.
  package func settings(needing section: Settings.Section) throws(ForageError) -> Settings {
    let settings = try settings()
    do throws(ForageError) {
      try settings.check(section)
    } catch {
      var error = error
      error.isReported = true
      throw error
    }
    return settings
  }

  /// The folders that are left out of every search and list of clones, read once.
  package var ignored: IgnoredFolders { configuration.ignored.get() }

  /// The plugins and manifests of this machine, which are found once.
  ///
  /// - Parameter onlyOwn: Whether only the user's own are needed; others may be among them.
  package func installed(onlyOwn: Bool = false) -> InstalledProviders {
    configuration.installed(onlyOwn: onlyOwn)
  }

  /// The ids of the plugins and manifests of this machine and of those that the user named by a path.
  package var knownIDs: InstalledIDs { installed().ids.adding(configuration.named.get()) }

  package func isBuiltIn(_ id: String, _ settings: Settings) -> Bool {
    BuiltInProvider.types.contains { $0.name == settings.providers[id]?.type ?? id }
  }

  /// Whether a search without `-p` uses a provider.
  package func isEnabled(_ id: String, _ settings: Settings) -> Bool {
    // What the user names by a path is used, also where the settings or the installation have another of its
    // id.
    if configuration.named.get().all.contains(id) { return true }
    if let isEnabled = settings.providers[id]?.isEnabled { return isEnabled }
    if configuration.added.contains(where: { $0.info.id == id }) { return true }
    guard !isBuiltIn(id, settings), settings.providers[id]?.type == nil else { return true }
    return installed(onlyOwn: true).source(of: id).map { !$0.isBundled } ?? false
  }
}
