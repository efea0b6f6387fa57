import GRDB

#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

/// What the catalogue knows of one clone.
package struct CloneRecord: Sendable, Hashable {
  /// The root of the work tree, of a bare repository the git folder; absolute.
  package var path: String
  /// The registered folder in which it was found.
  package var folder: String
  /// The path below `folder`; the folder's own name when the two are the same.
  package var relativePath: String
  /// What tells without opening the clone whether anything changed.
  package var fingerprint: String
  /// The canonical id `host/owner/name`; absent for a clone without a forge.
  package var entityID: String?
  /// The address of its origin, without credentials.
  package var remoteURL: String?
  /// The forge's host.
  package var host: String?
  /// The owner on the forge, as written in the address.
  package var owner: String?
  /// The repository's name.
  package var name: String
  /// A sentence or two about it.
  package var description: String?
  /// The language with the most bytes.
  package var language: String?
  /// The license as an SPDX identifier.
  package var license: String?
  /// The current branch; absent when detached.
  package var branch: String?
  /// The current commit, 40 hexadecimal digits; absent when there is none.
  package var commit: String?
  /// The commit that its first parents lead back to, 40 hexadecimal digits; absent where that is not known.
  package var rootCommit: String?
  /// When that commit was made.
  package var lastCommitAt: Date?
  /// Bytes of the files of the current commit.
  package var sizeBytes: Int?
  /// Why the clone could not be read; the other facts are then missing.
  package var error: String?

  /// Creates a record with what is always known.
  package init(path: String, folder: String, relativePath: String, fingerprint: String, name: String) {
    self.path = path
    self.folder = folder
    self.relativePath = relativePath
    self.fingerprint = fingerprint
    self.name = name
  }

  /// What a word of a query is looked for in, in lower case.
  package var haystack: String {
    [owner.map { $0 + "/" + name } ?? name, relativePath, description].compactMap(\.self).joined(
      separator: "\n"
    ).lowercased()
  }

  init(_ row: Row) {
    path = row["path"]
    folder = row["folder"]
    relativePath = row["relative_path"]
    fingerprint = row["fingerprint"]
    entityID = row["entity_id"]
    remoteURL = row["remote_url"]
    host = row["host"]
    owner = row["owner"]
    name = row["name"]
    description = row["description"]
    language = row["language"]
    license = row["license"]
    branch = row["branch"]
    commit = row["commit_id"]
    rootCommit = row["root_commit"]
    lastCommitAt = (row["last_commit_at"] as Double?).map { Date(timeIntervalSince1970: $0) }
    sizeBytes = row["size_bytes"]
    error = row["error"]
  }

  func save(_ database: Database) throws {
    try database.execute(
      sql: """
        INSERT OR REPLACE INTO clone (path, folder, relative_path, fingerprint, entity_id, remote_url, host, owner, name, description,
          language, license, branch, commit_id, root_commit, last_commit_at, size_bytes, error, haystack)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """,
      arguments: [
        path, folder, relativePath, fingerprint, entityID, remoteURL, host, owner, name, description,
        language, license, branch,
        commit, rootCommit, lastCommitAt?.timeIntervalSince1970, sizeBytes, error, haystack,
      ])
  }
}
