import ForageClones
import ForageCore
import ForageFoundation
import ForageGit
import ForageStore

extension EntityLookup {
  /// A commit as a clone of its repository has it; its id may be abbreviated.
  func commit(_ sha: String, of entity: EntityReference) async -> SearchResult? {
    guard let repository = entity.repositoryID else { return nil }
    let paths = known(repository).map(\.path)
    let found = try? await BlockingGit.run { _ throws(GitError) -> Commit? in
      for path in paths {
        guard let repository = try? GitRepository.open(path, loadsReferences: false),
          let id = ObjectID(hex: sha) ?? repository.object(named: sha), id.hex.hasPrefix(sha.lowercased())
        else { continue }
        if let commit = try? repository.commit(id) { return commit }
      }
      return nil
    }
    return found.map { SearchResult($0, naming: entity, in: forage.writtenName(of: repository)) }
  }
}

extension EntityLookup {
  /// A file of a clone with its text: as it is on this disk, else as a commit has it.
  func file(_ reference: ResolvedReference) async -> SearchResult? {
    if let file = reference.file { return file }
    guard let (repository, path, ref) = reference.committedFile else { return nil }
    let clones = repository.hasPrefix("/") ? [] : known(repository).map(\.path)
    // An id has the bytes of a name that is not UTF-8 in percent-encodings.
    let found = await CommittedFile.read(
      [path, PercentEncoding.decode(path)], at: ref,
      of: [reference.path, repository].compactMap(\.self).filter { $0.hasPrefix("/") } + clones,
      limit: ResolvedReference.fileLimit)
    guard let found else { return nil }
    var item = reference.result ?? SearchResult(id: reference.id, kind: .code, title: path)
    item.set(.host, reference.entity?.host)
    item[.repository] = item[.repository] ?? .text(forage.writtenName(of: repository))
    item.set(.commit, found.commit)
    item.set(.path, found.path)
    item[.file] = nil
    item.setContents(found.bytes)
    return item
  }
}

extension ResolvedReference {
  /// Where a file is in the history of its repository: the id of that, or the path of a clone on no forge,
  /// the path in it, and a branch, tag or commit; `nil` for anything else.
  fileprivate var committedFile: (repository: String, path: String, ref: String)? {
    if case .file(let path, let ref)? = entity?.subject, let repository = entity?.repositoryID {
      return (repository, path, ref)
    }
    guard let result, result.kind == .code, let repository = result.repositoryID,
      let path = result[.path]?.text
    else { return nil }
    return (repository, path, result[.commit]?.text ?? "HEAD")
  }
}

extension SearchResult {
  /// A commit of a clone. It has no address, because its forge may lack it.
  fileprivate init(_ commit: Commit, naming entity: EntityReference, in repository: String) {
    self.init(
      id: entity.id, kind: .commit, title: commit.subject.isEmpty ? entity.title : commit.subject)
    set(.host, entity.host)
    set(.repository, repository)
    set(.sha, commit.id.hex)
    set(.parents, commit.parents.map(\.hex))
    set(.message, String(decoding: commit.message, as: UTF8.self))
    set(.author, String(decoding: commit.authorName, as: UTF8.self))
    set(.authoredAt, Date(timeIntervalSince1970: Double(commit.authoredAt)))
    set(.committedAt, Date(timeIntervalSince1970: Double(commit.committedAt)))
  }
}
