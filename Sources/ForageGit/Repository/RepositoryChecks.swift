/// The check that git makes before it trusts a repository's configuration (git's `ensure_valid_ownership`).
///
/// libgit2 1.5.1 knows neither `*` nor `/folder/*`, and says that a setting is missing where a repository is not
/// safe.
enum OwnershipCheck {
  /// Throws `notOwned` if a part belongs to another user and `safe.directory` does not allow the repository.
  static func run(_ location: RepositoryLocation, environment: GitEnvironment) throws(GitError) {
    let parts = [location.gitFile, location.worktree, location.gitDir].compactMap { $0 }
    guard let foreign = parts.first(where: { !isOwned($0, environment) }) else { return }
    let path = location.worktree ?? location.gitDir
    let values = try ConfigFiles(environment).values().strings("safe.directory")
    if allows(values, path: path, environment: environment) { return }
    throw GitError(
      .notOwned, "\(foreign) belongs to another user, and \(path) is not a safe.directory",
      hint: "if you trust it, run `git config --global --add safe.directory \(path)`")
  }

  /// Whether `safe.directory` values allow a path: a match allows it, and an empty value resets the list.
  static func allows(_ values: [String], path: String, environment: GitEnvironment) -> Bool {
    var safe = false
    for value in values {
      if value.isEmpty {
        safe = false
      } else if value == "*" {
        safe = true
      } else if value.hasSuffix("/*") {
        let directory = resolved(String(value.dropLast(2)), environment)
        if path.hasPrefix(directory == "/" ? "/" : directory + "/") { safe = true }
      } else if resolved(value, environment) == path {
        safe = true
      }
    }
    return safe
  }

  private static func resolved(_ value: String, _ environment: GitEnvironment) -> String {
    let path = environment.expand(value)
    return FileAccess.realPath(path) ?? path
  }

  private static func isOwned(_ path: String, _ environment: GitEnvironment) -> Bool {
    guard let owner = FileAccess.entry(path, follow: false)?.owner else { return false }
    if owner == environment.effectiveUserID { return true }
    // Under sudo, root also owns what the calling user owns.
    return environment.effectiveUserID == 0 && owner == environment.sudoUserID
  }
}

/// The format of a repository: its version and extensions, validated here because libgit2 1.5.1 accepts or refuses
/// an extension by its name alone, and not by its value.
struct RepositoryFormat: Sendable {
  /// The newest `core.repositoryFormatVersion` that git defines.
  private static let newestVersion = 1
  /// Extensions that do not affect how references and objects are read here.
  private static let harmless: Set<String> = [
    "noop", "noop-v1", "worktreeconfig", "partialclone", "preciousobjects", "relativeworktrees",
  ]

  /// The algorithm of the ids, as git spells it; objects can be read only with `sha1`.
  let objectFormat: String
  let hasWorktreeConfig: Bool
  /// The promisor remote of a partial clone.
  let partialClone: String?
  /// `core.bare` in the repository's own files; git ignores that of the system and the user.
  let isBare: Bool?
  /// `core.worktree` in the repository's own files.
  let worktree: String?

  /// Reads the format from the repository's own configuration file without includes (git's
  /// `check_repository_format_gently`).
  ///
  /// An object format that cannot be read is no error here: see ``objectProblem``.
  ///
  /// - Throws: `unsupportedExtension`, `corrupt` for an invalid configuration line and where the file is a folder.
  init(gitDir: String, commonDir: String) throws(GitError) {
    let path = commonDir + "/config"
    if let kind = FileAccess.entry(path)?.kind, kind != .file {
      throw GitError(
        .corrupt, "\(path) is not a file", hint: "move it away and run `git init` in the repository")
    }
    let file = try GitConfig.file(path)
    let version = file.string("core.repositoryformatversion").flatMap { Int($0) } ?? 0
    guard version <= Self.newestVersion else {
      throw Self.unsupported(
        "the repository has format version \(version), and the newest supported is \(Self.newestVersion)")
    }
    var objectFormat = "sha1"
    for entry in file.entries where entry.key.hasPrefix("extensions.") {
      let name = String(entry.key.dropFirst("extensions.".count))
      let value = (entry.value ?? "").lowercased()
      switch name {
      case "objectformat" where value == "sha1" || value == "sha256": objectFormat = value
      case "objectformat":
        throw Self.unsupported("the repository uses the unknown object format \(value)")
      case "refstorage" where value != "files":
        throw Self.unsupported(
          "the repository uses the reference storage \(value), which is not supported")
      case "refstorage": break
      case _ where Self.harmless.contains(name) || version == 0: break
      default: throw Self.unsupported("the repository uses the unknown extension \(name)")
      }
    }
    self.objectFormat = objectFormat
    hasWorktreeConfig = file.bool("extensions.worktreeconfig") ?? false
    partialClone = file.string("extensions.partialclone")
    var config = file
    if hasWorktreeConfig {
      config = GitConfig(entries: file.entries + (try GitConfig.file(gitDir + "/config.worktree")).entries)
    }
    isBare = config.bool("core.bare")
    worktree = config.string("core.worktree")
  }

  /// Why objects cannot be read; nil if they can.
  var objectProblem: GitError? {
    if objectFormat == "sha1" { return nil }
    return Self.unsupported(
      "the repository uses the object format \(objectFormat), and objects can be read only with SHA-1")
  }

  private static func unsupported(_ message: String) -> GitError {
    GitError(.unsupportedExtension, message, hint: "use git itself for this repository")
  }
}
