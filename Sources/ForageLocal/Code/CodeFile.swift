import ForageCore
import ForageFoundation
import ForageGit
import ForageInspector
import ForagePlatform
import ForageStore

/// A branch, tag or commit that is searched.
struct CodeRef: Sendable, Hashable {
  /// As the query or the repository names it.
  var name: String
  /// The commit, 40 hexadecimal digits.
  var commit: String
}

/// A file that may match.
struct CodeFile: Sendable {
  /// The bits of `flags` beside the traits of github-linguist: whether the file is a test.
  static let test = 1 << 8
  /// Whether an attribute converts the file, so that its text is that of the file on disk.
  static let converted = CodeIndex.convertedFlag

  /// The clone, as an index of the clones of the search.
  var clone: Int
  /// The path in the repository of the clone; of a file in a submodule, in that of the superproject.
  var path: String
  /// The bytes of the path of a file in a work tree, if they are not UTF-8.
  var bytesOfPath: [UInt8]?
  var language: String?
  var flags: Int
  /// The id of the blob; `nil` for a file that is read from the work tree.
  var id: ObjectID?
  /// The number of the blob in the index; `nil` if the index does not have it.
  var number: Int64?
  var bytes: Int?
  /// The branches or the one ref of a search with `ref:` that have the file; empty for any other search.
  var refs: [CodeRef] = []
  /// The stamp of the file of the work tree when it had the content of the blob.
  var stamp: FileStamp?

  /// The bit of the trait that `is:` names; `nil` for an unknown word.
  static func trait(named word: String) -> Int? {
    switch word {
    case "vendored": Int(FileTraits.vendored.rawValue)
    case "generated": Int(FileTraits.generated.rawValue)
    case "documentation": Int(FileTraits.documentation.rawValue)
    case "test": test
    default: nil
    }
  }

  /// The languages of prose, in which lines of a program are examples.
  private static let prose: Set<String> = ["Markdown", "reStructuredText", "AsciiDoc"]

  static func isProse(_ language: String?) -> Bool { language.map(prose.contains) ?? false }

  /// The words that `is:` takes.
  static let traitWords = ["generated", "vendored", "test", "documentation"]

  /// The bytes of the path, as far as they are known.
  var nameBytes: [UInt8] { bytesOfPath ?? Array(path.utf8) }

  /// The name without its folders.
  var name: Substring {
    path[
      (path.utf8.lastIndex(of: UInt8(ascii: "/")).map { path.utf8.index(after: $0) } ?? path.startIndex)...]
  }

  /// Whether its name, with or without extension, is another one in any case of the letters.
  func isNamed(_ other: String) -> Bool {
    let (name, other) = (name.lowercased(), other.lowercased())
    return name == other || name.hasPrefix(other + ".")
  }

  /// Whether a condition holds; `nil` if the size decides and is unknown.
  func holds(_ condition: CodeQuery.Condition, in clone: CodeClone) -> Bool? {
    switch condition {
    case .repository(let repo): clone.isMeant(by: repo)
    case .owner(let wanted): clone.isOwned(by: wanted)
    case .language(let wanted): language?.lowercased() == wanted
    case .path(let wanted): path.lowercased().contains(wanted)
    case .pathGlob(let glob): glob.matches(path.lowercased())
    case .filename(let wanted): name.lowercased().contains(wanted)
    case .fileExtension(let wanted): name.lowercased().hasSuffix("." + wanted)
    case .size(let bounds): bytes.map(bounds.contains)
    case .trait(let bit): flags & bit != 0
    case .always: true
    case .never: false
    }
  }
}

extension CodeFile {
  /// Creates a file of the index.
  ///
  /// - Parameter clone: The clone, as an index of the clones of the search.
  init(_ clone: Int, _ candidate: CodeIndex.Candidate) {
    self.init(
      clone: clone, path: candidate.path, language: candidate.language, flags: candidate.flags,
      id: ObjectID(raw: candidate.blob), number: candidate.number, bytes: candidate.bytes,
      stamp: candidate.stamp.map(FileStamp.init))
  }
}

struct CodeClone: Sendable {
  /// The root, absolute.
  var path: String
  /// The canonical id `host/owner/name`; `nil` without a forge.
  var entityID: String?
  /// Host, owner and name as the address spells them.
  var host: String?
  var owner: String?
  var name: String
  /// Whether the catalogue has it.
  var isOfCatalogue = false
  /// Whether the current folder is in the clone, or in the superproject of which it is a submodule.
  var isCurrent = false
  /// The clone of which it is a submodule, if the current folder is in that one: its files are then files of
  /// that clone.
  var superproject: Superproject?

  /// A clone with a submodule.
  final class Superproject: Sendable {
    let clone: CodeClone
    /// The path of the submodule in the clone, with a slash at the end.
    let prefix: String

    init(_ clone: CodeClone, prefix: String) { (self.clone, self.prefix) = (clone, prefix) }
  }

  /// Whether the canonical id means this one of all clones of its repository, and can be read.
  var standsForRepository = true

  /// The repository in results: the canonical id as the address spells it, or the path of a clone without a
  /// forge.
  var repository: String {
    if let superproject { return superproject.clone.repository }
    guard let entityID, let host, let owner else { return entityID ?? path }
    return RepositoryIdentity.spelled(entityID, as: "\(host)/\(owner)/\(name)")
  }

  /// The folder that the paths of files are relative to.
  var base: String { superproject?.clone.path ?? path }

  /// What the paths of files begin with that their own repository does not have.
  var prefix: String { superproject?.prefix ?? "" }

  /// The path of a file in its own repository.
  func ownPath(_ path: String) -> String { String(Substring(path.utf8.dropFirst(prefix.utf8.count))) }

  /// Whether `owner:` names the clone.
  ///
  /// - Parameter wanted: In lower case.
  func isOwned(by wanted: String) -> Bool {
    owner?.lowercased() == wanted || superproject?.clone.isOwned(by: wanted) == true
  }

  /// Whether `repo:` means the clone, or the one of which it is a submodule.
  func isMeant(by repo: Qualifier) -> Bool {
    if superproject?.clone.isMeant(by: repo) == true { return true }
    if isOfCatalogue, let clones = repo.clones { return clones.contains(ExactText(path)) }
    return repo.value.texts.contains { isNamed($0.lowercased()) }
  }

  /// Whether a clone that the catalogue does not have is named: as `owner/name`, with the host before it, or,
  /// without a forge, by the name of its folder or its path.
  ///
  /// - Parameter wanted: In lower case.
  private func isNamed(_ wanted: String) -> Bool {
    if let owner, (owner + "/" + name).lowercased() == wanted { return true }
    if let entityID { return entityID.lowercased() == wanted }
    return name.lowercased() == wanted || path.lowercased() == wanted
  }
}

extension CodeClone {
  /// A clone of the catalogue.
  init(_ record: CloneRecord) {
    self.init(
      path: record.path, entityID: record.entityID, host: record.host, owner: record.owner, name: record.name,
      isOfCatalogue: true)
  }
}
