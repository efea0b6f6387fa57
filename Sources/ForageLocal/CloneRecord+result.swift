package import ForageCore
package import ForageStore

extension CloneRecord {
  /// Host, owner and name as the address of the remote spells them; `nil` for a clone that no address names.
  package var entityName: String? {
    guard entityID != nil, let host, let owner else { return entityID }
    return "\(host)/\(owner)/\(name)"
  }

  /// The clone as a search result; without a forge its path is its id.
  ///
  /// - Parameter hosts: What knows the pages of forges.
  package func result(_ hosts: RemoteHosts) -> SearchResult {
    var item = SearchResult(
      id: entityID ?? path, forgeID: forgeID, kind: .repo, title: owner.map { $0 + "/" + name } ?? name,
      url: host == nil ? nil : entityName.map { hosts.page(of: $0, remote: remoteURL) })
    item.set(.description, description)
    item.set(.host, host)
    item.set(.owner, owner)
    item.set(.name, name)
    item.set(.language, language)
    item.set(.license, license)
    item.sizeBytes = sizeBytes
    item.set(.updatedAt, lastCommitAt)
    item.set(.pushedAt, lastCommitAt)
    item.set(.path, path)
    item.set(.rootCommits, rootCommit.map { [$0] })
    return item
  }
}

extension SearchResult {
  /// Adds commits that the histories of clones begin with, each once; clones of one repository may be of
  /// unrelated branches.
  ///
  /// - Returns: Whether any of them was not known.
  @discardableResult
  package mutating func addRoots(_ roots: [String]) -> Bool {
    var known = self[.rootCommits]?.texts ?? []
    let before = known.count
    for root in roots where !known.contains(root) { known.append(root) }
    guard known.count > before else { return false }
    set(.rootCommits, known)
    return true
  }
}
