package import ForageFoundation
package import ForageGit

/// The facts about a clone that the catalogue of clones stores; reads no history beyond the first parents of
/// `HEAD`.
package struct CloneSummary: Sendable, Hashable {
  /// The folder with `.git`, or the git directory: absolute, symbolic links resolved.
  package var path: String
  /// The common git directory, which all work trees of one clone share.
  package var commonDir: String
  package var bare: Bool
  /// Whether history or objects are left with the remote: a shallow or partial clone.
  package var isIncomplete: Bool
  package var isLinkedWorktree: Bool
  /// The remotes that it may be a clone of; URLs carry no credentials.
  package var remotes: [Remote]
  /// The short name of the current branch; nil when `HEAD` is detached.
  package var headBranch: String?
  /// The object id of `HEAD`'s commit, 40 hexadecimal digits; nil when the branch is unborn.
  package var headCommit: String?
  /// The committer date of `HEAD`'s commit.
  package var lastCommitAt: Date?
  /// The root commit that the first parents of `HEAD` lead to, 40 hexadecimal digits; nil when it is too far
  /// away.
  package var rootCommit: String?
  /// The content of the `description` file, or else the first paragraph of the README; at most 300
  /// characters.
  package var description: String?
  /// The language with the most bytes, of the files that are there.
  package var language: String?
  /// The license as an SPDX expression, or that of the first license file that is recognised.
  package var license: String?
  /// The total size of the blobs in `HEAD`'s tree that are there, in bytes; nil when none is.
  package var sizeBytes: Int?
  /// Why facts about `HEAD` are missing or incomplete: `HEAD` is invalid or objects cannot be read. One
  /// sentence without a full stop; nil when nothing is missing, or only what a partial clone leaves with its
  /// remote.
  package var problem: String?
}

extension Inspector {
  /// Summarises the clone at a path or above it. Facts that are not known are nil.
  ///
  /// - Parameters:
  ///   - path: any file or folder in a work tree, or a git directory.
  ///   - known: the `HEAD` and root commit of an earlier summary; the walk to the root stops there.
  /// - Throws: the errors of ``inspect(path:sections:cache:now:isCancelled:)`` when the repository cannot be
  ///   opened; `cancelled`.
  package func summarize(
    path: String, known: (head: String, root: String)? = nil,
    isCancelled: @escaping @Sendable () -> Bool = { false }
  ) throws(GitError) -> CloneSummary {
    let repository = try open(path)
    let head = repository.refs.head
    var summary = CloneSummary(
      path: repository.root, commonDir: repository.commonDir,
      bare: repository.isBare, isIncomplete: !repository.shallow.isEmpty || repository.isPartialClone,
      isLinkedWorktree: repository.isLinkedWorktree, remotes: repository.sourceRemotes(),
      headBranch: head.branch, headCommit: head.commit?.hex)
    summary.description = ownDescription(repository)
    if case .invalid(let reason, _) = head { summary.problem = reason }
    guard let id = head.commit else { return summary }
    let listing: TreeListing
    do throws(GitError) {
      let commit = try repository.commit(id)
      summary.lastCommitAt = Date(timeIntervalSince1970: Double(commit.committedAt))
      listing = try repository.listing(of: commit.tree, skipsDamage: true, isCancelled: isCancelled)
    } catch {
      if error.code == .cancelled { throw error }
      summary.problem = error.message
      return summary
    }
    summary.rootCommit = try root(of: id, repository, known: known, isCancelled: isCancelled)
    let damage = listing.losses(isPartial: repository.isPartialClone).filter(\.isDamage).map(\.message)
    if !damage.isEmpty { summary.problem = damage.joined(separator: ", ") }
    if listing.hasFiles {
      summary.sizeBytes = listing.bytes
      let attributes = AttributeFiles(listing, repository)
      let files = ClassifiedFiles(
        listing, attributes: attributes.attributes, countsLines: false,
        readsPointers: attributes.marksPointers, isCancelled: isCancelled
      ) { _ in CloneFileReader(repository, stamps: FileStamps()) }
      summary.language = files.shares().first?.name
    }
    if isCancelled() { throw .cancelled }
    let statement = ProjectStatement(listing, repository)
    let licenses = LicenseFiles.find(listing, repository).licenses
    summary.license =
      InspectionReport.License.expression(of: licenses, declared: statement.license)
      ?? licenses.lazy.compactMap(\.spdx).first
    if summary.description == nil {
      summary.description = statement.description ?? readme(listing, repository)
    }
    return summary
  }

  /// The most commits that are read to find the root: takes some tenths of a second and covers all but the
  /// longest histories.
  private static let rootDistance = 25_000

  /// Finds the root commit; nil when objects on the way are damaged, because the other facts of `HEAD` remain
  /// valid.
  private func root(
    of head: ObjectID, _ repository: GitRepository, known: (head: String, root: String)?,
    isCancelled: () -> Bool
  ) throws(GitError) -> String? {
    let beginning = known.flatMap { known in
      ObjectID(hex: known.head).flatMap { head in
        ObjectID(hex: known.root).map { (commit: head, first: $0) }
      }
    }
    do throws(GitError) {
      return try repository.firstCommit(
        from: head, known: beginning, limit: Self.rootDistance, isCancelled: isCancelled)?.hex
    } catch {
      if error.code == .cancelled { throw error }
      return nil
    }
  }

  /// Reads the `description` file; nil when it has the text of git's template.
  private func ownDescription(_ repository: GitRepository) -> String? {
    guard
      let bytes = try? FileAccess.read(repository.commonDir + "/description", limit: GitRepository.textLimit)
    else {
      return nil
    }
    let text = String(decoding: bytes, as: UTF8.self)
    if text.hasPrefix("Unnamed repository;") { return nil }
    return Paragraph.shortened(text.split(whereSeparator: \.isWhitespace).joined(separator: " "))
  }

  private func readme(_ listing: TreeListing, _ repository: GitRepository) -> String? {
    let names = [
      "readme.md", "readme.markdown", "readme", "readme.rst", "readme.txt", "readme.adoc", "readme.org",
    ]
    let ranked = listing.files.compactMap { file -> (rank: Int, id: ObjectID)? in
      guard file.kind != .symlink, !file.path.utf8.contains(UInt8(ascii: "/")) else { return nil }
      return names.firstIndex(of: file.path.lowercased()).map { ($0, file.id) }
    }
    guard let best = ranked.min(by: { $0.rank < $1.rank }), let bytes = try? repository.blob(best.id),
      !FilePointer.isPointer(bytes)
    else { return nil }
    // The first paragraph of prose is near the top; 64 KiB leave room for badges and tables.
    return Paragraph.first(of: String(decoding: bytes.prefix(64 << 10), as: UTF8.self))
  }
}
