import ForagePlatform

extension GitRepository {
  private static let stash: ReferenceName = "refs/stash"

  /// What is unsaved of the commits and tags of this repository and of its linked work trees.
  ///
  /// - Parameters:
  ///   - folders: the git directories of the linked work trees.
  ///   - passesStash: Whether to look for what there is besides stashes.
  func unsavedHistory(
    _ survey: inout DeletionSurvey, _ folders: [String], passesStash: Bool = false,
    _ isCancelled: () -> Bool
  ) throws(GitError) -> UnsavedWork? {
    guard let head = refs.head.commit else { return .unbornHead }
    try refs.load()
    if !passesStash, refs[name: Self.stash] != nil { return .stash }
    let prefixes = remotes().map { Self.trackingPrefix(of: $0) }
    if try hasUnreadable(in: commonDir, among: refs.all, except: prefixes) { return .commits }
    if isLinkedWorktree, try hasUnreadable(in: gitDir, among: refs.all, except: []) { return .commits }
    // The target of a symbolic reference is another reference.
    var references = refs.all.filter { !$0.isSymbolic && $0.name != Self.stash }
    var heads: Set<ObjectID> = [head]
    for folder in Set([commonDir, gitDir] + folders) { heads.formUnion(try rootReferences(in: folder)) }
    for folder in folders {
      let own = try RefStore(gitDir: folder, commonDir: commonDir)
      try own.load()
      guard let head = own.head.commit else { return .unbornHead }
      heads.insert(head)
      references += own.all.filter { !$0.isSymbolic && $0.name != Self.stash }
      if try hasUnreadable(in: folder, among: own.all, except: []) { return .commits }
    }
    let kept = try KeptObjects(self, references, heads, &survey, isCancelled)
    var commits: Set<ObjectID> = []
    var hasTags = false
    for id in heads.union(kept.wanted) where !kept.ids.contains(id) {
      if try !isKept(tag: id, kept) { hasTags = true }
      let (target, kind) = try peel(id)
      if kind == .commit {
        commits.insert(target)
      } else if id == target {
        // A reference to a file or a folder may be all that has it.
        return .commits
      }
    }
    let isReachable = try areReachable(commits, from: kept.tips, isCancelled: isCancelled)
    return !isReachable ? .commits : hasTags ? .tags : nil
  }

  fileprivate static func trackingPrefix(of remote: Remote) -> String { "refs/remotes/\(remote.name)/" }

  /// Whether a remote has the tag objects to which an id leads; also true of an id that is no tag.
  private func isKept(tag id: ObjectID, _ kept: KeptObjects) throws(GitError) -> Bool {
    var id = id
    while !kept.ids.contains(id), try header(of: id).kind == .tag {
      let tag = try tag(id)
      // Without asking, one that is older than the last fetch is taken for the remote's.
      guard let fetchedAt = kept.fetchedAt, tag.taggedAt > 0, tag.taggedAt <= fetchedAt else { return false }
      id = tag.target
    }
    return true
  }

  /// Files in a git directory that look like references and do not count: git itself leaves these behind, and
  /// what they name is in a reflog. `HEAD` is read by itself.
  private static let ignoredRootReferences: Set<String> = ["FETCH_HEAD", "HEAD", "ORIG_HEAD"]

  /// Whether a file in a git directory can be a reference, by the name (git's `is_root_ref_syntax`).
  static func isRootReference(_ name: [UInt8]) -> Bool {
    name.allSatisfy { (0x41...0x5A).contains($0) || "_-".utf8.contains($0) }
  }

  /// The objects that references outside of `refs` name: `git update-ref SAVED-HEAD COMMIT` makes one.
  private func rootReferences(in gitDir: String) throws(GitError) -> [ObjectID] {
    var found: [ObjectID] = []
    for name in try FileAccess.list(bytes: Array(gitDir.utf8)) {
      let text = String(decoding: name, as: UTF8.self)
      guard Self.isRootReference(name), !Self.ignoredRootReferences.contains(text),
        FileAccess.isFile(gitDir + "/" + text),
        let line = try FileAccess.line(gitDir + "/" + text),
        let id = ObjectID(hex: line.prefix(ObjectID.hexCount))
      else { continue }
      guard try isHere(id) else { continue }
      // The files of a merge that has conflicts, which the work tree has, too.
      if text == "AUTO_MERGE", try header(of: id).kind == .tree { continue }
      found.append(id)
    }
    return found
  }

  /// Whether the clone has an object with what its tags lead to; in doubt not.
  package func has(_ id: ObjectID) -> Bool { (try? isHere(id)) ?? false }

  /// Whether the clone has an object; git may have removed one that no reference names.
  private func isHere(_ id: ObjectID) throws(GitError) -> Bool {
    do throws(GitError) {
      _ = try peel(id)
      return true
    } catch {
      guard error.code == .missingObject else { throw error }
      return false
    }
  }

  /// Whether a loose reference is damaged, leads nowhere, or has a name that git does not list: it may name
  /// commits that nothing else names.
  private func hasUnreadable(
    in gitDir: String, among known: [Reference], except prefixes: [String]
  ) throws(GitError) -> Bool {
    var pending: [[UInt8]] = [Array("refs".utf8)]
    while let folder = pending.popLast() {
      for file in try FileAccess.list(bytes: FileAccess.path(gitDir, folder)) {
        let name = ReferenceName(bytes: folder + [UInt8(ascii: "/")] + file)
        if FileAccess.kind(gitDir, name.bytes) == .directory {
          pending.append(name.bytes)
          continue
        }
        if prefixes.contains(where: name.hasPrefix) || file.reversed().starts(with: ".lock".utf8.reversed()) {
          continue
        }
        guard let line = try FileAccess.line(bytes: FileAccess.path(gitDir, name.bytes)),
          line.hasPrefix("ref:") || ObjectID(hex: line.prefix(ObjectID.hexCount)) != nil,
          known.reference(name) != nil
        else { return true }
      }
    }
    return false
  }
}

/// What the remotes of a repository have that are left when a folder is deleted.
private struct KeptObjects {
  /// What a remote has by its own id, with all that it leads to.
  private(set) var ids: Set<ObjectID> = []
  /// The commits from which everything that is reachable is on a remote.
  private(set) var tips: Set<ObjectID> = []
  /// What must be on a remote besides the heads: what references name, unless they say what a remote has.
  private(set) var wanted: Set<ObjectID> = []
  /// The time of the last fetch, in seconds since 1970, where the remotes are not asked.
  private(set) var fetchedAt: Int64?

  /// - Parameters:
  ///   - references: The references of the repository and its linked work trees, none of them symbolic.
  ///   - heads: What else must be on a remote.
  init(
    _ repository: GitRepository, _ references: [Reference], _ heads: Set<ObjectID>,
    _ survey: inout DeletionSurvey, _ isCancelled: () -> Bool
  ) throws(GitError) {
    // Those with the longest names first: one name can begin with another one.
    let remotes = repository.remotes().map { (prefix: GitRepository.trackingPrefix(of: $0), remote: $0) }
      .sorted { $0.prefix.utf8.count > $1.prefix.utf8.count }
    var tracked = [Set<ObjectID>](repeating: [], count: remotes.count)
    var names: [ObjectID: [(remote: Int, name: ReferenceName)]] = [:]
    for reference in references {
      // `git maintenance` makes copies of what a remote has.
      let name = reference.name.text(after: "refs/prefetch/").map { ReferenceName("refs/" + $0) }
      guard let place = remotes.firstIndex(where: { (name ?? reference.name).hasPrefix($0.prefix) }) else {
        wanted.insert(reference.target)
        continue
      }
      tracked[place].insert(reference.target)
      names[reference.target, default: []].append((place, reference.name))
    }
    let named = heads.union(wanted).union(names.keys)
    let commits = repository.commits(of: named)
    var answered: Set<Int> = []
    for (place, (_, remote)) in remotes.enumerated() {
      switch repository.answer(of: remote, commits, survey, isCancelled) {
      case .has(let found)?:
        answered.insert(place)
        add(found.intersection(named.union(commits)), repository)
      case .unanswered(let reason)?: survey.note(unanswered: remote.name, reason)
      case nil:
        // As far as the clone knows, the remote has what it had at the last fetch.
        fetchedAt = max(fetchedAt ?? 0, repository.lastFetchOrCloneAt ?? 0)
        tips.formUnion(tracked[place])
        tracked[place] = []
      }
      if isCancelled() { throw .cancelled }
    }
    for ids in tracked { wanted.formUnion(ids) }
    for (id, references) in names where wanted.contains(id) && !ids.contains(id) && !tips.contains(id) {
      for (place, name) in references where answered.contains(place) {
        survey.note(lost: name.text(after: "refs/remotes/") ?? name.description)
      }
    }
  }

  /// Adds what a remote has, with the tags to which its tags lead.
  private mutating func add(_ found: Set<ObjectID>, _ repository: GitRepository) {
    for var id in found {
      ids.insert(id)
      while (try? repository.header(of: id).kind) == .tag, let next = try? repository.tag(id).target {
        ids.insert(next)
        id = next
      }
      if (try? repository.header(of: id).kind) == .commit { tips.insert(id) }
    }
  }
}

extension GitRepository {
  /// How many remotes of remotes on this disk are followed.
  private static let remoteDepth = 5

  /// The commits that ids name or to which their tags lead, as far as they are here.
  fileprivate func commits(of ids: Set<ObjectID>) -> Set<ObjectID> {
    Set(ids.compactMap { (try? peel($0)).flatMap { $0.kind == .commit ? $0.id : nil } })
  }

  /// The time of the last fetch, or of the clone, in seconds since 1970; `nil` if there is no trace of
  /// either.
  package var lastFetchOrCloneAt: Int64? {
    lastFetchAt
      ?? Set([commonDir, gitDir]).compactMap { folder in
        // `git clone` writes the first line of the reflog; what was copied since keeps the time in it.
        guard let line = try? FileAccess.line(folder + "/logs/HEAD"),
          let tab = line.firstIndex(of: "\t"), line[tab...].hasPrefix("\tclone: from ")
        else { return nil }
        return line[..<tab].split(separator: " ").dropLast().last.flatMap { Int64($0) }
      }.max()
  }

  /// What is left of a remote when a folder is deleted.
  ///
  /// - Parameter commits: The commits of which it must be known whether the remote has them.
  /// - Returns: `nil` where the remote is not asked.
  fileprivate func answer(
    of remote: Remote, _ commits: Set<ObjectID>, _ survey: DeletionSurvey, _ isCancelled: () -> Bool
  ) -> RemoteAnswer? {
    guard let paths = localPaths(of: remote.effectiveURL) else {
      guard case .asked(let ask) = survey.remotes else { return nil }
      return ask(self, remote, commits)
    }
    guard let other = paths.lazy.compactMap({ self.repository(at: $0) }).first else {
      return .unanswered("there is no repository at \(paths[0])")
    }
    guard survives(other, survey.folder), (try? other.refs.load()) != nil else {
      return .unanswered("\(other.root) does not keep its commits by itself")
    }
    let found = Set(other.refs.all.map(\.target) + [other.refs.head.commit].compactMap(\.self))
    let reachable = commits.subtracting(found).filter { commit in
      (try? other.areReachable([commit], from: found, isCancelled: isCancelled)) == true
    }
    return .has(found.union(reachable))
  }

  /// Whether another repository on this disk keeps all its objects when a folder is deleted, and is no copy
  /// of this one.
  private func survives(_ other: GitRepository, _ deleted: String) -> Bool {
    let folders = [other.commonDir, other.objectsFolder] + other.alternates()
    let isKept =
      FileAccess.parent(of: other.commonDir).hasSuffix(Self.fetchedCopies) && other.hasNetworkRemote
      || folders.allSatisfy { !FileAccess.isInside($0, deleted) && !FileAccess.isInside($0, commonDir) }
    let alternates = other.objectFolders.alternates
    return isKept && alternates.broken.isEmpty && !alternates.isIncomplete && other.shallow.isEmpty
      && !other.isPartialClone
      && !leadsBack(from: other, depth: Self.remoteDepth)
  }

  private var hasNetworkRemote: Bool { remotes().contains { localPaths(of: $0.effectiveURL) == nil } }

  /// Whether the remotes of a repository lead to this one: each would be taken for the one that keeps the
  /// commits.
  private func leadsBack(from other: GitRepository, depth: Int) -> Bool {
    if other.commonDir == commonDir { return true }
    return other.remotes().contains { remote in
      guard let paths = other.localPaths(of: remote.effectiveURL),
        let next = paths.lazy.compactMap({ self.repository(at: $0) }).first
      else { return false }
      return next.commonDir != other.commonDir && (depth == 0 || leadsBack(from: next, depth: depth - 1))
    }
  }

  /// The repository of exactly this folder; nil if it is none or cannot be read.
  private func repository(at path: String) -> GitRepository? {
    guard let real = FileAccess.realPath(path), let found = try? open(submodule: real),
      found.location.openPath == real || found.gitDir == real
    else { return nil }
    return found
  }

  /// The paths that git tries for an address on this disk; nil for any other address.
  private func localPaths(of url: String) -> [String]? {
    var path = url[...]
    let scheme = "file://"
    if url.lowercased().hasPrefix(scheme) {
      path = url.dropFirst(scheme.count).drop { $0 != "/" }
    } else if let colon = url.firstIndex(of: ":"), !url[..<colon].contains("/") {
      return nil
    }
    let base = FileAccess.join(worktree ?? gitDir, expandHome(String(path)))
    return [base, base + ".git"]
  }
}
