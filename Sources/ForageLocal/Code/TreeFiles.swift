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
    // github-linguist has only some folders and names; for a search, prose is documentation wherever it is,
    // and what a package of Python brings with it is vendored.
    if CodeFile.isProse(language) { flags |= Int(FileTraits.documentation.rawValue) }
    if path.split(separator: "/").dropLast().contains("_vendor") {
      flags |= Int(FileTraits.vendored.rawValue)
    }
    return (language, flags)
  }
}
