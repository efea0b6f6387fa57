import CLibGit2
import ForagePlatform

/// Finds the commits of a history that may be wanted, in the order of `git log`.
///
/// Each commit object is read once; of those that lack one of some texts nothing is decoded.
package struct CommitFinder {
  /// A commit with its committer.
  package struct Found: Sendable {
    package let commit: Commit
    package let committerName: [UInt8]
    package let committerEmail: [UInt8]
  }

  /// What the graph saw while it read the commits.
  private final class Marks {
    var numbers: Set<Int> = []
  }

  private var graph: CommitGraph
  private var walk: LogWalk
  private let marks: Marks
  private let idBeginning: String
  private var visited = 0
  /// The commits between two polls of `isCancelled`: some milliseconds.
  private static let stride = 256

  /// The committer date of the last commit that was looked at, in seconds since 1970; `nil` before the first
  /// one.
  package private(set) var reachedAt: Int64?
  /// The number of commits that are missing or damaged; what lies behind them is not found.
  package var lost: Int { walk.lost }

  /// - Parameters:
  ///   - tips: Where the histories begin; what is no commit is passed over.
  ///   - texts: What each wanted commit has in its object, in small letters of ASCII; capitals count as small
  ///     ones.
  ///   - idBeginning: What the id of each wanted commit begins with, in small hexadecimal digits.
  /// - Returns: `nil` without a tip.
  /// - Throws: `missingObject` and `corrupt` for the first tip.
  package init?(
    from tips: [ObjectID], in repository: GitRepository, containing texts: [[UInt8]] = [],
    idBeginning: String = ""
  ) throws(GitError) {
    var commits: [ObjectID] = []
    for tip in tips {
      guard let peeled = try? repository.peel(tip), peeled.kind == .commit else { continue }
      commits.append(peeled.id)
    }
    guard let first = commits.first else { return nil }
    let marks = Marks()
    var graph = CommitGraph(lazilyFrom: first, in: repository)
    graph.visitor = { number, bytes in
      if texts.allSatisfy({ bytes.containsIgnoringCase($0) }) { marks.numbers.insert(number) }
    }
    var walk = try LogWalk(&graph)
    for commit in commits.dropFirst() { try walk.begin(at: commit, &graph) }
    (self.graph, self.walk, self.marks, self.idBeginning) = (graph, walk, marks, idBeginning)
  }

  /// The next commit that has all texts; `nil` at the end.
  ///
  /// - Throws: `tooLarge`, `cancelled`.
  package mutating func next(isCancelled: () -> Bool) throws(GitError) -> Found? {
    while true {
      // Reading one commit takes some microseconds.
      if visited % Self.stride == 0, isCancelled() { throw .cancelled }
      guard let step = try walk.next(&graph) else { return nil }
      visited += 1
      reachedAt = graph.nodes[step.number].committedAt
      guard marks.numbers.remove(step.number) != nil else { continue }
      let id = graph.id(step.number)
      if !idBeginning.isEmpty, !id.hex.hasPrefix(idBeginning) { continue }
      return try graph.repository.found(id)
    }
  }
}

extension GitRepository {
  /// A commit with its committer.
  package func found(_ id: ObjectID) throws(GitError) -> CommitFinder.Found {
    try withCommit(id) { bytes, _ in
      guard let commit = Commit(id: id, bytes) else { return nil }
      var (name, email): ([UInt8], [UInt8]) = ([], [])
      var lines = HeaderLines(bytes)
      while let line = lines.next() {
        guard line.key == "committer" else { continue }
        if let ident = Ident(line.value) {
          name = [UInt8](line.value[ident.name])
          email = [UInt8](line.value[ident.email])
        }
        break
      }
      return CommitFinder.Found(commit: commit, committerName: name, committerEmail: email)
    }
  }

  /// Whether the object at a path is another one in a commit than in its first parent; false for merges.
  package func touches(_ path: String, _ commit: Commit) throws(GitError) -> Bool {
    guard commit.parents.count < 2 else { return false }
    let new = try entry(at: path, in: commit.tree)
    let old = try treeBefore(commit).flatMap { tree throws(GitError) in try entry(at: path, in: tree) }
    return new?.id != old?.id || new?.kind != old?.kind
  }

  /// Which lines with a text a change of a file adds and removes, as `git diff` shows it.
  ///
  /// - Parameters:
  ///   - text: Looked for in each line; never empty.
  ///   - ignoresCase: Whether capitals of ASCII count as small letters.
  /// - Throws: `missingObject`, `corrupt`, `tooLarge`.
  package func lines(
    with text: [UInt8], changedBy file: ChangedFile, ignoresCase: Bool
  ) throws(GitError) -> (added: Bool, removed: Bool) {
    let (old, new) = (try content(file.old), try content(file.new))
    let lines = LinesWithText(text, ignoresCase: ignoresCase)
    // Most files have it nowhere, and need no comparison.
    guard old.withUnsafeBytes(lines.hasText) || new.withUnsafeBytes(lines.hasText) else {
      return (false, false)
    }
    var options = git_diff_options()
    git_diff_options_init(&options, UInt32(GIT_DIFF_OPTIONS_VERSION))
    options.context_lines = 0
    let code = old.withUnsafeBytes { old in
      new.withUnsafeBytes { new in
        git_diff_buffers(
          old.baseAddress, old.count, nil, new.baseAddress, new.count, nil, &options, nil, nil, nil,
          { _, _, line, payload in
            guard let line, let payload, let content = line.pointee.content else { return 0 }
            let bytes = UnsafeRawBufferPointer(start: content, count: Int(line.pointee.content_len))
            Unmanaged<LinesWithText>.fromOpaque(payload).takeUnretainedValue()
              .visit(bytes, origin: UInt8(bitPattern: line.pointee.origin))
            return 0
          }, Unmanaged.passUnretained(lines).toOpaque())
      }
    }
    try LibGit2.check(code, "comparing two versions of a file")
    return withExtendedLifetime(lines) { (lines.added, lines.removed) }
  }

  /// Which of the lines of a difference have a text.
  private final class LinesWithText {
    private let text: [UInt8]
    private let ignoresCase: Bool
    private(set) var (added, removed) = (false, false)

    init(_ text: [UInt8], ignoresCase: Bool) {
      self.text = text
      self.ignoresCase = ignoresCase
    }

    func hasText(_ bytes: UnsafeRawBufferPointer) -> Bool {
      let bytes = CheckedBytes(bytes)
      return ignoresCase ? bytes.containsIgnoringCase(text) : bytes.contains(text)
    }

    /// Takes a line, with what `git diff` writes before it.
    func visit(_ line: UnsafeRawBufferPointer, origin: UInt8) {
      if origin == UInt8(ascii: "+") {
        added = added || hasText(line)
      } else if origin == UInt8(ascii: "-") {
        removed = removed || hasText(line)
      }
    }
  }

  /// The content of a blob; empty for none.
  private func content(_ id: ObjectID?) throws(GitError) -> [UInt8] {
    guard let id else { return [] }
    return try withBlob(id) { [UInt8]($0) }
  }
}

extension CheckedBytes {
  /// Whether a text occurs, in which capitals of ASCII count as small letters; an empty one always does.
  ///
  /// - Parameter text: In small letters.
  func containsIgnoringCase(_ text: [UInt8]) -> Bool {
    guard let first = text.first else { return true }
    guard count >= text.count else { return false }
    let capital = isLetter(first) ? first & ~0x20 : first
    for place in 0...(count - text.count) where self[place] == first || self[place] == capital {
      if text.indices.allSatisfy({ lowercased(self[place + $0]) == text[$0] }) { return true }
    }
    return false
  }

  func contains(_ text: [UInt8]) -> Bool {
    guard let first = text.first else { return true }
    guard count >= text.count else { return false }
    for place in 0...(count - text.count) where self[place] == first {
      if text.indices.allSatisfy({ self[place + $0] == text[$0] }) { return true }
    }
    return false
  }
}
