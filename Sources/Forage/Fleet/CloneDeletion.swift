import ForageCore
import ForageFoundation
package import ForageGit
import ForageLocal
import ForagePlatform
import ForageStore

/// A clone that may be deleted, as it was looked at.
package struct DeletableClone: Sendable {
  package let clone: CloneState
  /// Why it must not be deleted without being asked for it; empty where all its work is on a remote.
  package var risks: [Risk] { look.risks }
  /// The bytes on disk, with the linked work trees.
  package let size: Int
  /// Files that git ignores, which would be lost.
  package let ignored: IgnoredFiles
  /// Linked work trees in other folders, which are deleted with it.
  package var worktrees: [String] { look.worktrees }
  /// Other repositories in these folders, which are deleted with it.
  package var inner: [String] { look.inner }
  fileprivate let look: Look

  /// What somebody must know of who agrees.
  fileprivate struct Look: Sendable {
    var risks: [Risk] = []
    var worktrees: [String] = []
    var inner: [String] = []
    /// What the references name, `HEAD` among them.
    var commits: [String] = []
  }

  package enum Risk: Sendable, Hashable {
    case work(UnsavedWork)
    /// A repository in it has work that is nowhere else, or cannot be read.
    case inner(String)
    /// Other clones need its objects.
    case lends
    /// It was chosen by words or conditions, and clones in it were not.
    case others([String])
    /// It cannot be read, for a reason.
    case unreadable(String)
    /// The folder has something that is more than a clone, and is never deleted.
    case holds(String)

    /// What it is, as a clause.
    package var text: String {
      switch self {
      case .work(let work): work.text
      case .inner(let path): "\(path) in it has work that is nowhere else"
      case .lends: "another clone borrows its objects"
      case .others(let paths):
        "clones in it were not chosen: \(paths.joined(separator: ", "))"
      case .unreadable(let reason): reason
      case .holds(let what): "it holds \(what)"
      }
    }

    /// Whether it may be deleted by somebody who knows of it.
    package var canBeForced: Bool { if case .holds = self { false } else { true } }
  }
}

/// Files that git ignores.
package struct IgnoredFiles: Sendable {
  package var count = 0
  package var size = 0
  /// The largest, with their sizes in bytes, the largest one first.
  package var largest: [(path: String, size: Int)] = []
  fileprivate static let shown = 3
}

/// What became of a clone that was to be deleted.
package struct CloneDeletionResult: Sendable {
  package enum Status: String, Sendable {
    case deleted
    /// It holds work.
    case left
    case failed
  }

  package var clone: CloneState
  package var status: Status
  package var reason: String?
  package var hint = ""
  package var size: Int?

  package init(clone: CloneState, status: Status, size: Int? = nil) {
    (self.clone, self.status, self.size) = (clone, status, size)
  }
}

/// Deletes clones whose work is all on a remote.
package struct CloneDeletion: Sendable {
  private let forage: Forage
  /// The clones whose objects others outside of them need.
  private let lenders: Set<String>
  /// The clones that are to be deleted.
  private let chosen: Set<String>
  /// Those of them that were named.
  private let named: Set<String>
  /// All clones of the catalogue.
  private let catalogued: [String]

  /// Looks at which clones lend their objects.
  ///
  /// - Parameter named: The paths of those that were named, and not chosen by words or conditions.
  package init(_ forage: Forage, _ clones: [CloneState], named: Set<String>) async throws {
    (self.forage, self.named) = (forage, named)
    chosen = Set(clones.map(\.path))
    catalogued = try forage.store.existing()?.clonePaths().sorted() ?? []
    lenders = try await CloneState.lenders(among: chosen, forage)
  }

  /// Looks at clones; nothing is changed.
  ///
  /// - Parameter each: Takes the clones in their order.
  /// - Throws: What `each` throws; `CancellationError`.
  package func look(at clones: [CloneState], each: (DeletableClone) throws -> Void) async throws {
    var done = 0
    let show = forage.reporter.progress
    defer { show(nil) }
    try await inOrder(clones, width: BlockingGit.width) {
      await look(at: $0)
    } each: { _, found in
      done += 1
      show("looking at \(done) of \(HumanFormat.plural(clones.count, "clone"))")
      if let found { try each(found) }
    }
  }

  /// - Returns: `nil` after an interruption.
  private func look(at clone: CloneState) async -> DeletableClone? {
    let path = clone.path
    return try? await BlockingGit.run { isCancelled throws(GitError) in
      let look = try self.check(path, lenders: lenders, isCancelled)
      var usage = DiskUsage()
      for folder in [path] + look.worktrees { try usage.add(Array(folder.utf8), isCancelled) }
      var ignored = IgnoredFiles()
      for root in [path] + look.worktrees + look.inner {
        guard let repository = try? GitRepository.open(root, loadsReferences: false) else { continue }
        let folder = repository.worktree ?? root
        for part in [""] + repository.checkedOutSubmodules().map({ "/" + $0 }) {
          guard let part = try? GitRepository.open(folder + part, loadsReferences: false),
            let files = try? part.ignoredFiles(isCancelled)
          else { continue }
          ignored.add(files, in: part.worktree ?? folder, below: path)
        }
      }
      return DeletableClone(clone: clone, size: usage.bytes, ignored: ignored, look: look)
    }
  }

  /// Looks for what deleting a clone may lose.
  ///
  /// - Throws: `GitError` with code `cancelled`.
  private func check(_ path: String, lenders: Set<String>, _ isCancelled: () -> Bool) throws(GitError)
    -> DeletableClone.Look
  {
    var look = DeletableClone.Look()
    do throws(GitError) {
      let repository = try GitRepository.open(path)
      if !repository.isLinkedWorktree {
        look.worktrees = repository.linkedWorktrees().map(\.path).filter {
          FileAccess.isDirectory($0) && !FileAccess.isInside($0, path)
        }
      }
      let unsaved = try repository.allUnsavedWork(deleting: path, isCancelled)
      look.risks = unsaved.reasons.map { reason in
        if reason == .innerRepository, let path = unsaved.inner.unsaved {
          .inner(path)
        } else {
          .work(reason)
        }
      }
      look.inner = unsaved.inner.folders
      look.commits =
        [repository.refs.head.commit?.description ?? ""]
        + repository.refs.all.map { "\($0.name) \($0.target)" }
    } catch {
      if error.code == .cancelled { throw error }
      look.risks.append(.unreadable(error.message))
    }
    // The catalogue knows them also where the folder could not be looked at.
    let known = catalogued.filter { clone in
      ([path] + look.worktrees).contains { clone != $0 && FileAccess.isInside(clone, $0) }
    }
    look.inner = Set(look.inner).union(known).sorted()
    // Those of package managers and the like, which the catalogue leaves out, are part of the clone.
    let others = known.filter { !chosen.contains($0) }
    if !named.contains(path), !others.isEmpty { look.risks.append(.others(others)) }
    if lenders.contains(path) { look.risks.append(.lends) }
    for folder in [path] + look.worktrees {
      if let held = held(in: folder) { look.risks.append(.holds(held)) }
    }
    return look
  }

  /// What a folder holds that nobody means by deleting a clone: a repository can have a whole home folder as its work tree.
  private func held(in path: String) -> String? {
    let paths = forage.paths
    let kept = [
      (paths.home, "your home folder"), (paths.configHome, "your settings"),
      (paths.storeFile, "the catalogue"),
    ]
    for (place, what) in kept {
      if let real = FileAccess.realPath(place), real == path || FileAccess.isInside(real, path) {
        return what
      }
    }
    let others = (try? forage.store.existing()?.cloneFolders().map(\.path)) ?? []
    return others.contains { $0 != path && FileAccess.isInside($0, path) } ? "a folder of the catalogue" : nil
  }

  /// Deletes clones one after the other. What is begun is finished also after an interruption, then it ends without an error.
  ///
  /// Each one is looked at again: what became unsafe meanwhile, or is not what was agreed to, is left alone.
  ///
  /// - Parameters:
  ///   - agreed: The paths of those that may be deleted for all the risks that were found.
  ///   - ended: Takes each result as soon as it is known.
  package func delete(
    _ clones: [DeletableClone], agreed: Set<String>, ended: (CloneDeletionResult) throws -> Void
  ) async throws {
    try await FleetLock.hold(forage) {
      let lenders: Set<String>
      do { lenders = try await CloneState.lenders(among: chosen, forage) } catch is CancellationError {
        return
      }
      // A clone can be the work tree of another one, or lie in it.
      var gone: Set<String> = []
      for found in clones {
        let path = found.clone.path
        var result = CloneDeletionResult(clone: found.clone, status: .deleted, size: found.size)
        if !gone.contains(where: { path == $0 || FileAccess.isInside(path, $0) }) {
          let fresh = try? await BlockingGit.run { isCancelled throws(GitError) in
            try self.check(path, lenders: lenders, isCancelled)
          }
          guard let fresh else { return }
          if let reason = Self.objection(to: found, fresh, isAgreed: agreed.contains(path), gone) {
            (result.status, result.reason) = (.left, reason)
          } else if let failure = await remove(path, fresh.worktrees, &gone) {
            (result.status, result.reason, result.hint) = (.failed, failure.message, failure.hint)
          }
        }
        try ended(result)
      }
    }
  }

  /// Why a clone is not deleted after all.
  private static func objection(
    to found: DeletableClone, _ fresh: DeletableClone.Look, isAgreed: Bool, _ gone: Set<String>
  ) -> String? {
    if let risk = fresh.risks.first, !isAgreed || fresh.risks.contains(where: { !$0.canBeForced }) {
      return risk.text
    }
    if Set(fresh.worktrees) != Set(found.worktrees).subtracting(gone) {
      return "its linked work trees have changed meanwhile"
    }
    if !Set(fresh.inner).isSubset(of: found.inner) { return "there are other repositories in it meanwhile" }
    let isAsAgreed = fresh.risks == found.risks && fresh.commits == found.look.commits
    return isAgreed && !isAsAgreed ? "it has changed meanwhile" : nil
  }

  /// - Parameter gone: Takes the folders that are deleted.
  /// - Returns: Why not everything is gone.
  private func remove(_ path: String, _ worktrees: [String], _ gone: inout Set<String>) async -> ForageError?
  {
    let worktree = try? GitRepository.open(path, loadsReferences: false)
    let record = worktree?.isLinkedWorktree == true ? worktree?.gitDir : nil
    for folder in worktrees + [path] {
      // Under another name first: nothing takes a folder for a clone of which a part is gone.
      let doomed: UnfinishedClone
      do throws(GitError) {
        UnfinishedClone.removeAbandoned(in: FileAccess.parent(of: folder))
        doomed = try UnfinishedClone(for: folder)
        guard rename(folder, doomed.clone) == 0 else {
          let reason = String(cString: strerror(errno))
          doomed.remove()
          return ForageError(
            "\(folder) cannot be deleted: \(reason)", hint: "check the permissions of the folder above it")
        }
      } catch {
        return ForageError("\(folder) cannot be deleted: \(error.message)", hint: error.hint)
      }
      gone.insert(folder)
      await Task { @concurrent in doomed.remove() }.value
      if FileAccess.entry(doomed.path, follow: false) != nil {
        return ForageError(
          "a part of \(folder) cannot be deleted",
          hint: "check the permissions of what is left in \(doomed.path)")
      }
    }
    if let record { try? FileManager.default.removeItem(atPath: record) }
    do {
      let store = try forage.store.writable()
      try store.removeClones(worktrees + [path])
    } catch {
      forage.reporter.warnOnce(
        "deleted clones are still in the catalogue", hint: "update it with: forage clones scan")
    }
    return nil
  }
}

/// The bytes that files take on disk.
struct DiskUsage {
  private(set) var bytes = 0
  /// Files with several names, which count once.
  private var seen: Set<[UInt64]> = []

  /// The unit of `st_blocks` (POSIX leaves it open; Linux and macOS use this one).
  private static let blockSize = 512

  /// Adds a file, or a folder with everything in it; links are not followed.
  mutating func add(_ path: [UInt8], _ isCancelled: () -> Bool) throws(GitError) {
    var status = stat()
    guard lstat(path.map { CChar(bitPattern: $0) } + [0], &status) == 0 else { return }
    if status.st_nlink > 1, status.st_mode & S_IFMT != S_IFDIR {
      guard seen.insert([UInt64(status.st_dev), UInt64(status.st_ino)]).inserted else { return }
    }
    bytes += Int(status.st_blocks) * Self.blockSize
    guard status.st_mode & S_IFMT == S_IFDIR else { return }
    if isCancelled() { throw .cancelled }
    for name in FileAccess.names(bytes: path) { try add(path + [UInt8(ascii: "/")] + name, isCancelled) }
  }
}

extension IgnoredFiles {
  /// - Parameters:
  ///   - root: The folder that the paths are relative to.
  ///   - clone: The clone; the paths of files in it are told from there.
  fileprivate mutating func add(_ files: [[UInt8]], in root: String, below clone: String) {
    // What ends with a slash is a repository of its own.
    for file in files where file.last != UInt8(ascii: "/") {
      guard let entry = FileAccess.entry(bytes: Array(root.utf8) + [UInt8(ascii: "/")] + file, follow: false)
      else { continue }
      count += 1
      size += entry.size
      guard largest.count < Self.shown || entry.size > largest.last?.size ?? 0 else { continue }
      let path = root + "/" + String(decoding: file, as: UTF8.self)
      largest.append(
        (FileAccess.isInside(path, clone) ? String(path.dropFirst(clone.count + 1)) : path, entry.size))
      largest = Array(largest.sorted { $0.size > $1.size }.prefix(Self.shown))
    }
  }
}
