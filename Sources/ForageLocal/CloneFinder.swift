import ForageGit

/// Finds the clones below a folder, also those inside other clones.
///
/// Symbolic links below the folder are not followed, and other file systems are entered like any folder.
/// Names are visited in byte order, so that two runs find the same.
package struct CloneFinder {
  /// Folders deeper than this below the registered one are not searched: `host/owner/group/…/name` needs six.
  package static let maximumDepth = 16
  /// Folders whose repositories are not the user's: of other tools, and of package managers, which fetch them
  /// again.
  private static let skipped = CloneProbe.toolFolders.union([
    ".Trash", ".cache", ".cargo", ".npm", ".pub-cache", ".swiftpm", ".terraform", ".venv", "SourcePackages",
    "_deps",
    "node_modules",
  ])
  /// The same, of folders whose name alone is too common, by the end of the path of the folder around them.
  private static let skippedInside = [
    "/.build": ["checkouts", "repositories"], "/Carthage": ["Checkouts"], "/Library": ["Caches"],
    "/pkg/mod": ["cache"], "/vendor": ["bundle"],
  ]

  package struct Findings {
    /// Absolute paths of clones, in byte order of their components.
    package var clones: [String] = []
    /// Submodules, and bare repositories in the work tree of a clone that was found or tracked by that which
    /// is searched: they are no clones of their own unless they are added by themselves.
    package var parts: [String] = []
    /// The clones inside which nothing but linked work trees was looked for.
    package var unsearched: Set<String> = []
    /// Folders that have nothing but folders, and no clone, as for the clones of an owner: those that are not
    /// deep, and not more than a check is worth.
    package var open: [String] = []
    /// Folders that could not be listed.
    package var unreadable: [String] = []
    /// Folders that were left out because their names are not UTF-8.
    package var nonUTF8: [String] = []
    /// Whether folders below the depth limit were left out.
    package var isCut = false
  }

  private struct Place {
    var path: String
    var depth: Int
    /// Whether it is in the work tree of a clone that was found below the folder of the search.
    var isInClone: Bool
  }

  private let root: String
  private let searchesInside: (String) -> Bool
  private var findings = Findings()
  private var pending: [Place] = []
  /// The clones that were found, so that a linked work tree is found once.
  private var seen: Set<String> = []
  /// Whether the searched folder, if it is a clone itself, tracks a file.
  private lazy var isTracked: (String) -> Bool =
    CloneProbe.hasGit(root)
    ? (try? GitRepository.open(root))?.trackedFiles() ?? { _ in false } : { _ in false }

  /// Searches a folder.
  ///
  /// - Parameters:
  ///   - root: An absolute path; it can be a clone itself.
  ///   - isIgnored: Whether a folder is left out, with everything in it; true also for all folders in it.
  ///   - searchesInside: Whether to look for clones in the work tree of a clone, which takes long; that of
  ///     `root` is always searched.
  ///   - progress: Called at each folder with the number of clones found so far.
  package static func find(
    in root: String, isIgnored: (String) -> Bool = { _ in false },
    searchesInside: @escaping (String) -> Bool = { _ in true }, isCancelled: () -> Bool,
    progress: (Int) -> Void = { _ in }
  ) -> Findings {
    var finder = CloneFinder(root: root, searchesInside: searchesInside)
    finder.pending = [Place(path: root, depth: 0, isInClone: false)]
    while let place = finder.pending.popLast(), !isCancelled() {
      if isIgnored(place.path) { continue }
      progress(finder.findings.clones.count)
      finder.visit(place)
    }
    // Linked work trees are found with the clone that they belong to.
    finder.closeFolders()
    finder.findings.clones.sort { first, second in
      first.utf8.lexicographicallyPrecedes(second.utf8) { ($0 == slash ? 0 : $0) < ($1 == slash ? 0 : $1) }
    }
    return finder.findings
  }

  private static let slash = UInt8(ascii: "/")

  private init(root: String, searchesInside: @escaping (String) -> Bool) {
    (self.root, self.searchesInside) = (root, searchesInside)
  }

  private mutating func visit(_ place: Place) {
    let path = place.path
    if CloneProbe.hasGit(path) {
      guard seen.insert(path).inserted else { return }
      if path != root, CloneProbe.isSubmodule(path) { findings.parts.append(path) } else { add(place) }
      return enterClone(place)
    }
    guard let names = folders(in: path) else { return }
    if names.contains(Self.objects), CloneProbe.looksBare(path) {
      // That of a folder with a `.git` which leads here is not another one.
      let parent = FileAccess.parent(of: path)
      guard !CloneProbe.hasGit(parent) || CloneProbe.root(above: path) != parent else { return }
      let relative = String(
        decoding: path.utf8.dropFirst(root == "/" ? 1 : root.utf8.count + 1), as: UTF8.self)
      let isPart = place.isInClone || isTracked(relative + "/HEAD")
      if isPart { findings.parts.append(path) } else { add(place) }
    } else if names.contains(Self.jujutsu), CloneProbe.isClone(path) {
      add(place)
      enterClone(place)
    } else {
      if !place.isInClone, place.depth <= Self.openDepth, FileAccess.names(in: path).count == names.count {
        findings.open.append(path)
      }
      enter(place, names)
    }
  }

  /// How deep a folder is looked at which may get a clone: that of an owner in a group is at this depth.
  private static let openDepth = 3
  private static let maximumOpen = 256

  /// Leaves folders out of those without a clone that have one.
  private mutating func closeFolders() {
    var above: Set<String> = [root]
    for clone in findings.clones {
      var folder = FileAccess.parent(of: clone)
      while folder.utf8.count > root.utf8.count, above.insert(folder).inserted {
        folder = FileAccess.parent(of: folder)
      }
    }
    findings.open = Array(findings.open.filter { !above.contains($0) }.prefix(Self.maximumOpen))
  }

  private static let objects = Array("objects".utf8)
  private static let jujutsu = Array(".jj".utf8)

  /// Adds a clone, and its linked work trees below the folder of the search to what is visited.
  private mutating func add(_ place: Place) {
    findings.clones.append(place.path)
    for worktree in CloneProbe.worktrees(of: place.path)
    where FileAccess.isInside(worktree, root) && CloneProbe.hasGit(worktree) {
      pending.append(Place(path: worktree, depth: place.depth + 1, isInClone: true))
    }
  }

  /// Visits the folders in a work tree, if these are searched.
  private mutating func enterClone(_ place: Place) {
    guard place.path == root || searchesInside(place.path) else {
      findings.unsearched.insert(place.path)
      return
    }
    var place = place
    place.isInClone = place.path != root
    if let names = folders(in: place.path) { enter(place, names) }
  }

  /// The names of the folders in a folder, as bytes; nil if it cannot be listed.
  private mutating func folders(in path: String) -> [[UInt8]]? {
    if FileAccess.canList(path) { return FileAccess.folders(in: path) }
    findings.unreadable.append(path)
    return nil
  }

  /// Adds the folders in a folder to what is visited.
  private mutating func enter(_ place: Place, _ names: [[UInt8]]) {
    let path = place.path
    let skipped = Self.skippedInside.first { path.hasSuffix($0.key) }?.value ?? []
    var folders: [String] = []
    for bytes in names {
      let name = String(decoding: bytes, as: UTF8.self)
      if Self.skipped.contains(name) || skipped.contains(name) || UnfinishedClone.isName(name) { continue }
      let folder = FileAccess.join(path, name)
      // Other names cannot be represented as text.
      if name.utf8.elementsEqual(bytes) { folders.append(folder) } else { findings.nonUTF8.append(folder) }
    }
    if place.depth >= Self.maximumDepth {
      findings.isCut = findings.isCut || !folders.isEmpty
      return
    }
    // The last is taken first, so the reverse keeps the order.
    pending += folders.reversed().map { Place(path: $0, depth: place.depth + 1, isInClone: place.isInClone) }
  }
}
