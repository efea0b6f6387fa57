/// From what it is known which objects the remotes of a repository have. Remotes on this disk are read in any
/// case.
package enum RemoteKnowledge: Sendable {
  /// The state of the last fetch: a remote has the commits that remote-tracking references name, and
  /// annotated tags that are older.
  case lastFetch
  /// The remotes are asked.
  ///
  /// The closure takes the repository, one of its remotes, and the commits of which it must be known whether
  /// the remote has them. It blocks until the remote has answered.
  case asked(@Sendable (GitRepository, Remote, Set<ObjectID>) -> RemoteAnswer)
}

/// The answer of a remote about its references.
package enum RemoteAnswer: Sendable {
  /// It has these objects and all that they lead to: what its references name, and those of the commits in
  /// question that are reachable from there. The repository need not have the objects.
  case has(Set<ObjectID>)
  /// It could not be asked, for a reason.
  case unanswered(String)
}

/// A survey of a folder that is to be deleted, over all repositories in it.
package struct DeletionSurvey {
  /// The folder that would be deleted, absolute and without links.
  let folder: String
  let remotes: RemoteKnowledge
  /// Other folders that are deleted before it, absolute and without links.
  let deletedBefore: Set<String>
  /// The number of repositories that are still looked at, submodules among them.
  var remainingRepositories = GitRepository.submoduleLimit
  /// The folders of the repositories in it that are no submodules.
  package private(set) var folders: [String] = []
  /// The one of them that has unsaved work or cannot be read: the innermost.
  package private(set) var unsaved: String?
  /// The linked work trees outside of the folder.
  package private(set) var worktrees: [String] = []
  /// The remotes that did not answer, with their reasons.
  package private(set) var unanswered: [(remote: String, reason: String)] = []
  /// The remote-tracking references, for example `origin/main`, whose commits their remote has lost.
  package private(set) var lost: [String] = []

  init(_ folder: String, _ remotes: RemoteKnowledge, deletedBefore: Set<String>) {
    (self.folder, self.remotes, self.deletedBefore) = (folder, remotes, deletedBefore)
  }

  /// Whether a path is deleted with the folder, or before it.
  func isDeleted(_ path: String) -> Bool {
    FileAccess.isInside(path, folder) || deletedBefore.contains { FileAccess.isInside(path, $0) }
  }

  mutating func add(_ repository: String) { folders.append(repository) }

  mutating func note(unsaved repository: String) { unsaved = unsaved ?? repository }

  mutating func note(worktree: String) { worktrees.append(worktree) }

  mutating func note(unanswered remote: String, _ reason: String) {
    if !unanswered.contains(where: { $0 == (remote, reason) }) { unanswered.append((remote, reason)) }
  }

  mutating func note(lost reference: String) { lost.append(reference) }
}
