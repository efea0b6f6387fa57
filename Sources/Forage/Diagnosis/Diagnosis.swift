import ForageCore
import ForageGit
import ForageHTTP
import ForageManifest
import ForagePlatform
import ForagePluginHost
import ForageStore

/// Checks settings, store, clones, cache, tokens, providers and plugins.
package struct Diagnosis: Sendable {
  let forage: Forage

  package init(_ forage: Forage) { self.forage = forage }

  package enum Verdict: String, Sendable {
    case ok, warning, problem
  }

  package struct Check: Sendable {
    package var name: String
    package var verdict: Verdict
    package var message: String
    /// The action that helps; `nil` where there is none.
    package var hint: String?
    /// Whether the settings or the environment have to be changed.
    package var isOfSettings = false

    init(
      _ name: String, _ verdict: Verdict, _ message: String, _ hint: String? = nil,
      isOfSettings: Bool = false
    ) {
      (self.name, self.verdict, self.message) = (name, verdict, message)
      (self.hint, self.isOfSettings) = (hint, isOfSettings)
    }
  }

  /// Runs every check. Each enabled forge gets at most three requests, and each trusted plugin is started.
  ///
  /// - Throws: `CancellationError`.
  package func run() async throws -> [Check] {
    let (settings, read) = settings()
    var checks = read + absent(settings) + bundle()
    checks += store() + cache() + code() + [ripgrep] + actions(settings)
    checks += await forage.reporter.waiting(for: names(settings)) { await forges(settings) }
    checks += await forage.reporter.waiting(for: "plugins") { await external(settings) }
    try Task.checkCancellation()
    return checks
  }

  /// What to do, for who reads it.
  func hint(_ remedy: Remedy) -> String { forage.reporter.text(remedy) }

  /// What to do about an error of a provider, for who reads it.
  func hint(_ error: SearchError) -> String { forage.reporter.hint(error) }

  /// The settings, `nil` when they cannot be read, and everything that is wrong with them.
  private func settings() -> (Settings?, [Check]) {
    func problem(_ error: ForageError) -> Check {
      Check(
        "settings", .problem, error.message, error.remedy.map { hint($0) } ?? error.hint,
        isOfSettings: true)
    }
    let path = forage.paths.configFile
    do throws(ForageError) {
      // Not with the warnings of other commands.
      let settings = try forage.configuration.settings.get()
      guard settings.problems.isEmpty else { return (settings, settings.problems.map { problem($0.error) }) }
      let message = FileAccess.isFile(path) ? "\(path) is fine" : "\(path) does not exist; defaults are used"
      return (settings, [Check("settings", .ok, message)])
    } catch {
      return (nil, [problem(error)])
    }
  }

  /// Settings for providers that do not exist.
  private func absent(_ settings: Settings?) -> [Check] {
    (settings?.absent ?? []).map { entry in
      let problem = Settings.problem(ofAbsent: entry)
      return Check("settings", .warning, problem.message, hint(.installProvider))
    }
  }

  private func store() -> [Check] {
    let path = forage.store.path
    do {
      guard let store = try forage.store.existing() else {
        return [Check("store", .ok, "\(path) does not exist yet", hint(.addCloneFolder))]
      }
      guard try store.passesIntegrityCheck() else {
        return [
          Check(
            "store", .problem, "\(path) is damaged",
            "move it away, then add favorites and clone folders again")
        ]
      }
      return [Check("store", .ok, "\(path) is sound")] + (try clones(store))
    } catch {
      return [Check("store", .problem, error.message, error.hint)]
    }
  }

  private func clones(_ store: Store) throws(StoreError) -> [Check] {
    let folders = try store.cloneFolders()
    let missing = folders.filter { !FileAccess.isDirectory($0.path) }.map { folder in
      Check(
        "clones", .problem, "\(folder.path) does not exist", hint(.removeCloneFolder(folder.path)))
    }
    let clones = try store.clones()
    let unreadable = clones.compactMap { clone -> Check? in
      guard let error = clone.error else { return nil }
      let remedy = Remedy.unreadableClone(at: clone.path)
      // A clone of a format that Forage cannot read is not broken.
      return Check(
        "clones", remedy == .useGit ? .warning : .problem, "\(clone.path): \(error)", hint(remedy))
    }
    let partial = PendingDeletions(forage.paths).all.map { pending in
      Check("clones", .warning, "\(pending.path) is deleted only in part", pending.remedy)
    }
    let summary =
      "\(HumanFormat.plural(clones.count, "clone")) in \(HumanFormat.plural(folders.count, "folder"))"
    return [Check("clones", .ok, summary)] + missing + unreadable + partial
  }
}

/// The cache. None of its faults is a problem: searches work without it.
extension Diagnosis {
  private static let advice = "check its permissions, or set XDG_CACHE_HOME to another folder"

  /// Whether answers can be cached, and how many are.
  func cache() -> [Check] {
    let folder = forage.paths.cacheFolder
    guard FileAccess.entry(folder) != nil else {
      var above = FileAccess.parent(of: folder)
      while above != "/", FileAccess.entry(above) == nil { above = FileAccess.parent(of: above) }
      return FileAccess.isDirectory(above) && FileAccess.canWrite(in: above)
        ? [Check("cache", .ok, "\(folder) does not exist yet")]
        : [warning("\(folder) cannot be created, so no answer is cached", Self.advice)]
    }
    guard FileAccess.isDirectory(folder) else {
      return [
        warning("\(folder) is not a folder, so no answer is cached", "move it away, or set XDG_CACHE_HOME")
      ]
    }
    guard FileAccess.canList(folder), FileAccess.canWrite(in: folder) else {
      return [warning("\(folder) cannot be written, so no answer is cached", Self.advice)]
    }
    let answers = forage.paths.answersFolder
    guard FileAccess.entry(answers) == nil || FileAccess.canRead(answers) else {
      return [
        warning(
          "\(answers) cannot be read", "check its permissions, or delete it; it contains only cached data")
      ]
    }
    return [usage(folder, answers)]
  }

  private func usage(_ folder: String, _ answers: String) -> Check {
    guard FileAccess.entry(answers) == nil || FileAccess.isDirectory(answers) else {
      return warning("\(answers) is not a folder, so no answer is cached", "delete it")
    }
    let (count, bytes) = HTTPCache(folder: answers).usage()
    let room = "\(HumanFormat.bytes(bytes)) of \(HumanFormat.bytes(HTTPCache.defaultMaximumBytes))"
    return Check("cache", .ok, "\(folder) holds \(HumanFormat.plural(count, "answer")), \(room)")
  }

  /// How big and how old the code index is, if there is one.
  func code() -> [Check] {
    let index = forage.searchedCodeIndex
    do throws(StoreError) {
      guard let usage = try index.usage() else { return [] }
      let size =
        (FileAccess.entry(index.path)?.size ?? 0) + (FileAccess.entry(index.path + "-wal")?.size ?? 0)
      guard try index.isSound() else {
        return [Check("code index", .warning, "\(index.path) is damaged", hint(.indexCode))]
      }
      let age = usage.indexedAt.map { ", updated \(HumanFormat.age($0, now: forage.now))" } ?? ""
      return [
        Check(
          "code index", .ok,
          "\(index.path) holds \(HumanFormat.plural(usage.clones, "clone")), "
            + "\(HumanFormat.bytes(usage.textBytes)) of text in \(HumanFormat.bytes(size))\(age)")
      ]
    } catch {
      return [Check("code index", .warning, error.message, error.hint)]
    }
  }

  /// Whether `forage grep` can run rg.
  private var ripgrep: Check {
    guard let program = forage.ripgrepProgram else {
      return Check(
        "grep", .warning, "rg (ripgrep), which forage grep runs, is not installed",
        "on Debian, run: apt install ripgrep")
    }
    return Check("grep", .ok, "\(program) is run by forage grep")
  }

  /// Whether the actions can run; none where there are none, or where the settings cannot be read.
  private func actions(_ settings: Settings?) -> [Check] {
    let actions = settings.map(forage.actions) ?? []
    guard !actions.isEmpty else { return [] }
    let checks = forage.faults(of: actions).map { Check("actions", .warning, $0.message, $0.hint) }
    let list = HumanFormat.plural(actions.count, "action")
    return checks.isEmpty ? [Check("actions", .ok, "\(list) can run (see: forage act)")] : checks
  }

  private func warning(_ message: String, _ hint: String) -> Check {
    Check("cache", .warning, message, hint)
  }
}

extension Diagnosis {
  /// Each plugin and manifest, and why one is not used; a trusted plugin is started.
  func external(_ settings: Settings?) async -> [Check] {
    let installed = forage.installed()
    var checks = installed.rows.compactMap { row in
      row.problem.map { problem in
        Check(
          row.type.rawValue, row.state == .broken ? .problem : .warning, problem.message,
          hint(problem))
      }
    }
    guard let settings else { return checks }
    checks += unsetSecrets(settings, installed)
    let usable = installed.plugins.plugins.filter { installed.problem(of: $0) == nil }
    // What is wrong with the settings of one has been told.
    let broken = Set(settings.brokenProviders.map(\.id))
    let providers = usable.flatMap { plugin in
      broken.contains(plugin.id)
        ? [] : forage.providers(of: plugin, settings).filter { !broken.contains($0.info.id) }
    }
    checks += await concurrently(providers) { provider in await start(provider, settings) }
    var unused: [String] = []
    checks += installed.manifests.found.compactMap { found -> Check? in
      let id = found.manifest.id
      if broken.contains(id) { return nil }
      let provider = forage.provider(of: found, id: id, settings)
      if let error = (provider as? UnusableProvider)?.error {
        guard forage.isEnabled(id, settings) else {
          return Check(
            "manifest", .ok, "\(id) is not enabled; to use it: \(error.message)",
            hint(error))
        }
        return Check(
          "manifest", .problem, "\(id): \(error.message)", hint(error),
          isOfSettings: error.code == .configuration)
      }
      guard forage.isEnabled(id, settings) else {
        unused.append(id)
        return nil
      }
      return Check("manifest", .ok, "\(id) is enabled\(additions(id))")
    }
    // Further instances of manifests that cannot be asked.
    checks += forage.externalProviders(settings, RequestOptions()).compactMap { provider in
      guard let provider = provider as? UnusableProvider,
        let type = settings.providers[provider.info.id]?.type, installed.manifest(type) != nil,
        !broken.contains(provider.info.id)
      else { return nil }
      return Check(
        provider.info.id, .problem, provider.error.message, hint(provider.error),
        isOfSettings: provider.error.code == .configuration)
    }
    if !unused.isEmpty {
      checks.append(
        Check(
          "manifest", .ok, "valid, and used when named or enabled: \(unused.joined(separator: ", "))"))
    }
    return checks
  }

  /// A warning where no bundled manifest is found.
  func bundle() -> [Check] {
    forage.installed().missingBundle.map { missing in
      [Check("manifest", .warning, missing, hint(.installManifest))]
    } ?? []
  }

  /// Secrets of enabled providers whose variables are not set.
  private func unsetSecrets(_ settings: Settings, _ installed: InstalledProviders)
    -> [Check]
  {
    let entries = settings.providers.sorted { $0.key < $1.key }.filter { id, _ in
      let ids = installed.plugins[id]?.manifest.providerIDs ?? [id]
      return !settings.absent.contains { $0.id == id }
        && ids.contains { forage.isEnabled($0, settings) }
    }
    return entries.flatMap { id, entry -> [Check] in
      let token = forage.forges.first { $0.id == id }?.tokenVariable.map { ("token", $0) }
      let secrets = entry.secrets.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
        .filter { !installed.lacks(secret: $0.0, of: id) }
      return (secrets + [token].compactMap(\.self)).compactMap { name, variable -> Check? in
        guard forage.environment[variable]?.isEmpty ?? true else { return nil }
        let unset = Forage.unset(name, of: id, variable)
        return Check("secrets", .warning, unset.message, unset.hint)
      }
    }
  }

  /// What a plugin or manifest adds to the program, and the file that says so, to stand behind a sentence.
  private func additions(_ id: String) -> String {
    let installed = forage.installed()
    let owner = installed.ids.plugin(ofProvider: id) ?? id
    guard let source = installed.source(of: id), let row = installed.rows.first(where: { $0.id == owner }),
      !row.additions.isEmpty
    else { return "" }
    return "; \(source.path) adds \(row.additions)"
  }

  private func use(of id: String, _ settings: Settings) -> String {
    forage.isEnabled(id, settings)
      ? "enabled" : "valid, and used when it is named or enabled"
  }

  private func start(_ provider: any SearchProvider, _ settings: Settings) async -> Check {
    let id = provider.info.id
    if let error = (provider as? UnusableProvider)?.error {
      return Check(
        "plugin", .problem, "\(id): \(error.message)", hint(error),
        isOfSettings: true)
    }
    do {
      let begin = ContinuousClock.now
      try await (provider as? PluginProvider)?.start(by: begin + SearchOptions.defaultTimeout)
      let time = HumanFormat.duration(ContinuousClock.now - begin)
      return Check(
        "plugin", .ok, "\(id) starts in \(time) and is \(use(of: id, settings))\(additions(id))")
    } catch {
      let failure = error as? SearchError
      return Check(
        "plugin", .problem, failure?.message ?? "\(id) does not start: \(error)",
        failure.map { hint($0) })
    }
  }
}
