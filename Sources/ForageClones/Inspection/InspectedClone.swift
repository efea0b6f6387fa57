import ForageCore
package import ForageFoundation
import ForageGit
package import ForageInspector
package import ForageLocal
import ForagePlatform
import ForagePluginHost
package import ForageSetup
import ForageStore
import Synchronization

/// The outcome of the inspection of one clone.
package struct InspectedClone: Sendable {
  /// The path that was given, or found.
  package var path: String
  package var outcome: Result<InspectionReport, InspectionError>
  /// The time of the last commit, where it was requested.
  package var lastCommitAt: Date?
  /// The id of the repository on its forge, and its `owner/name`, where it was requested.
  package var repository: (id: String, name: String)?
  /// Whether deleting the clone may lose work, where it was requested.
  package var hasUnsavedWork: Bool?
  /// The number of commits that no remote has, where it was requested and could be read.
  package var unpushed: Int?

  package var report: InspectionReport? { try? outcome.get() }

  /// The sections of a row for programs: none of them walks the history of a clone that is even with its
  /// upstream.
  package static let fieldSections: Set<InspectionSection> = [
    .head, .upstream, .status, .stashes, .size, .languages,
  ]

  /// Inspects one clone on a thread of its own.
  ///
  /// - Parameters:
  ///   - findsLastCommit: Whether to read the time of the last commit.
  ///   - hosts: What reads which repository on a forge it is a clone of; `nil` where that is not requested.
  ///   - findsUnsavedWork: Whether to check if deleting the clone may lose work.
  ///   - findsUnpushed: Whether to count the commits that no remote has.
  package static func of(
    _ path: String, _ sections: Set<InspectionSection>, cache: InspectionCache?,
    findsLastCommit: Bool = false, identifiedBy hosts: RemoteHosts? = nil, findsUnsavedWork: Bool = false,
    findsUnpushed: Bool = false
  ) async -> InspectedClone {
    do throws(GitError) {
      return try await BlockingGit.run { isCancelled throws(GitError) in
        let inspector = Inspector()
        var (identity, lastCommitAt, hasUnsavedWork): (CloneIdentity?, Date?, Bool?) = (nil, nil, nil)
        var unpushed: Int?
        let report = try inspector.inspect(
          path: path, sections: sections, cache: cache, isCancelled: isCancelled
        ) { repository throws(GitError) in
          if let hosts {
            identity = CloneIdentity.of(
              repository.sourceRemotes(), at: repository.root, inspector: inspector, hosts: hosts)
          }
          // Where it fails, a section of the report failed too, with a note.
          if findsLastCommit { lastCommitAt = (try? repository.lastCommitAt()) ?? nil }
          if findsUnpushed {
            do throws(GitError) {
              unpushed = try repository.unpushedCommits(isCancelled: isCancelled)
            } catch  where error.code != .cancelled {
              // A section of the report failed too, with a note.
              unpushed = nil
            }
          }
          // In doubt there is some.
          if findsUnsavedWork {
            hasUnsavedWork = try repository.unsavedWork(deleting: path, isCancelled: isCancelled) != nil
          }
        }
        return InspectedClone(
          path: path, outcome: .success(report), lastCommitAt: lastCommitAt,
          repository: identity.map { ($0.id, $0.title) }, hasUnsavedWork: hasUnsavedWork,
          unpushed: unpushed)
      }
    } catch {
      return InspectedClone(path: path, outcome: .failure(InspectionError(error)))
    }
  }

  /// Inspects clones concurrently, and reports how many are left.
  ///
  /// - Parameter each: Receives the clones in the order of the paths, each as soon as those before it are
  ///   done.
  /// - Throws: What `each` throws; `CancellationError`.
  package static func all(
    _ paths: [String], _ sections: Set<InspectionSection>, cache: InspectionCache?,
    findsLastCommit: Bool = false, identifiedBy hosts: RemoteHosts? = nil, findsUnsavedWork: Bool = false,
    findsUnpushed: Bool = false, reporter: Reporter, each: (InspectedClone) throws -> Void
  ) async throws {
    func showLeft(_ done: Int) {
      let left = "\(paths.count - done) of \(HumanFormat.plural(paths.count, "clone"))"
      reporter.progress("waiting for " + (paths.count == 1 ? paths[0] : left))
    }
    showLeft(0)
    defer { reporter.progress(nil) }
    try await inOrder(paths, width: BlockingGit.width) { path in
      await of(
        path, sections, cache: cache, findsLastCommit: findsLastCommit, identifiedBy: hosts,
        findsUnsavedWork: findsUnsavedWork, findsUnpushed: findsUnpushed)
    } each: { index, clone in
      try each(clone)
      showLeft(index + 1)
    }
  }
}

extension GitRepository {
  /// Returns the committer date of the commit of `HEAD`; `nil` when there is no commit. Reads only that
  /// commit.
  ///
  /// - Throws: `corrupt`, `missingObject`, when the commit cannot be read.
  fileprivate func lastCommitAt() throws(GitError) -> Date? {
    guard let id = refs.head.commit else { return nil }
    return Date(timeIntervalSince1970: Double(try commit(id).committedAt))
  }
}

/// The clones at given paths.
package struct InspectTargets: Sendable {
  /// The paths to inspect, in the given order; below a folder in byte order.
  package var paths: [String] = []
  /// Whether the result is a list: of several paths, or of a folder of clones.
  package var isList = false

  /// Finds the clones: a folder that is in no clone stands for the clones below it, any other path for
  /// itself.
  ///
  /// The root of the file system is not searched; what is ignored is left out, unless it is given.
  ///
  /// - Throws: `CancellationError`.
  package static func find(_ given: [String], _ forage: Forage) async throws -> InspectTargets {
    let reporter = forage.reporter
    var targets = InspectTargets(isList: given.count > 1)
    for path in given {
      guard let findings = try await clones(below: path, forage) else {
        targets.paths.append(path)
        continue
      }
      targets.isList = true
      targets.paths += findings.clones
      for path in findings.unreadable {
        reporter.warning("\(path) cannot be listed", "check the permissions of the folder")
      }
      for path in findings.nonUTF8 {
        reporter.warning("\(path) was left out: its name is not UTF-8", "rename the folder")
      }
      if findings.isCut {
        reporter.warning(
          "deeply nested folders in \(path) were left out", "inspect them by their own paths")
      }
    }
    return targets
  }

  /// What a folder that is in no clone has below it; `nil` for any other path, and where there is no clone.
  ///
  /// - Throws: `CancellationError`.
  package static func clones(below path: String, _ forage: Forage) async throws -> CloneFinder.Findings? {
    guard let root = FileAccess.realPath(path), root != "/", FileAccess.isDirectory(root),
      CloneProbe.root(above: root) == nil
    else { return nil }
    let ignored = forage.ignored.contains(root) ? nil : forage.ignored
    let findings = try await search(root, ignored, forage.reporter)
    return findings.clones.isEmpty ? nil : findings
  }

  private static func search(
    _ root: String, _ ignored: IgnoredFolders?, _ reporter: Reporter
  ) async throws -> CloneFinder.Findings {
    reporter.progress("looking for clones in \(root)")
    defer { reporter.progress(nil) }
    let findings = try? await BlockingGit.run { isCancelled throws(GitError) in
      CloneFinder.find(
        in: root, isIgnored: { ignored?.contains($0) ?? false }, isCancelled: isCancelled
      ) { found in
        reporter.progress("looking for clones in \(root): \(found) found")
      }
    }
    try Task.checkCancellation()
    guard let findings else { throw CancellationError() }
    return findings
  }
}

extension InspectionSection {
  /// The sections that texts name, in any case; each text is one name or several with commas.
  ///
  /// - Parameter option: What has the names, for messages.
  /// - Throws: `ForageError` for a name that no section has, and for texts without a name.
  package static func named(_ texts: [String], by option: String) throws(ForageError) -> Set<
    InspectionSection
  > {
    guard !texts.isEmpty else { return [] }
    let names = texts.flatMap { $0.split(separator: ",").map { $0.trimmingWhitespace() } }.filter {
      !$0.isEmpty
    }
    guard !names.isEmpty else {
      throw ForageError("\(option) names no section", .listSections)
    }
    var sections: Set<InspectionSection> = []
    for name in names {
      guard let section = allCases.first(where: { $0.rawValue.lowercased() == name.lowercased() }) else {
        let message = "there is no section \"\(name)\""
        throw NearestName.hint(for: String(name), among: allCases.map(\.rawValue)).map {
          ForageError(message, hint: $0)
        } ?? ForageError(message, .listSections)
      }
      sections.insert(section)
    }
    return sections
  }
}

extension InspectionCache {
  /// The bound of the folder in bytes: room for some thousand clones with thousands of authors.
  private static let maximumBytes = 64 << 20

  /// The cache in a folder below that of the caches, for facts of this build of the program.
  package static func stored(in folder: String) -> InspectionCache {
    let files = InspectionFiles(folder: folder + "/inspections", maximumBytes: maximumBytes)
    let isTrimmed = Mutex(false)
    // Another build of the same version can have other tables of languages and licenses.
    let program = Forage.version + " " + (PluginSearchPath.executable.map(FileAccess.stamp) ?? "") + " "
    return InspectionCache(
      load: { files.read($0, identity: program + $1) },
      store: { gitDir, identity, facts in
        files.write(gitDir, identity: program + identity, facts)
        // Once for all clones of a list.
        let isFirst = isTrimmed.withLock { isTrimmed in
          defer { isTrimmed = true }
          return !isTrimmed
        }
        guard isFirst else { return }
        files.trim()
        // The cache of older versions.
        for suffix in ["", "-shm", "-wal"] { PrivateFile.remove(folder + "/inspections.db" + suffix) }
      })
  }
}
