import ForagePlatform

extension GitRepository {
  /// The hooks that git runs (githooks(5)), sorted.
  private static let hookNames = [
    "applypatch-msg", "commit-msg", "p4-changelist", "p4-post-changelist", "p4-pre-submit",
    "p4-prepare-changelist", "post-applypatch", "post-checkout", "post-commit", "post-index-change",
    "post-merge", "post-receive", "post-rewrite", "post-update", "pre-applypatch", "pre-auto-gc",
    "pre-commit",
    "pre-merge-commit", "pre-push", "pre-rebase", "pre-receive", "prepare-commit-msg", "proc-receive",
    "push-to-checkout", "reference-transaction", "sendemail-validate", "update",
  ]

  /// Returns the names of the hooks that git would run here, sorted: known names of executable files.
  ///
  /// The folder is `core.hooksPath`, or else `hooks` in the common git directory. A program that
  /// `core.fsmonitor` names is not a hook.
  package func hooks() -> [String] {
    let folder = hooksFolder
    return Self.hookNames.filter { name in
      let path = FileAccess.join(folder, name)
      return FileAccess.isFile(path) && access(path, X_OK) == 0
    }
  }

  /// The folder of the hooks. A relative `core.hooksPath` is relative to where git runs hooks: the root of
  /// the work tree, or the git directory of a bare repository.
  private var hooksFolder: String {
    guard let path = config.string("core.hookspath"), !path.isEmpty else { return commonDir + "/hooks" }
    return FileAccess.join(worktree ?? gitDir, expandHome(path))
  }
}
