import ForageCore
import ForageGit
import ForageLocal
import ForageManifest
import ForagePluginHost
import ForageStore

/// The names on this machine that completions can offer; those that cannot be read are left out.
package struct CompletionSource {
  private let forage: Forage
  private let settings: Settings

  package init(_ environment: [String: String]?) {
    forage = Forage(ForageSetup(environment: environment), reportingTo: Reporter())
    settings = (try? forage.settings()) ?? Settings()
  }

  /// The ids of the forges.
  package var forges: [String] {
    // Of manifests those that the user has set up.
    let own = settings.providers.keys.filter { forage.installed().manifest($0)?.manifest.forge != nil }
      .sorted()
    return (forage.forges.map(\.id) + own + settings.added).unique
  }

  package var providers: [String] {
    (forges + BuiltInProvider.types.map(\.name) + forage.installed().ids.providers + settings.added).unique
  }

  package var plugins: [String] { forage.installed().rows.map(\.id).unique }

  private var abilities: [(kind: ResultKind, abilities: Abilities)] {
    let installed = forage.installed()
    let all =
      BuiltInProvider.all.map(\.kinds) + installed.manifests.found.map(\.manifest.abilities)
      + installed.plugins.plugins.flatMap { $0.manifest.providers.map(\.kinds) }
    return all.flatMap { $0.map { ($0.key, $0.value) } }
  }

  package var kinds: [String] {
    let known = abilities.map(\.kind.rawValue)
    return Set(known + [ResultKind.pullRequest.rawValue]).sorted()
  }

  package var sorts: [String] {
    Set(abilities.flatMap { $0.abilities.sorts + ($0.abilities.feed?.sorts ?? []) }).sorted()
  }

  private var store: Store? { try? forage.store.existing() }

  package var cloneFolders: [String] { ((try? store?.cloneFolders()) ?? []).map(\.path) }

  package var clonePaths: [String] { ((try? store?.clones()) ?? []).map(\.path) }

  /// The paths and patterns that the command `clones ignore` has written.
  package var ignored: [String] { IgnoredClones(beside: forage.paths.configFile).read().content }

  package var savedSearches: [String] { ((try? forage.savedSearches()) ?? []).map(\.name) }

  package var favorites: [String] {
    ((try? store?.favorites()) ?? []).map { forage.shortName($0.spelledID) }
  }

  package func references(beginning typed: String) -> [String] {
    (favorites + clones(beginning: typed)).unique
  }

  /// The files and folders at a path that is typed up to a slash at least; beside an only folder what is in
  /// it, so that no space ends the path there.
  package func files(beginning typed: String) -> [String] {
    guard let slash = typed.lastIndex(of: "/") else { return [] }
    let start = typed[slash...].dropFirst()
    let found = entries(String(typed[...slash])) {
      $0.hasPrefix(start) && (!start.isEmpty || !$0.hasPrefix("."))
    }
    guard found.count == 1, found[0].hasSuffix("/") else { return found }
    return found + entries(found[0]) { !$0.hasPrefix(".") }
  }

  /// What is in a folder, folders with a slash at their end. Shells split words at spaces.
  private func entries(_ folder: String, _ isWanted: (String) -> Bool) -> [String] {
    let place = folder.hasPrefix("~/") ? forage.paths.home + folder.dropFirst() : folder
    return FileAccess.names(in: place).filter { isWanted($0) && !$0.contains(where: \.isWhitespace) }.sorted()
      .map {
        folder + $0 + (FileAccess.isDirectory(place + $0) ? "/" : "")
      }
  }

  /// The repositories of the clones and, where a beginning is typed, each name that only one clone has.
  package func clones(beginning typed: String) -> [String] {
    let clones = (try? store?.clones()) ?? []
    // Beside the names with their owners they would say everything twice.
    let names =
      typed.isEmpty
      ? []
      : Dictionary(grouping: clones) { $0.name.lowercased() }.values.filter { $0.count == 1 }
        .flatMap { $0.map(\.name) }.sorted()
    return (clones.compactMap(\.entityName).map(forage.shortName) + names).unique
  }
}
