import Foundation

extension Verification {
  /// Submodules, linked work trees, hooks.
  mutating func links() async throws {
    try await submodules()
    try await worktrees()
    try await hooks()
  }

  private mutating func submodules() async throws {
    guard let files = clone.files else { return }
    let recorded = files.filter(\.isSubmodule)
    let listed = told.submodules?.filter { $0.state != "missing" }
    comparison.list(
      "submodules", listed?.map { "\($0.commit ?? "-") \($0.path)" }.sorted(),
      recorded.map { "\($0.id) \($0.path)" }.sorted())
    guard !clone.isBare, !recorded.isEmpty else { return }
    var urls: [String: String] = [:]
    let pattern = #"^submodule\..*\.(path|url)$"#
    var names: [String: (path: String?, url: String?)] = [:]
    let top = try await git.text("rev-parse", "--show-toplevel") ?? git.folder
    for record in try await git.records("config", "-z", "-f", top + "/.gitmodules", "--get-regexp", pattern)
      ?? []
    {
      let parts = record.split(separator: "\n", maxSplits: 1).map(String.init)
      guard parts.count == 2 else { continue }
      if parts[0].hasSuffix(".path") {
        names[String(parts[0].dropLast(5)), default: (nil, nil)].path = parts[1]
      }
      if parts[0].hasSuffix(".url") {
        names[String(parts[0].dropLast(4)), default: (nil, nil)].url = parts[1]
      }
    }
    for (path, url) in names.values { if let path, let url { urls[path] = Self.withoutSecrets(url) } }
    comparison.list(
      "submodules.url", listed?.map { "\($0.path) \($0.url ?? "-")" }.sorted(),
      recorded.map { "\($0.path) \(urls[$0.path] ?? "-")" }.sorted())
    try await states(recorded, listed)
  }

  /// Git compares with the index: what is staged is left out.
  private mutating func states(_ recorded: [Clone.File], _ listed: [Told.Submodule]?) async throws {
    let words: [Character: String] = [" ": "clean", "+": "modified", "-": "uninitialized"]
    var states: [String: String] = [:]
    guard let lines = try await git.lines("submodule", "status") else { return }
    let staged = Set(try await git.records("diff-index", "--cached", "--name-only", "-z", "HEAD") ?? [])
    for line in lines {
      guard let first = line.first, let word = words[first] else { continue }
      // 40 digits, a space, the path; where something is checked out a description in parentheses.
      var path = String(line.dropFirst(42))
      if first != "-", let end = path.range(of: " (", options: .backwards) {
        path = String(path[..<end.lowerBound])
      }
      if !staged.contains(path) { states[path] = word }
    }
    // The command above knows commits only.
    for line in try await git.lines("status", "--porcelain=v2", "--untracked-files=no") ?? [] {
      // `1 .M S.MU` and six fields before the path: changes or untracked files in the submodule.
      let fields = line.split(separator: " ", maxSplits: 8)
      guard fields.count == 9, fields[2].hasPrefix("S"), fields[2] != "S..." else { continue }
      if states[String(fields[8])] == "clean" { states[String(fields[8])] = "modified" }
    }
    let known = recorded.filter { states[$0.path] != nil }
    let told = listed?.filter { states[$0.path] != nil }
    comparison.list(
      "submodules.state", told?.map { "\($0.path) \($0.state)" }.sorted(),
      known.map { "\($0.path) \(states[$0.path] ?? "")" }.sorted())
  }

  private mutating func worktrees() async throws {
    var listed: [String] = []
    guard let records = try await git.records("worktree", "list", "--porcelain", "-z") else { return }
    // The first is the main one; an empty record ends each.
    for record in records.split(separator: "", omittingEmptySubsequences: true).dropFirst() {
      var (path, branch) = ("", "-")
      for line in record {
        if line.hasPrefix("worktree ") { path = Clone.resolved(String(line.dropFirst(9))) }
        if line.hasPrefix("branch ") {
          branch = String(line.dropFirst(7)).replacing("refs/heads/", with: "", maxReplacements: 1)
        }
      }
      listed.append("\(path) \(branch)")
    }
    comparison.list(
      "worktrees", told.worktrees?.map { "\(Clone.resolved($0.path)) \($0.branch ?? "-")" }.sorted(),
      listed.sorted())
  }

  /// The hooks that git knows; see githooks(5).
  private static let knownHooks: Set<String> = [
    "applypatch-msg", "pre-applypatch", "post-applypatch", "pre-commit", "pre-merge-commit",
    "prepare-commit-msg",
    "commit-msg", "post-commit", "pre-rebase", "post-checkout", "post-merge", "pre-push", "pre-receive",
    "update",
    "proc-receive", "post-receive", "post-update", "reference-transaction", "push-to-checkout", "pre-auto-gc",
    "post-rewrite", "sendemail-validate", "fsmonitor-watchman", "p4-changelist", "p4-prepare-changelist",
    "p4-post-changelist", "p4-pre-submit", "post-index-change",
  ]

  private mutating func hooks() async throws {
    guard let folder = try await git.text("rev-parse", "--path-format=absolute", "--git-path", "hooks") else {
      return
    }
    let names = ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).filter { name in
      var isFolder: ObjCBool = false
      let path = "\(folder)/\(name)"
      return Self.knownHooks.contains(name)
        && FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
        && !isFolder.boolValue && FileManager.default.isExecutableFile(atPath: path)
    }
    comparison.list("hooks", told.hooks, names.sorted())
  }
}
