import Foundation
import TestSupport
import Testing

extension Program {
  /// The database of favourites and clones.
  var storeFile: URL { home.data.appendingPathComponent("forage/forage.db") }
  /// The folder of everything that can be had again.
  var cacheFolder: URL { home.cache.appendingPathComponent("forage") }

  /// The ids of the favourites.
  func favorites(_ location: SourceLocation = #_sourceLocation) async throws -> Set<String> {
    let list = try await run(["favorite", "list", "--format", "json"])
    #expect([0, 1].contains(list.status), "\(list.err)", sourceLocation: location)
    return Set(try list.json(location)["favorites"]?.array.compactMap { $0["id"]?.string } ?? [])
  }

  /// The store passes SQLite's own check, and a search works without a word.
  func expectIntact(_ query: String, _ location: SourceLocation = #_sourceLocation) async throws {
    let doctor = try await run(["doctor", "--format", "json"])
    let checks = try doctor.json(location)["checks"]?.array ?? []
    #expect(checks.contains { $0["name"]?.string == "store" }, sourceLocation: location)
    #expect(
      checks.allSatisfy { $0["verdict"]?.string != "problem" }, "\(doctor.out)", sourceLocation: location)
    let search = try await run(["search", query, "--format", "json"])
    #expect(search.status == 0 && search.err.isEmpty, "\(search.err)", sourceLocation: location)
  }
}

extension ProcessResult {
  /// The ids of what the whole lines on standard output with an end name; their names are of github.com.
  func results(ending suffix: String) -> Set<String> {
    let lines = out.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
    return Set(lines.filter { $0.hasSuffix(suffix) }.map { "github.com/" + $0.dropLast(suffix.count) })
  }
}
