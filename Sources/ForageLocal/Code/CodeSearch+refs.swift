import ForageCore
package import ForageGit
import ForageStore

/// Searches branches, tags and commits that are not checked out.
extension CodeSearch {
  /// More files than these cannot differ between two refs, or the clone is left out.
  private static let changeLimit = 1_000_000

  /// Replaces the files that are checked out by those of refs: the index is by content, so only what differs
  /// is read.
  ///
  /// - Parameter ref: A branch, tag or commit, `*` for all branches.
  /// - Throws: `SearchError` with code `unknownRef` where no clone has it.
  func replaceByRefs(
    _ ref: String, _ files: inout [CodeFile], _ wanted: [Int], _ repositories: CodeRepositories,
    _ outcome: inout Outcome, _ skipped: inout Skipped
  ) throws {
    var isKnown = wanted.isEmpty
    // Other clones may have the same file, but not by this ref.
    files.removeAll { !wanted.contains($0.clone) }
    for clone in wanted {
      do throws(GitError) {
        let found = try replace(clone, by: ref, &files, repositories, &outcome, &skipped)
        isKnown = isKnown || found
      } catch {
        isKnown = true
        files.removeAll { $0.clone == clone }
        skipped.add(error.code == .cancelled ? "time" : "unreadable", in: clones[clone])
      }
    }
    guard isKnown else {
      throw SearchError(
        .unknownRef, "no chosen clone has the branch, tag or commit \"\(ref)\"",
        hint: "fetch it with: git fetch; or leave ref: out")
    }
  }

  /// - Returns: Whether the clone has the ref.
  private func replace(
    _ clone: Int, by ref: String, _ files: inout [CodeFile], _ repositories: CodeRepositories,
    _ outcome: inout Outcome, _ skipped: inout Skipped
  ) throws(GitError) -> Bool {
    // A branch without a commit has nothing checked out.
    let tree = outcome.trees[clone].flatMap { ObjectID(raw: $0.tree) }
    let repository = try repositories.open(clones[clone].path)
    let tips = try Self.tips(ref, in: repository)
    guard let first = tips.first else {
      files.removeAll { $0.clone == clone }
      return false
    }
    // What each ref does not have of the files that are checked out, and what it has beside them.
    var lacking: [Place: Set<CodeRef>] = [:]
    var added: [Place: [CodeRef]] = [:]
    let changes = FileChanges(in: repository)
    for (name, commit) in tips {
      let files = try changes.between(tree, commit.tree, limit: Self.changeLimit, isCancelled: { isLate })
      for file in files where file.old != file.new {
        let path = String(decoding: file.path, as: UTF8.self)
        if let id = file.old { lacking[Place(path: path, id: id), default: []].insert(name) }
        if let id = file.new { added[Place(path: path, id: id), default: []].append(name) }
      }
    }
    let all = tips.map(\.ref)
    var kept: [CodeFile] = []
    for var file in files {
      guard file.clone == clone else {
        kept.append(file)
        continue
      }
      guard let id = file.id else { continue }
      let gone = lacking[Place(path: file.path, id: id)] ?? []
      file.refs = gone.isEmpty ? all : all.filter { !gone.contains($0) }
      if !file.refs.isEmpty { kept.append(file) }
    }
    files = kept
    var classifier = FileClassifier()
    for (place, refs) in added.sorted(by: { $0.key.path.bytesPrecede($1.key.path) }) {
      if isLate { throw .cancelled }
      // A blob that a partial clone has left with its remote is told when it is read.
      let size = (try? repository.header(of: place.id))?.size
      if let size, readsTexts, size > maximumFileSize {
        skipped.add("tooLarge", in: clones[clone])
        continue
      }
      let (language, flags) = classifier.classify(place.path, size: size) {
        try? repository.blob(place.id, limit: Self.prefixLimit)
      }
      var file = CodeFile(
        clone: clone, path: place.path, bytesOfPath: nil, language: language, flags: flags, id: place.id,
        number: nil, bytes: size)
      file.refs = refs
      files.append(file)
    }
    if ref != "*" {
      // What is said of the clone is said of the ref.
      var shown =
        outcome.trees[clone]
        ?? CodeIndex.Tree(
          path: clones[clone].path, tree: first.commit.tree.raw, stamp: "", commit: first.ref.commit,
          branch: first.ref.name, committedAt: Int(first.commit.committedAt))
      (shown.commit, shown.branch, shown.isPublished) = (first.ref.commit, first.ref.name, false)
      outcome.trees[clone] = shown
    }
    return true
  }

  /// The bytes of a file that may decide its language.
  private static let prefixLimit = 64 << 10

  private struct Place: Hashable {
    let path: String
    let id: ObjectID
  }

  /// The refs with their commits: of one name, or all branches, local ones first.
  private static func tips(_ ref: String, in repository: GitRepository) throws(GitError) -> [(
    ref: CodeRef, commit: Commit
  )] {
    guard ref == "*" else {
      return repository.commit(named: ref).map { [(CodeRef(name: ref, commit: $0.id.hex), $0)] } ?? []
    }
    try repository.refs.load()
    var tips: [(ref: CodeRef, commit: Commit)] = []
    for prefix in ["refs/heads/", "refs/remotes/"] {
      for reference in repository.refs.with(prefix: prefix) where !reference.isSymbolic {
        guard let name = reference.name.text(after: prefix),
          let commit = try? repository.commit(reference.target)
        else { continue }
        tips.append((CodeRef(name: name, commit: commit.id.hex), commit))
      }
    }
    return tips
  }
}

extension GitRepository {
  /// The object that a name means: as for git first the one with this whole id, then a branch, a tag, a
  /// branch of the remote `origin`, or what `git rev-parse` knows.
  ///
  /// - Returns: `nil` if there is none.
  package func object(meantBy name: String) -> ObjectID? {
    if name == "HEAD" { return refs.head.commit }
    if let id = ObjectID(hex: name), (try? header(of: id)) != nil { return id }
    let prefixes = ["refs/tags/", "refs/heads/", "refs/remotes/", "refs/remotes/origin/", "refs/", ""]
    return prefixes.lazy.compactMap { self.refs.reference(shownAs: $0 + name)?.target }.first
      ?? object(named: name)
  }

  /// The commit that a name means; `nil` if there is none.
  func commit(named name: String) -> Commit? {
    guard let id = object(meantBy: name), let object = try? peel(id), object.kind == .commit else {
      return nil
    }
    return try? commit(object.id)
  }
}
