import ForageCore
import ForageFoundation
import ForageGit
import ForageStore

extension EntityLookup {
  /// A commit as a clone of its repository has it; an abbreviated id is not looked up.
  func commit(_ sha: String, of entity: EntityReference) async -> SearchResult? {
    guard let id = ObjectID(hex: sha), let repository = entity.repositoryID else { return nil }
    let paths = known(repository).map(\.path)
    let found = try? await BlockingGit.run { _ throws(GitError) -> Commit? in
      for path in paths {
        if let commit = try? GitRepository.open(path, loadsReferences: false).commit(id) { return commit }
      }
      return nil
    }
    return found.map { SearchResult($0, naming: entity) }
  }
}

extension SearchResult {
  /// A commit of a clone. It has no address, because its forge may lack it.
  fileprivate init(_ commit: Commit, naming entity: EntityReference) {
    self.init(
      id: entity.id, kind: .commit, title: commit.subject.isEmpty ? entity.title : commit.subject)
    set(.host, entity.host)
    set(.repository, entity.repositoryID)
    set(.sha, commit.id.hex)
    set(.parents, commit.parents.map(\.hex))
    set(.message, String(decoding: commit.message, as: UTF8.self))
    set(.author, String(decoding: commit.authorName, as: UTF8.self))
    set(.authoredAt, Date(timeIntervalSince1970: Double(commit.authoredAt)))
    set(.committedAt, Date(timeIntervalSince1970: Double(commit.committedAt)))
  }
}
