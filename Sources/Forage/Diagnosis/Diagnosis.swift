package import ForageCore
import ForageGit
import ForageStore

/// Checks settings, store, clones, cache, tokens, providers and plugins.
package struct Diagnosis: Sendable {
  let services: Services

  package init(_ services: Services) { self.services = services }

  /// The result of a check.
  package enum Verdict: String, Sendable {
    case ok, warning, problem
  }

  /// What to do about something that was checked.
  package enum Advice: Sendable {
    case hint(String)
    case remedy(Remedy)
    /// What follows from an error of a provider; whether the advice is for a search.
    case error(SearchError, isOfSearch: Bool)
  }

  /// One thing that was checked.
  package struct Check: Sendable {
    package var name: String
    package var verdict: Verdict
    package var message: String
    package var advice: Advice?
    /// Whether the settings or the environment have to be changed.
    package var isOfSettings = false

    init(
      _ name: String, _ verdict: Verdict, _ message: String, _ advice: Advice? = nil,
      isOfSettings: Bool = false
    ) {
      (self.name, self.verdict, self.message) = (name, verdict, message)
      (self.advice, self.isOfSettings) = (advice, isOfSettings)
    }
  }

  /// Runs every check. Each enabled GitHub server gets one or two requests, and each trusted plugin is started.
  ///
  /// - Throws: `CancellationError`.
  package func run() async throws -> [Check] {
    let (settings, check) = settings()
    var checks = [check] + absent(settings) + bundle()
    checks += store() + cache() + code()
    checks += await services.waiting(for: "servers") { await github(settings) }
    checks += await services.waiting(for: "plugins") { await external(settings) }
    try Task.checkCancellation()
    return checks
  }

  /// The settings, `nil` when they cannot be read, and their check.
  private func settings() -> (Settings?, Check) {
    let path = services.directories.configFile
    do {
      let settings = try services.settings()
      let message = FileAccess.isFile(path) ? "\(path) is fine" : "\(path) does not exist; defaults are used"
      return (settings, Check("settings", .ok, message))
    } catch {
      let failure = error as? ForageError
      return (
        nil,
        Check(
          "settings", .problem, failure?.message ?? "\(error)",
          failure.map { $0.remedy.map(Advice.remedy) ?? .hint($0.hint) }, isOfSettings: true)
      )
    }
  }

  /// Settings for providers that do not exist.
  private func absent(_ settings: Settings?) -> [Check] {
    (settings?.absent ?? []).map { entry in
      let problem = Settings.problem(ofAbsent: entry)
      return Check("settings", .warning, problem.message, .remedy(.installProvider))
    }
  }

  private func store() -> [Check] {
    let path = services.store.path
    do {
      guard let store = try services.store.existing() else {
        return [Check("store", .ok, "\(path) does not exist yet", .remedy(.addCloneFolder))]
      }
      guard try store.passesIntegrityCheck() else {
        return [
          Check(
            "store", .problem, "\(path) is damaged",
            .hint("move it away, then add favorites and clone folders again"))
        ]
      }
      return [Check("store", .ok, "\(path) is sound")] + (try clones(store))
    } catch {
      return [Check("store", .problem, error.message, .hint(error.hint))]
    }
  }

  private func clones(_ store: Store) throws(StoreError) -> [Check] {
    let folders = try store.cloneFolders()
    let missing = folders.filter { !FileAccess.isDirectory($0.path) }.map { folder in
      Check(
        "clones", .warning, "\(folder.path) does not exist", .remedy(.removeCloneFolder(folder.path)))
    }
    let clones = try store.clones()
    let unreadable = clones.compactMap { clone in
      clone.error.map {
        Check(
          "clones", .warning, "\(clone.path) cannot be read: \($0)", .remedy(.unreadableClone(at: clone.path))
        )
      }
    }
    let summary =
      "\(HumanFormat.plural(clones.count, "clone")) in \(HumanFormat.plural(folders.count, "folder"))"
    return [Check("clones", .ok, summary)] + missing + unreadable
  }
}
