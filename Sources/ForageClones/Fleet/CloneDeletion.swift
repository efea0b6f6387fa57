import ForageCore
package import ForageFoundation
package import ForageGit
import ForageLocal
package import ForagePlatform
package import ForageSetup
import ForageStore

/// A clone that may be deleted, as it was looked at.
package struct DeletableClone: Sendable {
  package let clone: CloneState
  /// Why it must not be deleted without being asked for it; empty where all its work is on a remote.
  package var risks: [Risk] { look.risks }
  /// The bytes on disk.
  package let size: Int
  /// Files that git ignores, which would be lost.
  package let ignored: IgnoredFiles
  /// Other repositories in these folders, which are deleted with it.
  package var inner: [String] { look.inner }
  /// When its remotes were fetched last, where they are not asked; `nil` also where there is no trace of it.
  package var lastFetchAt: Date? { look.lastFetchAt }
  /// Whether it has objects of Git LFS of which nobody has asked whether a server has them.
  package var hasUncheckedLargeFiles: Bool { look.hasUncheckedLargeFiles }
  fileprivate let look: Look

  /// What somebody must know of who agrees.
  fileprivate struct Look: Sendable {
    var risks: [Risk] = []
    var inner: [String] = []
    var lastFetchAt: Date?
    var hasUncheckedLargeFiles = false
    /// What the references name, `HEAD` among them.
    var commits: [String] = []
    /// The bytes on disk.
    var size = 0
  }

  package enum Risk: Sendable, Hashable {
    case work(UnsavedWork)
    /// A remote did not answer, for a reason, so that it counts as having nothing.
    case unanswered(remote: String, String)
    /// These remote-tracking references name commits that their remotes have no more.
    case lost([String])
    /// Objects of Git LFS may be nowhere else, for a reason.
    case largeFiles(String)
    /// A repository in it has work that is nowhere else, or cannot be read.
    case inner(String)
    /// It was chosen by words or conditions, and clones in it were not.
    case others([String])
    /// It cannot be read, for a reason.
    case unreadable(String)
    /// Other clones need its objects: their paths.
    case lends([String])
    /// Linked work trees in other folders need its git directory: their paths.
    case worktrees([String])
    /// The folder has something that is more than a clone, and is never deleted.
    case holds(String)
    /// A path in it cannot be removed, for a reason.
    case fixed(String, reason: String)

    /// A clause that says what it is.
    package var text: String {
      switch self {
      case .work(let work): work.text
      case .unanswered(let remote, let reason): "\(remote) could not be asked: \(reason)"
      case .lost(let references): "its remote no longer has \(Self.list(references))"
      case .largeFiles(let reason): reason
      case .inner(let path): "\(path) in it has work that is nowhere else"
      case .others(let paths): "clones in it were not chosen: \(Self.list(paths))"
      case .unreadable(let reason): reason
      case .lends(let paths): "other clones borrow its objects: \(Self.list(paths))"
      case .worktrees(let paths): "it has linked work trees elsewhere: \(Self.list(paths))"
      case .holds(let what): "it holds \(what)"
      case .fixed(let path, let reason): "\(path) cannot be removed: \(reason)"
      }
    }

    /// More paths or names than these are not told.
    private static let shown = 5

    private static func list(_ texts: [String]) -> String {
      texts.prefix(shown).joined(separator: ", ") + (texts.count > shown ? ", …" : "")
    }

    /// Whether it may be deleted by somebody who knows of it: nothing outside of its folder depends on it.
    package var canBeForced: Bool {
      switch self {
      case .lends, .worktrees, .holds, .fixed: false
      default: true
      }
    }
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

/// The outcome for a clone that was to be deleted.
package struct CloneDeletionResult: Sendable {
  package enum Status: String, Sendable {
    case deleted
    /// It holds work.
    case skipped = "left"
    case failed
  }

  package let path: String
  /// The id of the repository on its forge, and the same as the address of the remote spells it.
  package let id, name: String?
  package var status: Status
  package var reason: String?
  package var hint = ""
  package var size: Int?

  package init(clone: CloneState, status: Status, size: Int? = nil) {
    (path, id, name) = (clone.path, clone.id, clone.name)
    (self.status, self.size) = (status, size)
  }

  /// What became of the rest of a clone.
  fileprivate init(_ pending: PendingDeletion, _ failure: ForageError?) {
    (path, id, name) = (pending.path, pending.id, pending.id)
    (status, reason, hint) = (failure == nil ? .deleted : .failed, failure?.message, failure?.hint ?? "")
  }
}

/// Deletes clones whose work is all on a remote.
package struct CloneDeletion: Sendable {
  private let forage: Forage
  /// The clones whose objects others outside of them need, with the paths of those.
  private let lenders: [String: [String]]
  /// The clones that are to be deleted.
  private let chosen: Set<String>
  /// Those of them that were named.
  private let named: Set<ExactText>
  /// All clones of the catalogue.
  private let catalogued: [String]
  /// What asks the remotes; `nil` where the last fetch is trusted.
  private let questions: RemoteQuestions?
  private let jobs: Int

  /// How long a remote may take to answer.
  package static let timeLimit: Duration = .seconds(60)

  /// Looks at which clones lend their objects.
  ///
  /// - Parameters:
  ///   - named: The paths of those that were named, and not chosen by words or conditions.
  ///   - isOffline: Whether the last fetch is trusted; otherwise the remotes are asked.
  ///   - jobs: The number of clones that are looked at at once.
  /// - Throws: `ForageError` where remotes are asked and there is no git program; `StoreError`;
  ///   `CancellationError`.
  package init(
    _ forage: Forage, _ clones: [CloneState], named: Set<ExactText>, isOffline: Bool = false,
    timeLimit: Duration = timeLimit, jobs: Int = CloneUpdating.jobs
  ) async throws {
    (self.forage, self.named, self.jobs) = (forage, named, jobs)
    chosen = Set(clones.map(\.path))
    catalogued = try forage.store.existing()?.clonePaths().sorted() ?? []
    lenders = try await CloneState.lenders(among: chosen, forage)
    questions = isOffline ? nil : try await RemoteQuestions(forage, timeLimit: timeLimit)
  }

  /// Looks at clones; nothing is changed.
  ///
  /// - Parameter each: Takes the clones in their order.
  /// - Throws: What `each` throws; `CancellationError`.
  package func look(at clones: [CloneState], each: (DeletableClone) throws -> Void) async throws {
    var done = 0
    let show = forage.reporter.progress
    defer { show(nil) }
    try await inOrder(clones, width: jobs) {
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
    return try? await BlockingGit.run(waits: true) { isCancelled throws(GitError) in
      let look = try self.check(path, lenders: lenders, deletedBefore: chosen, isCancelled)
      var ignored = IgnoredFiles()
      for root in [path] + look.inner {
        guard let repository = try? GitRepository.open(root, loadsReferences: false) else { continue }
        let folder = repository.worktree ?? root
        for part in [""] + repository.checkedOutSubmodules().map({ "/" + $0 }) {
          guard let part = try? GitRepository.open(folder + part, loadsReferences: false),
            let files = try? part.ignoredFiles(isCancelled)
          else { continue }
          ignored.add(files, in: part.worktree ?? folder, below: path)
        }
      }
      return DeletableClone(clone: clone, size: look.size, ignored: ignored, look: look)
    }
  }

  /// Looks for what deleting a clone may lose.
  ///
  /// - Parameter deletedBefore: The clones that are deleted before it.
  /// - Throws: `GitError` with code `cancelled`.
  private func check(
    _ path: String, lenders: [String: [String]], deletedBefore: Set<String>,
    _ isCancelled: @escaping @Sendable () -> Bool
  ) throws(GitError) -> DeletableClone.Look {
    var look = DeletableClone.Look()
    do throws(GitError) {
      let repository = try GitRepository.open(path)
      let knowledge = questions.map { questions in
        RemoteKnowledge.asked { questions.ask($0, $1, $2, isCancelled: isCancelled) }
      }
      let (reasons, survey) = try repository.allUnsavedWork(
        deleting: path, knowledge ?? .lastFetch, deletedBefore: deletedBefore, isCancelled)
      look.risks = reasons.compactMap { reason in
        switch reason {
        case .innerRepository: survey.unsaved.map { .inner($0) } ?? .work(reason)
        case .outerWorktree: .worktrees(survey.worktrees.sorted())
        default: .work(reason)
        }
      }
      if !reasons.isEmpty {
        look.risks += survey.unanswered.map { .unanswered(remote: $0.remote, $0.reason) }
        if !survey.lost.isEmpty { look.risks.append(.lost(survey.lost.sorted())) }
      }
      look.inner = survey.folders
      if questions == nil {
        look.lastFetchAt = repository.lastFetchOrCloneAt.map { Date(timeIntervalSince1970: Double($0)) }
      }
      if !FileAccess.isEmpty(repository.commonDir + "/lfs/objects") {
        do throws(RemoteQuestions.Silence) {
          let missing = try questions?.missingLargeFiles(repository, isCancelled: isCancelled)
          if let missing { look.risks.append(.largeFiles(missing)) }
          look.hasUncheckedLargeFiles = questions == nil
        } catch {
          look.hasUncheckedLargeFiles = true
        }
      }
      look.commits =
        [repository.refs.head.commit?.description ?? ""]
        + repository.refs.all.map { "\($0.name) \($0.target)" }
    } catch {
      if error.code == .cancelled { throw error }
      look.risks.append(.unreadable(error.message))
    }
    // The catalogue knows them also where the folder could not be looked at.
    let known = catalogued.filter { $0 != path && FileAccess.isInside($0, path) }
    look.inner = Set(look.inner).union(known).sorted()
    // Those of package managers and the like, which the catalogue leaves out, are part of the clone.
    let others = known.filter { !chosen.contains($0) }
    if !named.contains(ExactText(path)), !others.isEmpty { look.risks.append(.others(others)) }
    if let borrowers = lenders[path]?.filter({ !deletedBefore.contains($0) }), !borrowers.isEmpty {
      look.risks.append(.lends(borrowers))
    }
    if let held = held(in: path) { look.risks.append(.holds(held)) }
    let folder = try FolderRemoval.survey(path, isCancelled: isCancelled)
    look.size = folder.bytes
    if let obstacle = folder.obstacle {
      look.risks.append(.fixed(obstacle.path, reason: obstacle.reason))
    }
    return look
  }

  /// What a folder holds that nobody means by deleting a clone: a repository can have a whole home folder as
  /// its work tree.
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

  /// Deletes clones one after the other, linked work trees before what they are linked to. What is begun is
  /// finished also after an interruption, then it ends without an error.
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
      let lenders: [String: [String]]
      do { lenders = try await CloneState.lenders(among: chosen, forage) } catch is CancellationError {
        return
      }
      let linked = Set(clones.map(\.clone.path).filter { FileAccess.isFile($0 + "/.git") })
      let ordered =
        clones.filter { linked.contains($0.clone.path) } + clones.filter { !linked.contains($0.clone.path) }
      // A clone can be the work tree of another one, or lie in it.
      var gone: Set<String> = []
      for found in ordered {
        let path = found.clone.path
        var result = CloneDeletionResult(clone: found.clone, status: .deleted, size: found.size)
        if !gone.contains(where: { path == $0 || FileAccess.isInside(path, $0) }) {
          let fresh = try? await BlockingGit.run(waits: true) { [gone] isCancelled throws(GitError) in
            try self.check(path, lenders: lenders, deletedBefore: gone, isCancelled)
          }
          guard let fresh else { return }
          if let reason = Self.objection(to: found, fresh, isAgreed: agreed.contains(path)) {
            (result.status, result.reason) = (.skipped, reason)
          } else if let failure = await remove(found.clone, &gone) {
            (result.status, result.reason, result.hint) = (.failed, failure.message, failure.hint)
          }
        }
        try ended(result)
      }
    }
  }

  /// Why a clone is not deleted after all.
  private static func objection(
    to found: DeletableClone, _ fresh: DeletableClone.Look, isAgreed: Bool
  ) -> String? {
    if let risk = fresh.risks.first, !isAgreed || fresh.risks.contains(where: { !$0.canBeForced }) {
      return risk.text
    }
    if !Set(fresh.inner).isSubset(of: found.inner) { return "there are other repositories in it meanwhile" }
    let isAsAgreed = fresh.risks == found.risks && fresh.commits == found.look.commits
    return isAgreed && !isAsAgreed ? "it has changed meanwhile" : nil
  }

  /// - Parameter gone: Takes the folder once it is deleted.
  /// - Returns: Why not everything is gone.
  private func remove(_ clone: CloneState, _ gone: inout Set<String>) async -> ForageError? {
    let path = clone.path
    let worktree = try? GitRepository.open(path, loadsReferences: false)
    let record = worktree?.isLinkedWorktree == true ? worktree?.gitDir : nil
    let pending = PendingDeletions(forage.paths)
    let begun: PendingDeletion
    let trash: UnfinishedClone
    do throws(GitError) {
      UnfinishedClone.removeAbandoned(in: FileAccess.parent(of: path))
      trash = try UnfinishedClone(for: path)
      begun = PendingDeletion(path: path, id: clone.id, rest: trash.path)
      pending.add(begun)
      // Under another name first: nothing takes a folder for a clone of which a part is gone.
      do throws(GitError) {
        try trash.take(path)
      } catch {
        trash.remove()
        pending.remove(begun)
        throw error
      }
    } catch {
      return ForageError("\(path) cannot be deleted: \(error.message)", hint: error.hint)
    }
    gone.insert(path)
    Self.forget(path, forage)
    if let record { _ = FolderRemoval.remove(record) }
    let obstacle = await Task { @concurrent in trash.remove() }.value
    if obstacle == nil { pending.remove(begun) }
    return obstacle.map { Self.partial(begun, $0) }
  }

  /// Removes a clone that is gone from the catalogue.
  private static func forget(_ path: String, _ forage: Forage) {
    do {
      let store = try forage.store.writable()
      try store.removeClones([path])
    } catch {
      forage.reporter.warnOnce(
        "deleted clones are still in the catalogue", hint: "update it with: forage clones scan")
    }
  }

  /// What is said of a clone of which a part is left.
  private static func partial(_ begun: PendingDeletion, _ obstacle: FolderRemoval.Obstacle) -> ForageError {
    ForageError(
      "a part of \(begun.path) cannot be deleted: \(obstacle.path): \(obstacle.reason)",
      hint: begun.remedy)
  }

  /// Ends a deletion that was interrupted.
  ///
  /// - Throws: `CancellationError`.
  package static func finish(_ begun: PendingDeletion, _ forage: Forage) async throws -> CloneDeletionResult {
    var failure: ForageError?
    try await FleetLock.hold(forage) {
      if FileAccess.entry(begun.path, follow: false) == nil { forget(begun.path, forage) }
      failure = await Task { @concurrent in UnfinishedClone.removeAbandoned(begun.rest) }.value.map {
        partial(begun, $0)
      }
      if failure == nil { PendingDeletions(forage.paths).remove(begun) }
    }
    return CloneDeletionResult(begun, failure)
  }
}

extension IgnoredFiles {
  /// - Parameters:
  ///   - root: The folder that the paths are relative to.
  ///   - clone: The clone; the paths of files in it are told from there.
  fileprivate mutating func add(_ files: [[UInt8]], in root: String, below clone: String) {
    let onDisk = ClonedFiles(root)
    // What ends with a slash is a repository of its own.
    for file in files where file.last != UInt8(ascii: "/") {
      guard let entry = onDisk.entry(file) else { continue }
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
