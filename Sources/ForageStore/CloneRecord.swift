import ForageCore
package import ForageFoundation
import GRDB

package struct CloneRecord: Sendable, Hashable {
  /// The absolute path of the work tree, or of the git folder of a bare repository.
  package var path: String
  /// The registered folder in which it was found.
  package var folder: String
  /// The path relative to `folder`; the folder's own name if both are the same.
  package var relativePath: String
  /// Identifies the clone's state, to detect changes without opening the clone.
  package var fingerprint: String
  /// The canonical id, `host/owner/name` or that of a gist; absent for a clone that no address names.
  package var entityID: String?
  /// The id that its address names, where the repository has another name on its forge now; absent otherwise.
  package var addressID: String?
  /// The id of the repository on its forge that survives renames, as far as an answer has told it.
  package var forgeID: String?
  /// The URL of its origin, without credentials.
  package var remoteURL: String?
  /// The forge's host; absent for a server without pages.
  package var host: String?
  /// The owner on the forge, as written in the address; absent for a gist.
  package var owner: String?
  package var name: String
  package var description: String?
  /// The language with the most bytes.
  package var language: String?
  package var license: String?
  /// The current branch; absent when detached.
  package var branch: String?
  /// The current commit, 40 hexadecimal digits; absent if there is none.
  package var commit: String?
  /// The root commit of its first-parent history, 40 hexadecimal digits, if known.
  package var rootCommit: String?
  package var lastCommitAt: Date?
  /// The total size of the current commit's files in bytes.
  package var sizeBytes: Int?
  /// Whether it has no work tree.
  package var isBare = false
  /// Whether it leaves history or objects with its remote: a shallow or partial clone.
  package var isIncomplete = false
  /// Why the clone could not be read, or not completely; other facts are then missing.
  package var error: String?

  package init(path: String, folder: String, relativePath: String, fingerprint: String, name: String) {
    self.path = path
    self.folder = folder
    self.relativePath = relativePath
    self.fingerprint = fingerprint
    self.name = name
  }

  /// Whether this clone, rather than another one, stands for the repository of both: one with a work tree
  /// before a bare one, a complete one before a shallow or partial one, then the path decides.
  package func precedes(_ other: CloneRecord) -> Bool {
    if isBare != other.isBare { return other.isBare }
    if isIncomplete != other.isIncomplete { return other.isIncomplete }
    return path.bytesPrecede(other.path)
  }

  /// The lower-case text in which words of a query are matched.
  package var haystack: String {
    [owner.map { $0 + "/" + name } ?? name, relativePath, description].compactMap(\.self).joined(
      separator: "\n"
    ).lowercased()
  }

  /// Takes the name that its repository has on its forge now.
  mutating func take(_ name: RepositoryName) {
    let address = addressID ?? entityID
    (entityID, addressID) = (name.id, address == name.id ? nil : address)
    guard let parts = RepositoryIdentity.components(name.name) else { return }
    (owner, self.name) = (parts.owner, parts.name)
  }

  init(_ row: Row) throws {
    path = try row.required("path")
    folder = try row.required("folder")
    relativePath = try row.required("relative_path")
    fingerprint = try row.required("fingerprint")
    entityID = try row.optional("entity_id")
    remoteURL = try row.optional("remote_url")
    host = try row.optional("host")
    owner = try row.optional("owner")
    name = try row.required("name")
    description = try row.optional("description")
    language = try row.optional("language")
    license = try row.optional("license")
    branch = try row.optional("branch")
    commit = try row.optional("commit_id")
    // A read-only store of an older version lacks this column.
    rootCommit = try row.optional("root_commit")
    lastCommitAt = try row.optional("last_commit_at").map { Date(timeIntervalSince1970: $0) }
    sizeBytes = try row.optionalCount("size_bytes")
    // A read-only store of an older version lacks these columns.
    isBare = try row.optional("is_bare") ?? false
    isIncomplete = try row.optional("is_incomplete") ?? false
    error = try row.optional("error")
    // A read-only store of an older version lacks these columns.
    addressID = try row.optional("address_id")
    forgeID = try row.optional("forge_id")
  }

  func save(_ database: Database) throws {
    try database.execute(
      sql: """
        INSERT OR REPLACE INTO clone (path, folder, relative_path, fingerprint, entity_id, remote_url, host, owner, name, description,
          language, license, branch, commit_id, root_commit, last_commit_at, size_bytes, is_bare,
          is_incomplete, error, haystack, address_id, forge_id)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20, ?21, ?22,
          coalesce(?23, (SELECT forge_id FROM clone WHERE entity_id = ?5 AND forge_id IS NOT NULL LIMIT 1)))
        """,
      arguments: [
        path, folder, relativePath, fingerprint, entityID, remoteURL, host, owner, name, description,
        language, license, branch,
        commit, rootCommit, lastCommitAt?.timeIntervalSince1970, sizeBytes, isBare, isIncomplete, error,
        haystack, addressID, forgeID,
      ])
  }
}
