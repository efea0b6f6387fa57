import CLibGit2
import ForagePlatform

/// A reader of the attributes of paths in the `.gitattributes` files of a tree, as git looks them up.
///
/// The attribute file of the user applies, too, where git has one by default; those of the system and of the
/// git directory do not. Used by one thread.
package final class TreeAttributes {
  /// The value of an attribute.
  package enum Value: Equatable {
    case unspecified
    /// `name`.
    case set
    /// `-name`.
    case unset
    /// `name=text`.
    case text(String)
  }

  /// The time of all lookups together; a hundred lines for a million files need half of it. Patterns can be
  /// made to be slow.
  private static let timeLimit = Duration.seconds(10)

  private var rest = timeLimit
  /// Whether the time for lookups is over; they then return nil.
  package var isExhausted: Bool { rest <= .zero }

  /// A repository in memory, with the object database of the real one and an index of nothing but attribute
  /// files.
  private let repository: OpaquePointer
  private var names: [UnsafePointer<CChar>?]

  fileprivate init(
    _ names: [String], _ files: [(path: String, id: ObjectID)], _ database: OpaquePointer
  ) throws(GitError) {
    var made: (repository: OpaquePointer?, index: OpaquePointer?, config: OpaquePointer?)
    defer {
      git_index_free(made.index)
      git_config_free(made.config)
    }
    let context = "looking up attributes"
    try LibGit2.check(git_repository_wrap_odb(&made.repository, database), context)
    guard let repository = made.repository else { throw GitError(.other, "libgit2 returned no repository") }
    // After this, `deinit` frees what has been made if a step throws.
    self.repository = repository
    self.names = names.map { UnsafePointer(strdup($0)) }
    try LibGit2.check(git_config_new(&made.config), context)
    try LibGit2.check(git_repository_set_config(repository, made.config), context)
    try LibGit2.check(git_index_new(&made.index), context)
    for file in files {
      var entry = git_index_entry()
      entry.mode = UInt32(GIT_FILEMODE_BLOB.rawValue)
      entry.id = file.id.withOID { $0.pointee }
      let status = file.path.withCString { path in
        entry.path = path
        return git_index_add(made.index, &entry)
      }
      try LibGit2.check(status, context)
    }
    try LibGit2.check(git_repository_set_index(repository, made.index), context)
  }

  deinit {
    for name in names { free(UnsafeMutablePointer(mutating: name)) }
    git_repository_free(repository)
  }

  /// Returns the values for a path relative to the root, in the order of the names; nil if they cannot be
  /// read.
  package func values(of path: String) -> [Value]? {
    guard !isExhausted else { return nil }
    let start = ContinuousClock.now
    defer { rest -= ContinuousClock.now - start }
    var options = git_attr_options()
    options.version = UInt32(GIT_ATTR_OPTIONS_VERSION)
    options.flags = UInt32(GIT_ATTR_CHECK_INDEX_ONLY | GIT_ATTR_CHECK_NO_SYSTEM)
    var values = [UnsafePointer<CChar>?](repeating: nil, count: names.count)
    guard git_attr_get_many_ext(&values, repository, &options, path, names.count, &names) == 0 else {
      return nil
    }
    return values.map { value in
      switch git_attr_value(value) {
      case GIT_ATTR_VALUE_TRUE: .set
      case GIT_ATTR_VALUE_FALSE: .unset
      case GIT_ATTR_VALUE_STRING: value.map { .text(String(cString: $0)) } ?? .unspecified
      default: .unspecified
      }
    }
  }
}

extension GitRepository {
  /// Prepares a lookup of attributes.
  ///
  /// - Parameters:
  ///   - names: the attributes of each lookup.
  ///   - files: the paths of the attribute files, and their blobs.
  package func attributes(
    _ names: [String], in files: [(path: String, id: ObjectID)]
  ) throws(GitError) -> TreeAttributes { try TreeAttributes(names, files, try objects().database) }
}
