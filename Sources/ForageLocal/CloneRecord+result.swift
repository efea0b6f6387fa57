package import ForageCore
package import ForageStore

extension CloneRecord {
  /// The clone as a search result; without a forge its path is its id.
  package var result: SearchResult {
    var item = SearchResult(
      id: entityID ?? path, kind: .repo, title: owner.map { $0 + "/" + name } ?? name,
      url: entityID.map { "https://" + $0 })
    item.set(.description, description)
    item.set(.host, host)
    item.set(.owner, owner)
    item.set(.name, name)
    item.set(.language, language)
    item.set(.license, license)
    // Kilobytes as on GitHub, rounded up so that a small repository is not empty.
    item.set(.sizeKB, sizeBytes.map { $0 / 1024 + ($0 % 1024 > 0 ? 1 : 0) })
    item.set(.updatedAt, lastCommitAt)
    item.set(.pushedAt, lastCommitAt)
    item.set(.path, path)
    return item
  }
}
