import ForageCore
import ForageFoundation
import ForageGit
package import ForageInspector
import ForagePlatform
package import ForageStore

package struct ScanSummary: Sendable, Hashable {
  /// Clones that are there now.
  package var clones = 0
  /// Clones that were opened because they are new or have changed.
  package var opened = 0
  /// Clones that are no longer there.
  package var removed = 0
  /// Clones that could not be read, or not completely, with the reason.
  package var failed: [Failure] = []
  /// Submodules, and bare repositories in work trees, of the clones that were searched for them; they are not
  /// in the catalogue.
  package var parts: [String] = []
  /// Folders that could not be listed.
  package var unreadable: [String] = []
  /// Folders that were left out because their names are not UTF-8.
  package var nonUTF8: [String] = []
  /// Whether folders below the depth limit were left out.
  package var isCut = false

  package struct Failure: Sendable, Hashable {
    package var path: String
    package var message: String
  }
}

package struct ScanProgress: Sendable {
  package var folder: String
  /// The number of clones that have been looked at.
  package var done: Int
  /// The number of clones to look at.
  package var total: Int
}

/// The catalogue of the clones on this disk: finds them, remembers what they are, answers by id.
package struct CloneCatalogue: Sendable {
  /// How many clones are opened at once.
  static let width = 2

  let store: Store
  let inspector: Inspector
  let hosts: RemoteHosts
  /// The folders that are not scanned.
  let ignored: IgnoredFolders

  package init(
    store: Store, inspector: Inspector = Inspector(), hosts: RemoteHosts = RemoteHosts(),
    ignored: IgnoredFolders = IgnoredFolders([], home: "")
  ) {
    self.store = store
    self.inspector = inspector
    self.hosts = hosts
    self.ignored = ignored
  }

  /// Brings the catalogue up to date for one folder. Clones whose fingerprint and identity are unchanged are
  /// not opened.
  ///
  /// The work tree of a clone is searched for others in it if the folder was never scanned, if the clone is
  /// new or has changed, and if something was added to the topmost folder of the work tree. Linked work trees
  /// are found without that.
  ///
  /// - Parameters:
  ///   - folder: Its `scannedAt` is `nil` to search every work tree.
  ///   - isCheck: Whether no work tree of a clone is searched for others.
  ///   - progress: Called after each clone that is scanned.
  /// - Throws: `StoreError`; `CancellationError`, and then nothing is recorded.
  package func scan(
    _ folder: CloneFolder, isCheck: Bool = false,
    progress: @escaping @Sendable (ScanProgress) -> Void = { _ in }
  ) async throws -> ScanSummary {
    let (root, start) = (folder.path, Date())
    let known = Dictionary(try store.clones().map { ($0.path, $0) }, uniquingKeysWith: { first, _ in first })
    let search = try? await BlockingGit.run { isCancelled throws(GitError) in
      find(in: folder, known, isCheck: isCheck, isCancelled: isCancelled) { found in
        progress(ScanProgress(folder: root, done: 0, total: found))
      }
    }
    try Task.checkCancellation()
    guard let (findings, current) = search else { throw CancellationError() }
    // A clone that could not be read is read again, and one whose address means something else by now.
    let changed = current.filter { clone in
      known[clone.path].map {
        $0.error != nil || $0.fingerprint != clone.fingerprint || !$0.isNamed(by: hosts)
      } ?? true
    }
    var records: [CloneRecord] = []
    progress(ScanProgress(folder: root, done: current.count - changed.count, total: current.count))
    try await asCompleted(changed, width: Self.width) { clone in
      try await summarize(
        clone.path, fingerprint: clone.fingerprint, folder: root, known: known[clone.path])
    } each: { _, record in
      records.append(record)
      progress(
        ScanProgress(
          folder: root, done: current.count - changed.count + records.count, total: current.count))
    }
    try Task.checkCancellation()
    let present = Set(current.map(\.path))
    let gone = known.filter { $0.value.folder == root && !present.contains($0.key) }.map(\.key)
    try store.record(
      folder: root, changed: records, gone: gone, open: findings.open, at: start, isCheck: isCheck)
    let failed = records.compactMap { record in
      record.error.map { ScanSummary.Failure(path: record.path, message: $0) }
    }
    return ScanSummary(
      clones: current.count, opened: changed.count, removed: gone.count,
      failed: failed.sorted { $0.path.bytesPrecede($1.path) },
      parts: findings.parts.filter { known[$0] == nil || gone.contains($0) },
      unreadable: findings.unreadable, nonUTF8: findings.nonUTF8, isCut: findings.isCut)
  }

  /// Finds the clones in a folder, with their fingerprints now.
  private func find(
    in folder: CloneFolder, _ known: [String: CloneRecord], isCheck: Bool, isCancelled: () -> Bool,
    progress: (Int) -> Void
  ) -> (CloneFinder.Findings, [(path: String, fingerprint: String)]) {
    var fingerprints: [String: String] = [:]
    func fingerprint(_ path: String) -> String {
      if let known = fingerprints[path] { return known }
      let fingerprint = CloneProbe.fingerprint(path)
      fingerprints[path] = fingerprint
      return fingerprint
    }
    let scannedAt = folder.scannedAt.map { Int64(nearest: $0.timeIntervalSince1970) }
    let findings = CloneFinder.find(
      in: folder.path, isIgnored: ignored.contains,
      searchesInside: { path in
        if isCheck { return false }
        guard let scannedAt, let clone = known[path], clone.fingerprint == fingerprint(path) else {
          return true
        }
        return (FileAccess.entry(path)?.modifiedAt ?? 0) >= scannedAt
      }, isCancelled: isCancelled, progress: progress)
    // Those in work trees that were not searched are still there.
    let found = Set(findings.clones)
    let kept = known.values.filter { clone in
      clone.folder == folder.path && !found.contains(clone.path) && CloneProbe.isClone(clone.path)
        && sequence(first: clone.path) { $0 == "/" ? nil : FileAccess.parent(of: $0) }
          .contains(where: findings.unsearched.contains)
    }.map(\.path)
    let paths = kept.isEmpty ? findings.clones : (findings.clones + kept).sorted { $0.bytesPrecede($1) }
    return (findings, paths.map { ($0, fingerprint($0)) })
  }

  /// Adds one clone, or brings what is known of it up to date; the other clones of the folder are not looked
  /// at.
  ///
  /// - Parameters:
  ///   - path: The root of the clone, absolute and without links.
  ///   - folder: The registered folder that it belongs to.
  ///   - forgeID: The id of its repository on the forge, where that has told it.
  /// - Throws: `StoreError`; `CancellationError`.
  package func add(_ path: String, folder: String, forgeID: String? = nil) async throws {
    var record = try await summarize(
      path, fingerprint: CloneProbe.fingerprint(path), folder: folder, known: nil)
    record.forgeID = forgeID
    try store.record(record)
  }

  private func summarize(_ path: String, fingerprint: String, folder: String, known: CloneRecord?)
    async throws -> CloneRecord
  {
    var relative =
      path == folder
      ? String(FileAccess.name(of: path)) : String(path.dropFirst(folder == "/" ? 1 : folder.count + 1))
    if relative.isEmpty { relative = path }
    let bareName = String(FileAccess.name(of: path))
    let name = bareName.hasSuffix(".git") && bareName.count > 4 ? String(bareName.dropLast(4)) : bareName
    var record = CloneRecord(
      path: path, folder: folder, relativePath: relative, fingerprint: fingerprint, name: name)
    let (inspector, hosts) = (inspector, hosts)
    let beginning: (head: String, root: String)? =
      if let head = known?.commit, let root = known?.rootCommit { (head, root) } else { nil }
    do {
      let (summary, identity) = try await BlockingGit.run { isCancelled throws(GitError) in
        let summary = try inspector.summarize(path: path, known: beginning, isCancelled: isCancelled)
        // The search for a repository goes upward: what is found must be the one that is here.
        guard summary.path == path else { throw CloneProbe.problem(at: path) }
        return (
          summary,
          CloneIdentity.of(summary.remotes, at: summary.path, inspector: inspector, hosts: hosts)
        )
      }
      record.add(summary, identity)
    } catch  where error.code == .cancelled {
      throw CancellationError()
    } catch {
      try Task.checkCancellation()
      record.error = error.message
    }
    return record
  }
}

extension CloneRecord {
  /// Whether the address that it was named by, if any, still names it so: the settings, ssh's configuration
  /// or the name on the forge may have changed.
  fileprivate func isNamed(by hosts: RemoteHosts) -> Bool {
    guard let remoteURL else { return true }
    let identity = CloneIdentity(remoteURL, hosts)
    return identity?.id == entityID && identity?.host == host
  }

  fileprivate mutating func add(_ summary: CloneSummary, _ identity: CloneIdentity?) {
    (entityID, addressID) = (identity?.id, identity?.addressID)
    remoteURL = identity?.url
    host = identity?.host
    owner = identity?.owner
    name = identity?.name ?? name
    description = summary.description
    language = summary.language
    license = summary.license
    branch = summary.headBranch
    commit = summary.headCommit
    rootCommit = summary.rootCommit
    lastCommitAt = summary.lastCommitAt
    sizeBytes = summary.sizeBytes
    isBare = summary.bare
    isIncomplete = summary.isIncomplete
    error = summary.problem
  }
}
