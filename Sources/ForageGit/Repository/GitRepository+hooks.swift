#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

extension GitRepository {
  /// The hooks that git runs by themselves (githooks(5)), sorted.
  private static let hookNames = [
    "applypatch-msg", "commit-msg", "p4-changelist", "p4-post-changelist", "p4-pre-submit",
    "p4-prepare-changelist", "post-applypatch", "post-checkout", "post-commit", "post-index-change",
    "post-merge", "post-receive", "post-rewrite", "post-update", "pre-applypatch", "pre-auto-gc",
    "pre-commit",
    "pre-merge-commit", "pre-push", "pre-rebase", "pre-receive", "prepare-commit-msg", "proc-receive",
    "push-to-checkout", "reference-transaction", "sendemail-validate", "update",
  ]

  /// The names of the hooks that git would run here, sorted: those that are known, files, and executable.
  ///
  /// Looked for in `core.hooksPath`, else in the shared folder `hooks`. A program that only the setting
  /// `core.fsmonitor` names is not among them.
  package func hooks() -> [String] {
    let folder = hooksFolder
    return Self.hookNames.filter { name in
      let path = FileAccess.join(folder, name)
      return FileAccess.isFile(path) && access(path, X_OK) == 0
    }
  }

  /// A relative path counts from where git runs hooks: the work tree's root, of a bare repository the git folder.
  private var hooksFolder: String {
    guard let path = config.string("core.hookspath"), !path.isEmpty else { return commonDir + "/hooks" }
    return FileAccess.join(worktree ?? gitDir, expandHome(path))
  }
}
