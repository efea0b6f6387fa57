package import ForageGit

#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

/// What a catalogue of clones needs to know about one; told without walking the whole history.
package struct CloneSummary: Sendable, Hashable {
  /// The root of the work tree, of a bare repository the git folder: absolute, without links.
  package var path: String
  /// The git folder.
  package var gitDir: String
  /// The folder that all work trees share: equal for all work trees of one clone.
  package var commonDir: String
  package var bare: Bool
  package var isLinkedWorktree: Bool
  /// The remotes, URLs without credentials.
  package var remotes: [Remote]
  /// The short name of the current branch; nil when detached.
  package var headBranch: String?
  /// 40 hexadecimal digits; nil when unborn.
  package var headCommit: String?
  /// The committer's time of `HEAD`'s commit.
  package var lastCommitAt: Date?
  /// The commit that the first parents of `HEAD` lead back to, 40 hexadecimal digits; nil when that is too far.
  package var rootCommit: String?
  /// The text of the `description` file, else the first paragraph of the readme; at most 300 characters.
  package var description: String?
  /// The language with the most bytes.
  package var language: String?
  /// The SPDX identifier of the first licence that is known.
  package var license: String?
  /// Bytes of the blobs of `HEAD`'s tree.
  package var sizeBytes: Int?
  /// Why facts of `HEAD` are missing, one sentence without a full stop: `HEAD` is invalid or objects cannot
  /// be read; nil when all is well.
  package var problem: String?
}

extension Inspector {
  /// The light version of ``inspect(path:isCancelled:)``: what is not known is nil.
  ///
  /// - Parameters:
  ///   - known: a summary's `HEAD` and root from before, which shortens the way to the root.
  ///   - isCancelled: asked now and then.
  /// - Throws: as there, when the repository cannot be opened; `cancelled`.
  package func summarize(
    path: String, known: (head: String, root: String)? = nil,
    isCancelled: @escaping @Sendable () -> Bool = { false }
  ) throws(GitError) -> CloneSummary {
    let repository = try open(path)
    let head = repository.refs.head
    var summary = CloneSummary(
      path: repository.worktree ?? repository.gitDir, gitDir: repository.gitDir,
      commonDir: repository.commonDir,
      bare: repository.isBare, isLinkedWorktree: repository.isLinkedWorktree, remotes: repository.remotes(),
      headBranch: head.branch, headCommit: head.commit?.hex)
    summary.description = ownDescription(repository)
    if case .invalid(let reason) = head { summary.problem = reason }
    guard let id = head.commit else { return summary }
    let listing: TreeListing
    do throws(GitError) {
      let commit = try repository.commit(id)
      summary.lastCommitAt = Date(timeIntervalSince1970: Double(commit.committedAt))
      listing = try repository.listing(of: commit.tree, isCancelled: isCancelled)
    } catch {
      if error.code == .cancelled { throw error }
      summary.problem = error.message
      return summary
    }
    summary.rootCommit = try root(of: id, repository, known: known, isCancelled: isCancelled)
    if listing.missing == 0 {
      summary.sizeBytes = listing.bytes
      let attributes = AttributeFiles(listing, repository)
      let shares = LanguageShares(listing, attributes, repository, isCancelled: isCancelled)
      summary.language = shares.languages.first?.name
    }
    if isCancelled() { throw .cancelled }
    summary.license = LicenseFiles.find(listing, repository).lazy.compactMap(\.spdx).first
    if summary.description == nil { summary.description = readme(listing, repository) }
    return summary
  }

  /// Commits that are read in search of the root: some tenths of a second at most, and enough for all but the longest histories.
  private static let rootDistance = 25_000

  /// The root of a commit; damage on the way leaves it out, as the facts of `HEAD` are there all the same.
  private func root(
    of head: ObjectID, _ repository: GitRepository, known: (head: String, root: String)?,
    isCancelled: () -> Bool
  ) throws(GitError) -> String? {
    let beginning = known.flatMap { known in
      ObjectID(hex: known.head).flatMap { head in
        ObjectID(hex: known.root).map { FirstCommitHint(commit: head, first: $0) }
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

  /// The `description` file, unless it is the text that git puts there.
  private func ownDescription(_ repository: GitRepository) -> String? {
    guard let bytes = try? FileAccess.read(repository.commonDir + "/description", limit: GitRepository.textLimit)
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
    guard let best = ranked.min(by: { $0.rank < $1.rank }), let bytes = try? repository.blob(best.id) else {
      return nil
    }
    // The first paragraph of prose is near the top; 64 KiB leave room for badges and tables.
    return Paragraph.first(of: String(decoding: bytes.prefix(64 << 10), as: UTF8.self))
  }
}
