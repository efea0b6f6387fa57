import ForageGit
import ForageInspector

/// The commit that a clone has checked out, with what is needed to read it.
struct CloneHead {
  let repository: GitRepository
  let commit: Commit
  let branch: String?
  /// Identifies the state of the clone; taken before the commit was read.
  let stamp: String

  /// Reads the head of a clone.
  ///
  /// - Returns: `nil` for a branch without a commit.
  /// - Throws: `GitError` if the repository or the commit cannot be read.
  static func read(_ path: String, _ repositories: CodeRepositories) throws(GitError) -> CloneHead? {
    let stamp = CloneProbe.fingerprint(path)
    let repository = try repositories.open(path)
    if let problem = repository.objectProblem { throw problem }
    if case .invalid(let reason, _) = repository.refs.head { throw GitError(.invalidHead, reason) }
    guard let id = repository.refs.head.commit else { return nil }
    return CloneHead(
      repository: repository, commit: try repository.commit(id), branch: repository.refs.head.branch,
      stamp: stamp)
  }
}

struct TreeChanges {
  var removed: [(path: String, id: ObjectID)] = []
  var added: [(path: String, id: ObjectID)] = []

  /// Compares two trees, of which equal folders are not read; `nil` if there are more changes than the limit.
  ///
  /// - Parameter old: `nil` for an empty tree.
  /// - Throws: `GitError` if a tree cannot be read; `cancelled`.
  static func between(
    _ old: ObjectID?, _ new: ObjectID, in repository: GitRepository, limit: Int, isCancelled: () -> Bool
  ) throws(GitError) -> TreeChanges? {
    var changes = TreeChanges()
    var pending: [(old: ObjectID?, new: ObjectID?, prefix: String)] = [(old, new, "")]
    while let step = pending.popLast() {
      if isCancelled() { throw .cancelled }
      var before: [ExactText: TreeEntry] = [:]
      if let old = step.old {
        for entry in try repository.tree(old) { before[ExactText(entry.name)] = entry }
      }
      for entry in step.new == nil ? [] : try repository.tree(step.new ?? new) {
        let other = before.removeValue(forKey: ExactText(entry.name))
        if let other, other.id == entry.id, other.kind.isFile == entry.kind.isFile { continue }
        changes.add(entry, other, prefix: step.prefix, &pending)
      }
      for entry in before.values { changes.add(nil, entry, prefix: step.prefix, &pending) }
      // Folders that refer to each other could be compared without end.
      guard changes.removed.count + changes.added.count <= limit, pending.count <= limit,
        step.prefix.utf8.count <= pathLimit
      else { return nil }
    }
    return changes
  }

  /// The longest path of a folder in bytes.
  private static let pathLimit = 1 << 14

  private mutating func add(
    _ new: TreeEntry?, _ old: TreeEntry?, prefix: String,
    _ pending: inout [(old: ObjectID?, new: ObjectID?, prefix: String)]
  ) {
    let name = prefix + (new?.name ?? old?.name ?? "")
    let newFolder = new?.kind == .directory ? new?.id : nil
    let oldFolder = old?.kind == .directory ? old?.id : nil
    if newFolder != nil || oldFolder != nil { pending.append((oldFolder, newFolder, name + "/")) }
    if let old, old.kind.isFile { removed.append((name, old.id)) }
    if let new, new.kind.isFile { added.append((name, new.id)) }
  }
}

extension TreeEntry.Kind {
  /// Whether it is a regular file, the only kind that `git grep` searches.
  var isFile: Bool { self == .file || self == .executable }
}

/// Finds the language and traits of files.
struct FileClassifier {
  private var classifier = LanguageClassifier()
  private var attributes: AttributeFiles?

  /// Creates a classifier for the files of a tree.
  ///
  /// - Parameter folders: The folders whose attributes may apply, without trailing slash; "" is the root.
  init(_ repository: GitRepository, tree: ObjectID, folders: Set<String>) {
    let files = folders.sorted().compactMap { folder -> (path: String, id: ObjectID, size: Int?)? in
      let path = folder.isEmpty ? AttributeFiles.name : folder + "/" + AttributeFiles.name
      guard let entry = (try? repository.entry(at: path, in: tree)) ?? nil, entry.kind.isFile,
        let bytes = try? repository.blob(entry.id)
      else { return nil }
      return (path, entry.id, bytes.count)
    }
    attributes = AttributeFiles(files, repository)
  }

  /// Creates a classifier that knows no attributes.
  init() {}

  /// The folder of a path and all above it.
  static func folders(above path: String) -> [String] {
    var result = [""]
    for place in path.utf8.indices where path.utf8[place] == UInt8(ascii: "/") {
      result.append(String(path[..<place]))
    }
    return result
  }

  /// The language and the flags of a file.
  ///
  /// - Parameters:
  ///   - size: The size in bytes, if known.
  ///   - content: Reads the beginning of the file; called where the name does not decide.
  mutating func classify(_ path: String, size: Int?, content: () -> [UInt8]?) -> (
    language: String?, flags: Int
  ) {
    let verdict = classifier.classify(
      path: path, size: size ?? .max, attributes: attributes?.attributes(of: path), readPrefix: content)
    let (language, traits) = (verdict?.languageName, verdict?.traits ?? FileTraits.of(path))
    var flags = Int(traits.rawValue) | (TestPaths.contains(path) ? CodeFile.test : 0)
    // github-linguist has only some folders and names; for a search, prose is documentation wherever it is, and what
    // a package of Python brings with it is vendored.
    if CodeFile.isProse(language) { flags |= Int(FileTraits.documentation.rawValue) }
    if path.split(separator: "/").dropLast().contains("_vendor") {
      flags |= Int(FileTraits.vendored.rawValue)
    }
    return (language, flags)
  }
}
