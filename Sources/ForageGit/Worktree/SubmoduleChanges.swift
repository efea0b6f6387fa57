/// What `.gitmodules` and the configuration say of submodules.
struct SubmoduleSettings {
  /// The value of `submodule.NAME.ignore`.
  enum Ignored {
    case nothing, untracked, dirty, all

    init?(_ text: String?) {
      switch text {
      case "none": self = .nothing
      case "untracked": self = .untracked
      case "dirty": self = .dirty
      case "all": self = .all
      default: return nil
      }
    }
  }

  /// A submodule that `.gitmodules` names.
  struct Entry {
    let name: String
    /// The URL without credentials.
    let url: String?
    /// Nil if neither file sets it.
    let ignored: Ignored?
  }

  private(set) var byPath: [ExactText: Entry] = [:]
  /// `diff.ignoreSubmodules`.
  let standard: Ignored

  /// Parses the file, if there is one.
  ///
  /// - Throws: `corrupt` for an invalid line.
  init(_ bytes: [UInt8]?, _ config: GitConfig) throws(GitError) {
    standard = Ignored(config.string("diff.ignoresubmodules")) ?? .nothing
    guard let bytes else { return }
    let file = try GitConfig.text(bytes, name: ".gitmodules")
    for name in file.subsections(of: "submodule") {
      let section = "submodule.\(name)."
      guard let path = file.string(section + "path") else { continue }
      byPath[ExactText(path)] = Entry(
        name: name, url: file.string(section + "url").map(RemoteURL.withoutCredentials),
        ignored: Ignored(config.string(section + "ignore") ?? file.string(section + "ignore")))
    }
  }

  func ignored(_ path: String) -> Ignored { byPath[ExactText(path)]?.ignored ?? standard }
}

/// Decides which submodules count as changed, as `git status` does.
struct SubmoduleChanges {
  /// The depth to which nested submodules are followed; in practice there are two or three levels.
  static let depthLimit = 16

  private let repository: GitRepository
  private let root: String
  private let settings: SubmoduleSettings
  /// Whether `.gitmodules` is in conflict; submodules that it names without such a setting are ignored then.
  private let isConflicted: Bool

  /// Reads `.gitmodules` and the configuration.
  ///
  /// - Throws: `corrupt` for an invalid line in `.gitmodules`, `permission`, `missingObject`.
  init(_ repository: GitRepository, root: String, index: IndexFile) throws(GitError) {
    self.repository = repository
    self.root = root
    let file = try Self.gitmodules(repository, root, index)
    settings = try SubmoduleSettings(file?.bytes, repository.config)
    isConflicted = file?.isConflicted ?? false
  }

  /// Reads `.gitmodules` from the work tree or, if it is absent, from the index.
  private static func gitmodules(
    _ repository: GitRepository, _ root: String, _ index: IndexFile
  ) throws(GitError) -> (bytes: [UInt8], isConflicted: Bool)? {
    let name = ".gitmodules"
    var copy = name
    let entry = index.withView { view -> (id: ObjectID, stage: Int)? in
      copy.withUTF8 { view.find(UnsafeRawBufferPointer($0)) }.map { (view.id($0), view.stage($0)) }
    }
    let isConflicted = (entry?.stage ?? 0) != 0
    // Links are not followed, as in git, because they could name any file.
    if let bytes = try FileAccess.read(root + "/" + name, limit: GitRepository.textLimit, follow: false) {
      return (bytes, isConflicted)
    }
    guard let entry, !isConflicted, FileAccess.entry(root + "/" + name, follow: false) == nil else {
      return nil
    }
    return (try repository.blob(entry.id), false)
  }

  /// Whether a submodule's path counts as changed.
  /// - Throws: the errors of the submodule's own status, `tooLarge`.
  func isChanged(
    _ entry: Int, _ view: IndexView, depth: Int, budget: inout Int, isCancelled: () -> Bool
  ) throws(GitError) -> Bool {
    let path = String(decoding: view.path(entry), as: UTF8.self)
    let ignored = settings.ignored(path)
    if ignored == .all { return false }
    if isConflicted, let entry = settings.byPath[ExactText(path)], entry.ignored == nil { return false }
    let folder = root + "/" + path
    let parents = Array(path.split(separator: "/").dropLast())
    guard FileAccess.kind(root, view.path(entry)) == .directory, GitRepository.isInside(root, parents) else {
      return true
    }
    // Not checked out.
    guard let location = try? RepositoryLocation.at(folder), location.worktree != nil else { return false }
    try GitRepository.countRepository(depth, &budget)
    let submodule = try repository.open(submodule: folder)
    if let commit = submodule.refs.head.commit, commit != view.id(entry) { return true }
    return try Self.hasChanges(
      submodule, ignored, depth: depth - 1, budget: &budget, isCancelled: isCancelled)
  }

  /// Whether files of a submodule's work tree are changed, of the changes that are not ignored.
  static func hasChanges(
    _ submodule: GitRepository, _ ignored: SubmoduleSettings.Ignored, depth: Int, budget: inout Int,
    isCancelled: () -> Bool
  ) throws(GitError) -> Bool {
    if ignored == .dirty || ignored == .all { return false }
    let shown = submodule.config.string("status.showuntrackedfiles")?.lowercased()
    let counts = ignored != .untracked && shown != "no"
    let scan = try submodule.scanWorktree(
      untracked: counts, depth: depth, budget: &budget, isCancelled: isCancelled)
    return scan.map { !$0.status.isClean } ?? false
  }
}
