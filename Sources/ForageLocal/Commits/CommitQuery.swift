import ForageCore
import ForageFoundation
import ForageGit

/// A query for commits of clones, evaluated on one commit after the other.
///
/// What the object of a commit tells is looked at first; paths and contents are read only where everything
/// else holds.
struct CommitQuery: Sendable {
  /// Where the histories begin.
  enum Start: Hashable, Sendable {
    case head
    case named(String)
    /// All branches, local ones and those of remotes.
    case branches
  }

  private let root: QueryExpression?
  let start: Start
  /// Texts that the object of each wanted commit has, in small letters of ASCII.
  let needles: [[UInt8]]
  /// What the id of each wanted commit begins with; empty for any.
  let idBeginning: String
  private let isCaseSensitive: Bool
  /// A condition that names whoever asks, for example `author:@me`.
  let ofMe: Qualifier?

  /// Whether a value is what GitHub's queries call whoever asks.
  fileprivate static func isMe(_ value: String) -> Bool { value.lowercased() == "@me" }

  /// - Throws: `SearchError` for several refs, and for one that is not required.
  init(_ query: QueryExpression?) throws(SearchError) {
    root = query
    let leaves = query?.leaves ?? []
    func values(_ name: String) -> [String] {
      leaves.compactMap { leaf in
        guard case .qualifier(let qualifier) = leaf.expression, qualifier.name == name,
          case .text(let value) = qualifier.value
        else { return nil }
        return value
      }
    }
    ofMe =
      leaves.lazy.compactMap { leaf -> Qualifier? in
        guard case .qualifier(let qualifier) = leaf.expression, case .text(let value) = qualifier.value,
          Self.isMe(value), ["author", "committer"].contains(qualifier.name)
        else { return nil }
        return qualifier
      }.first
    let required = (query?.negationNormalForm.conjuncts ?? [])
    let refs = Set(values("ref"))
    func requiredValue(_ name: String) -> String? {
      required.lazy.compactMap { condition -> String? in
        guard case .qualifier(let qualifier) = condition, qualifier.name == name,
          case .text(let value) = qualifier.value
        else { return nil }
        return value
      }.first
    }
    let first = requiredValue("ref")
    guard refs.count <= 1, refs.isEmpty == (first == nil) else {
      throw SearchError(
        .invalidQuery, "ref: takes one branch, tag or commit for the whole query",
        hint: "search once for each ref")
    }
    idBeginning = requiredValue("hash")?.lowercased() ?? ""
    start = first.map { $0 == "*" ? .branches : .named($0) } ?? .head
    let texts = values("added") + values("removed")
    isCaseSensitive =
      values("case").contains("yes")
      || values("case").contains("smart")
        && texts.contains { $0.unicodeScalars.contains(where: \.properties.isUppercase) }
    // Only what must be there decides; letters beyond ASCII are written in several ways.
    needles = required.compactMap { condition -> [UInt8]? in
      let text: String
      switch condition {
      case .term(let term) where !term.isExpression: text = term.text
      case .qualifier(let qualifier) where ["author", "author-name", "author-email"].contains(qualifier.name):
        guard case .text(let value) = qualifier.value, !Self.isMe(value) else { return nil }
        text = value
      default: return nil
      }
      let words = text.lowercased().split(whereSeparator: \.isWhitespace).filter {
        $0.utf8.allSatisfy { $0 < 0x80 }
      }
      return words.max { $0.utf8.count < $1.utf8.count }.map { Array($0.utf8) }
    }
  }

  /// Whether a clone can have wanted commits.
  func mayFit(_ clone: CodeClone) -> Bool {
    root.map { Self.mayFit(clone, $0.negationNormalForm) } ?? true
  }

  private static func mayFit(_ clone: CodeClone, _ condition: QueryExpression) -> Bool {
    switch condition {
    case .qualifier(let qualifier): clone.fits(qualifier) ?? true
    case .not(.qualifier(let qualifier)): !(clone.fits(qualifier) ?? false)
    case .term, .not: true
    case .and(let children): QueryExpression.unitingScopes(children).allSatisfy { mayFit(clone, $0) }
    case .or(let children): children.contains { mayFit(clone, $0) }
    }
  }

  /// Whether a commit is wanted.
  ///
  /// - Parameters:
  ///   - item: The commit as a result.
  ///   - clone: Where it was found.
  ///   - repository: Where its files are read.
  ///   - changes: Of that repository.
  func holds(
    _ found: CommitFinder.Found, _ item: SearchResult, in clone: CodeClone, _ repository: GitRepository,
    _ changes: FileChanges, vocabulary: QualifierVocabulary, isCancelled: () -> Bool
  ) throws(GitError) -> Bool {
    guard let root else { return true }
    let candidate = Candidate(
      found: found, item: item, clone: clone, repository: repository, changes: changes,
      vocabulary: vocabulary,
      isCaseSensitive: isCaseSensitive)
    return try candidate.holds(root, isCancelled)
  }
}

/// One commit, on which conditions are evaluated.
private struct Candidate {
  let found: CommitFinder.Found
  let item: SearchResult
  let clone: CodeClone
  let repository: GitRepository
  let changes: FileChanges
  let vocabulary: QualifierVocabulary
  let isCaseSensitive: Bool

  func holds(_ condition: QueryExpression, _ isCancelled: () -> Bool) throws(GitError) -> Bool {
    switch condition {
    case .term(let term): return has(term)
    case .qualifier(let qualifier): return try holds(qualifier, isCancelled)
    case .not(let child): return try !holds(child, isCancelled)
    case .and(let children):
      for child in QueryExpression.unitingScopes(children).sorted(by: { $0.cost < $1.cost })
      where try !holds(child, isCancelled) {
        return false
      }
      return true
    case .or(let children):
      for child in children.sorted(by: { $0.cost < $1.cost }) where try holds(child, isCancelled) {
        return true
      }
      return false
    }
  }

  /// Whether whole words stand in the message one behind the other, ignoring case and line breaks.
  private func has(_ term: QueryTerm) -> Bool {
    guard !term.isExpression else { return false }
    let message = String(decoding: found.commit.message, as: UTF8.self)
    return WordsOfMessage(message).contain(term.text)
  }

  private func holds(_ qualifier: Qualifier, _ isCancelled: () -> Bool) throws(GitError) -> Bool {
    if let fits = clone.fits(qualifier) { return fits }
    guard case .text(let value) = qualifier.value else {
      return QueryExpression.qualifier(qualifier).matches(item, vocabulary: vocabulary)
    }
    let commit = found.commit
    func names(_ texts: [UInt8]...) -> Bool {
      let wanted = value.lowercased()
      return texts.contains { String(decoding: $0, as: UTF8.self).lowercased().contains(wanted) }
    }
    func isOne(_ name: [UInt8], _ email: [UInt8], _ known: GitRepository.Identity) -> Bool {
      [(name, known.name), (email, known.email)].contains { text, own in
        own.map { $0.lowercased() == String(decoding: text, as: UTF8.self).lowercased() } ?? false
      }
    }
    switch qualifier.name {
    case "author" where CommitQuery.isMe(value):
      return isOne(commit.authorName, commit.authorEmail, repository.author)
    case "committer" where CommitQuery.isMe(value):
      return isOne(found.committerName, found.committerEmail, repository.committer)
    case "author": return names(commit.authorName, commit.authorEmail)
    case "author-name": return names(commit.authorName)
    case "author-email": return names(commit.authorEmail)
    case "committer": return names(found.committerName, found.committerEmail)
    case "committer-name": return names(found.committerName)
    case "committer-email": return names(found.committerEmail)
    case "hash": return commit.id.hex.hasPrefix(value.lowercased())
    // They say where and how is looked, and exclude nothing.
    case "ref", "case": return true
    case "path": return try touches(value, isCancelled)
    case "added": return try changes(value, isCancelled).added
    case "removed": return try changes(value, isCancelled).removed
    default: return QueryExpression.qualifier(qualifier).matches(item, vocabulary: vocabulary)
    }
  }

  private func touches(_ path: String, _ isCancelled: () -> Bool) throws(GitError) -> Bool {
    let path = path.hasSuffix("/") ? String(path.dropLast()) : path
    guard let glob = PathGlob(path) else { return try repository.touches(path, found.commit) }
    return try changes.made(by: found.commit, isCancelled: isCancelled)
      .contains {
        glob.matches(String(decoding: $0.path, as: UTF8.self))
      }
  }

  /// Whether the commit adds or removes a line with a text.
  private func changes(_ text: String, _ isCancelled: () -> Bool) throws(GitError) -> (
    added: Bool, removed: Bool
  ) {
    // Only letters of ASCII are compared without case; git does not know others in every locale either.
    let bytes = text.utf8.map { isCaseSensitive || !(0x41...0x5A).contains($0) ? $0 : $0 | 0x20 }
    guard !bytes.isEmpty else { return (false, false) }
    let files = try changes.made(by: found.commit, isCancelled: isCancelled)
    let all = try lines(with: bytes, in: files, isCancelled)
    // Of a file that was moved only some lines are new, or none. Finding these takes long, so it is the last
    // question.
    guard all.added || all.removed, files.contains(where: { $0.old == nil }),
      files.contains(where: { $0.new == nil }),
      let moved = try? repository.changedFilesWithRenames(of: found.commit, isCancelled: isCancelled)
    else { return all }
    return try lines(with: bytes, in: moved, isCancelled)
  }

  private func lines(
    with text: [UInt8], in files: [ChangedFile], _ isCancelled: () -> Bool
  ) throws(GitError) -> (added: Bool, removed: Bool) {
    var all = (added: false, removed: false)
    for file in files where file.old != file.new {
      if isCancelled() { throw .cancelled }
      do throws(GitError) {
        let lines = try repository.lines(with: text, changedBy: file, ignoresCase: !isCaseSensitive)
        all = (all.added || lines.added, all.removed || lines.removed)
      } catch {
        // What a partial clone has left with its remote, or is larger than any text.
        guard [.missingObject, .corrupt, .tooLarge].contains(error.code) else { throw error }
      }
      if all.added, all.removed { break }
    }
    return all
  }
}

extension CodeClone {
  /// Whether a qualifier names the repository or its owner; `nil` for any other qualifier.
  fileprivate func fits(_ qualifier: Qualifier) -> Bool? {
    let wanted = qualifier.value.texts.map { $0.lowercased() }
    return switch qualifier.name {
    case "repo": isMeant(by: qualifier)
    case "user", "org", "owner": wanted.contains(where: isOwned)
    default: nil
    }
  }
}

extension QueryExpression {
  /// How much it takes to evaluate: nothing, comparing folders, comparing contents.
  fileprivate var cost: Int {
    switch self {
    case .term: 0
    case .qualifier(let qualifier):
      ["added", "removed"].contains(qualifier.name) ? 2 : qualifier.name == "path" ? 1 : 0
    case .not(let child): child.cost
    case .and(let children), .or(let children): children.map(\.cost).max() ?? 0
    }
  }
}

/// The words of a message, in small letters.
struct WordsOfMessage {
  private let text: [Unicode.Scalar]

  init(_ message: String) { text = Self.folded(message) }

  /// Small letters, with each run of white space as one space.
  private static func folded(_ text: String) -> [Unicode.Scalar] {
    var folded: [Unicode.Scalar] = []
    for scalar in text.lowercased().unicodeScalars {
      guard scalar.properties.isWhitespace else {
        folded.append(scalar)
        continue
      }
      if folded.last != " " { folded.append(" ") }
    }
    return folded
  }

  /// Whether a text stands there as whole words: no letter, digit or underscore is beside it.
  func contain(_ wanted: String) -> Bool {
    let wanted = Self.folded(wanted)
    guard let first = wanted.first, let last = wanted.last, text.count >= wanted.count else { return false }
    for place in 0...(text.count - wanted.count) where text[place] == first {
      let end = place + wanted.count
      guard text[place..<end].elementsEqual(wanted) else { continue }
      let isFree =
        (place == 0 || !Self.isOfWord(first) || !Self.isOfWord(text[place - 1]))
        && (end == text.count || !Self.isOfWord(last) || !Self.isOfWord(text[end]))
      if isFree { return true }
    }
    return false
  }

  private static func isOfWord(_ scalar: Unicode.Scalar) -> Bool {
    scalar == "_" || scalar.properties.isAlphabetic || scalar.properties.numericType != nil
  }
}
