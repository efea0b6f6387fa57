import ForageCore
import ForageGit
import ForageLocal
import ForagePlatform
package import ForageSetup
import ForageStore

/// Keeps the catalogue of clones in step with the folders it covers.
package struct ClonePreparation: Sendable {
  let forage: Forage

  package init(_ forage: Forage) { self.forage = forage }

  /// Scans folders that have never been scanned, so that a first search already finds what is there.
  ///
  /// A catalogue that cannot be written does not stop the search.
  ///
  /// - Parameter limit: How long it may take, `nil` for no limit; folders that are left are reported.
  package func scanWhatIsNew(within limit: Duration? = nil) async throws {
    guard let limit else { return try await scanWhatIsNew() }
    let done: Void? = try await Deadline.run(until: .now + limit) { try await scanWhatIsNew() }
    guard done == nil else { return }
    forage.reporter.warning(
      "there was no time to scan the folders of clones", forage.reporter.text(.scanClones))
  }

  private func scanWhatIsNew() async throws {
    let store: Store?
    // The next search reports a store that cannot be opened.
    do throws(StoreError) { store = try forage.store.existing() } catch { return }
    do {
      let new: [CloneFolder]
      if let store {
        new = try store.cloneFolders().filter { $0.scannedAt == nil }
      } else {
        new = GhqFolders.likely(environment: forage.environment).filter { !forage.ignored.contains($0) }.map {
          CloneFolder(path: $0, isFound: true)
        }
      }
      guard !new.isEmpty else { return }
      let writable = try forage.store.writable(isUrgent: true)
      for folder in new { try await scanNew(folder, writable) }
    } catch let error as StoreError {
      forage.reporter.problem("clones could not be scanned: " + error.message, error.hint)
    }
  }

  /// The attempts to record a scan while other processes write. Each waits as long as SQLite does, together
  /// as long as a command whose purpose is to write.
  private static let attempts = 6

  /// Scans a folder that has never been scanned, unless another process does so first.
  private func scanNew(_ folder: CloneFolder, _ store: Store) async throws {
    for attempt in 1...Self.attempts {
      do {
        let known = try store.cloneFolders().first { $0.path == folder.path }
        guard known?.scannedAt == nil else { return }
        if known == nil { try store.addCloneFolder(folder.path, isFound: folder.isFound) }
        _ = try await scan(folder, store)
        return
      } catch let error as StoreError where error.isBusy && attempt < Self.attempts {
        try Task.checkCancellation()
      }
    }
  }

  /// The folders of the catalogue, by path.
  package func folders() throws -> [String] {
    try forage.store.existing()?.cloneFolders().map(\.path) ?? []
  }

  package func hasClones() throws -> Bool { try forage.store.existing()?.hasClones() ?? false }

  /// Adds folders to the catalogue, scans them, and reports what was found. A folder that is ignored by its
  /// own path is not ignored any more.
  ///
  /// - Returns: Their real paths.
  /// - Throws: `ForageError` for a path that is no folder, and for one that something else ignores.
  package func add(_ folders: [String]) async throws -> [String] {
    try includeAgain(folders)
    let (store, paths) = try store(adding: folders)
    for path in paths { try await scanAndReport(CloneFolder(path: path, isFound: false), store) }
    return paths
  }

  /// Scans all folders of the catalogue, and reports what was found.
  ///
  /// - Parameters:
  ///   - folders: Folders that are added to the catalogue first.
  ///   - missing: Takes the path of each folder that does not exist; its clones stay in the catalogue.
  /// - Returns: Whether there are any folders.
  /// - Throws: `ForageError` for a path that is no folder.
  @discardableResult
  package func scanAll(adding folders: [String] = [], missing: (String) -> Void = { _ in }) async throws
    -> Bool
  {
    let store = try store(adding: folders).store
    let folders = try store.cloneFolders()
    for folder in folders {
      if forage.ignored.contains(folder.path) {
        forage.reporter.message("\(folder.path) is ignored, and not scanned")
        continue
      }
      guard FileAccess.isDirectory(folder.path) else {
        missing(folder.path)
        continue
      }
      try await scanAndReport(folder, store)
    }
    return !folders.isEmpty
  }

  /// The paths that a text means to a command that takes folders, too: its own, or those of the clones that
  /// it names.
  ///
  /// Its own is meant where it is written as a path, and where it is that of a clone or a folder of the
  /// catalogue, in a clone, or above clones.
  ///
  /// - Parameters:
  ///   - lastList: The list that numbers refer to.
  ///   - withIgnored: Whether clones that are ignored are named, too.
  /// - Throws: `ForageError` for a number that no clone has, for a name that clones of several repositories
  ///   have, and for an address of none.
  package func paths(
    _ text: String, lastList: () -> LastList? = { nil }, withIgnored: Bool = false
  ) throws -> [String] {
    if let path = forage.writtenPath(text) { return [Self.absolute(path)] }
    let path = Self.absolute(text)
    let names = try forage.cloneNames(withIgnored: withIgnored)
    guard !ReferencePath.isInClone(text), try !folders().contains(path),
      !names.clones.contains(where: { $0.path == path || FileAccess.isInside($0.path, path) })
    else { return [path] }
    // Without a list a number may be the name of a folder.
    let list = lastList()
    if list == nil, ReferencePath.exists(text), try ListNumbers(text) != nil { return [path] }
    guard let meaning = try names.meaning(of: text, in: list, takesFoldersWithin: false),
      meaning.group != .folder
    else { return [path] }
    if meaning.isByName { _ = try CloneNames.one(of: meaning.clones, named: text) }
    return meaning.clones.map(\.path)
  }

  /// Removes a folder and its clones from the catalogue, or ignores a clone of it, and reports that.
  ///
  /// A clone that another folder covers, and a folder that is searched without being added, are ignored, so
  /// that the next scan does not find them again.
  ///
  /// - Parameter path: As the catalogue has it.
  /// - Throws: `ForageError` for what is neither a folder nor a clone of the catalogue.
  package func remove(_ path: String) async throws {
    let known = try folders()
    let isClone = try forage.store.existing()?.clones().contains { $0.path == path } ?? false
    guard known.contains(path) else {
      if isClone { return try ignoreRemoved(path) }
      throw ForageError(
        "\(path) is neither a folder nor a clone of the catalogue",
        hint: known.isEmpty
          ? "there are no folders; add one with: forage clones add DIR"
          : "the folders are: \(known.joined(separator: ", "))")
    }
    let (store, forgotten) = try await forage.reporter.waiting(for: StoreAccess.name) {
      let store = try forage.store.writable()
      return (store, try store.removeCloneFolder(path) ?? 0)
    }
    forage.reporter.message(
      "\(path) is no longer searched; \(HumanFormat.plural(forgotten, "clone")) forgotten, nothing deleted")
    if isClone && known.contains(where: { $0 != path && FileAccess.isInside(path, $0) })
      || GhqFolders.find(environment: forage.environment).contains(path)
    {
      return try ignoreRemoved(path)
    }
    // A clone that another folder covers too is found again there.
    for other in try store.cloneFolders()
    where FileAccess.isInside(path, other.path) || FileAccess.isInside(other.path, path) {
      _ = try await scan(CloneFolder(path: other.path, isFound: other.isFound), store)
    }
  }

  /// The absolute path of a folder without links; the folder need not exist any more.
  package static func absolute(_ path: String) -> String {
    if let real = FileAccess.realPath(path) { return real }
    var names = path.hasPrefix("/") ? [] : (FileAccess.realPath(".") ?? "/").split(separator: "/")
    for name in path.split(separator: "/") where name != "." {
      if name == ".." { _ = names.popLast() } else { names.append(name) }
    }
    return "/" + names.joined(separator: "/")
  }

  /// The path of a folder without links.
  ///
  /// - Throws: `ForageError` for a path that is no folder.
  package static func folder(_ path: String, hint: String = "check the path") throws -> String {
    guard let real = FileAccess.realPath(path), FileAccess.isDirectory(real) else {
      throw ForageError("\(path) is not a folder", hint: hint)
    }
    return real
  }

  /// Opens the catalogue for a scan, and registers folders and those that the user's tools keep clones in.
  ///
  /// - Returns: The catalogue, and the real paths of the folders.
  /// - Throws: `ForageError` for a path that is no folder.
  private func store(adding folders: [String]) throws -> (store: Store, paths: [String]) {
    let paths = try folders.map { try Self.folder($0, hint: "check the path; nothing was added") }
    let end = forage.reporter.waitsFor(StoreAccess.name)
    defer { end() }
    let store = try forage.store.writable()
    for path in GhqFolders.find(environment: forage.environment) where !forage.ignored.contains(path) {
      try store.addCloneFolder(path, isFound: true)
    }
    for path in paths { try store.addCloneFolder(path, isFound: false) }
    return (store, paths)
  }

  /// Registers the folder below which `forage clone` places clones, unless a registered folder covers it, and
  /// scans a new one.
  ///
  /// - Parameter root: An absolute path without links.
  /// - Returns: The registered folder that the clones belong to, and whether it was registered now.
  func register(_ root: String, _ store: Store) async throws -> (folder: String, isNew: Bool) {
    if let covering = try store.cloneFolders().first(where: { Self.covers($0.path, root) }) {
      return (covering.path, false)
    }
    try store.addCloneFolder(root, isFound: false)
    _ = try await scan(CloneFolder(path: root, isFound: false), store)
    return (root, true)
  }

  /// Whether each scan of a folder looks into another one: it searches the work tree of the folder itself,
  /// and of other clones only when they are new or have changed.
  private static func covers(_ folder: String, _ inner: String) -> Bool {
    var path = inner
    while path != folder {
      guard path.utf8.count > folder.utf8.count, !CloneProbe.isClone(path) else { return false }
      path = FileAccess.parent(of: path)
    }
    return true
  }

  /// Scans one folder and reports how far it is.
  private func scan(_ folder: CloneFolder, _ store: Store) async throws -> ScanSummary {
    let show = forage.reporter.progress
    defer { show(nil) }
    let catalogue = CloneCatalogue(store: store, hosts: forage.remoteHosts, ignored: forage.ignored)
    return try await catalogue.scan(folder) { progress in
      show(
        progress.done == 0
          ? "scanning \(progress.folder): \(HumanFormat.plural(progress.total, "clone")) found"
          : "scanning \(progress.folder): \(HumanFormat.grouped(progress.done)) of "
            + HumanFormat.plural(progress.total, "clone"))
    }
  }

  /// Reports that a folder of the catalogue is unavailable, as of an unmounted disk, and that its clones are
  /// not forgotten.
  package func reportUnavailable(_ folder: String) {
    forage.reporter.problem(
      "\(folder) \(FileAccess.isDirectory(folder) ? "is empty" : "does not exist"); its clones stay in the catalogue",
      "mount the disk that has them, or remove them: forage clones remove \(folder.shellQuoted)")
  }

  /// Scans a folder, unless it has lost all its clones at once: the disk that has them may not be mounted.
  private func scanAndReport(_ folder: CloneFolder, _ store: Store) async throws {
    if FileAccess.canList(folder.path), FileAccess.isEmpty(folder.path),
      try store.clones().contains(where: { $0.folder == folder.path })
    {
      return reportUnavailable(folder.path)
    }
    let summary = try await scan(folder, store)
    var parts = [
      HumanFormat.plural(summary.clones, "clone"), "\(HumanFormat.grouped(summary.opened)) new or changed",
    ]
    if summary.removed > 0 { parts.append("\(summary.removed) gone") }
    if !summary.failed.isEmpty { parts.append("\(summary.failed.count) damaged or unreadable") }
    let reporter = forage.reporter
    reporter.message("\(folder.path): " + parts.joined(separator: ", "))
    for clone in summary.failed.prefix(Self.named) {
      let message = clone.message.contains(clone.path) ? clone.message : "\(clone.path): \(clone.message)"
      reporter.problem(message, reporter.text(.unreadableClone(at: clone.path)))
    }
    if summary.failed.count > Self.named {
      let more = HumanFormat.plural(summary.failed.count - Self.named, "more clone")
      reporter.problem("\(more) could not be read", reporter.text(.listClones))
    }
    if let first = summary.parts.first {
      reporter.message(
        "\(HumanFormat.plural(summary.parts.count, "submodule or bare repository", "submodules or bare repositories")) "
          + "inside clones left out: \(Self.names(summary.parts)); to add one, run: forage clones add \(first.shellQuoted)"
      )
    }
    if !summary.unreadable.isEmpty {
      reporter.problem(
        "\(Self.names(summary.unreadable)) cannot be listed", "check the permissions of the folder")
    }
    for path in summary.nonUTF8 {
      reporter.problem("\(path) was left out: its name is not UTF-8", "rename the folder")
    }
    if summary.isCut {
      reporter.problem(
        "folders nested very deep in \(folder.path) were left out", "add them by themselves")
    }
  }

  /// How many of what could not be read are named.
  private static let named = 3

  /// The first paths, and how many more there are.
  private static func names(_ paths: [String]) -> String {
    let more = paths.count - named
    return paths.prefix(named).joined(separator: ", ") + (more > 0 ? " and \(more) more" : "")
  }
}
