import Foundation
import TestSupport
import Testing

/// Whatever bits are wrong in a repository, `inspect` tells something or says why not.
struct InspectFuzzTests {
  /// Repositories of a usual run; `FORAGE_FUZZ_REPOSITORIES` makes a long one.
  static let repositories =
    ProcessInfo.processInfo.environment["FORAGE_FUZZ_REPOSITORIES"].flatMap { Int($0) } ?? 300

  @Test func damagedRepositories() async throws {
    let seed = propertySeed()
    let program = try Program()
    let bases = try await DamageBase.all(in: program.home.directory)
    let run = DamageRun(
      program: try forageBinary, environment: program.environment, bases: bases,
      folder: try program.home.directory.makeDirectory("damaged").path.trimmingSuffix("/"),
      keep: ProcessInfo.processInfo.environment["FORAGE_FUZZ_KEEP"])
    for failure in try await run.run(seed: seed, count: Self.repositories) {
      Issue.record("\(failure.message)")
    }
  }
}
