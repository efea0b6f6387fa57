import ForageCore
import ForageGit
import ForageInspector
import ForageLocal
import ForageStore
import Foundation
import TestSupport
import Testing

/// Folders for clones and for the store, with a catalogue that reads no configuration of this machine.
struct Workshop {
  let directory: TemporaryDirectory
  let catalogue: CloneCatalogue
  let store: Store

  init() throws {
    directory = try TemporaryDirectory(prefix: "forage-local")
    try directory.makeDirectory("src")
    store = try Store(path: directory.path("data/forage.db"))
    catalogue = CloneCatalogue(store: store, inspector: Inspector(environment: GitEnvironment()))
    try store.addCloneFolder(root, isFound: false)
  }

  /// The registered folder.
  var root: String { directory.path("src") }

  /// A repository below the registered folder, with one commit.
  func clone(_ name: String, _ arguments: [String] = [], origin: String? = nil) async throws
    -> TemporaryRepository
  {
    let repository = try await TemporaryRepository.make("src/" + name, arguments, in: directory)
    if arguments.isEmpty {
      try await repository.commit(files: ["README.md": "# \(name)\n\nA repository about \(name).\n"])
    }
    if let origin { try await repository.git(["remote", "add", "origin", origin]) }
    return repository
  }

  func scan() async throws -> ScanSummary {
    try await catalogue.scan(CloneFolder(path: root, isFound: false)) { _ in }
  }

  /// The record of the clone of a name below the registered folder.
  func record(_ name: String) throws -> CloneRecord {
    try #require(try store.clones().first { $0.path == root + "/" + name })
  }
}

/// A record as a scan would leave it.
func clone(
  _ path: String, _ repository: String? = nil, relative: String? = nil, description: String? = nil,
  language: String? = nil,
  license: String? = nil, at date: String = "2024-01-01", size: Int = 1024
) throws -> CloneRecord {
  let name = String(path.split(separator: "/").last ?? "")
  var record = CloneRecord(
    path: path, folder: "/src", relativePath: relative ?? String(path.dropFirst("/src/".count)),
    fingerprint: "1", name: name)
  if let repository {
    let parts = repository.split(separator: "/").map(String.init)
    record.entityID = "github.com/" + repository.lowercased()
    record.remoteURL = "https://github.com/\(repository).git"
    record.host = "github.com"
    record.owner = parts[0]
    record.name = parts[1]
  }
  record.description = description
  record.language = language
  record.license = license
  record.branch = "main"
  record.lastCommitAt = try #require(DatePoint(date)).start
  record.sizeBytes = size
  return record
}

/// Runs a body with a store that holds records and a provider that searches it.
func withRecords<Result>(
  _ records: [CloneRecord], _ body: (LocalProvider, Store) async throws -> Result
) async throws -> Result {
  try await withTemporaryDirectory { folder in
    let store = try Store(path: folder.path("forage.db"))
    try store.record(folder: "/src", changed: records, gone: [], at: Date())
    return try await body(LocalProvider { store }, store)
  }
}

extension LocalProvider {
  /// The page for a query in the query language; nil asks for everything.
  func page(
    _ query: String?, sort: String? = nil, order: ForageCore.SortOrder = .descending, pageSize: Int = 100,
    cursor: String? = nil
  ) async throws -> SearchPage {
    let root = try query.map { try QueryParser().parse($0).root }
    return try await search(
      SearchRequest(
        kind: .repo, query: root, sort: sort, order: order, pageSize: pageSize, cursor: cursor,
        deadline: .now + .seconds(30)))
  }
}
