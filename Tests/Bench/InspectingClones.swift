import ForagePlatform
import Foundation
import TestSupport

/// The rows about many clones: looking whether they have changed, and searching in the catalogue.
enum InspectingClones {
  private static let (scanned, searched) = (1000, 10_000)
  /// Milliseconds of the whole program.
  private static let (scanGoal, searchGoal) = (100.0, 20.0)

  static func rows(_ forage: String) {
    let title = "clones"
    guard let git = Bench.peer("git") else { return Report.skip(title, "git") }
    do {
      let home = try IsolatedHome()
      defer { home.directory.remove() }
      let original = try GeneratedRepository(
        home.directory.path("original"), git: git, environment: home.environment)
      try original.addHistory([3], files: 3)
      try original.run(["reset", "--quiet", "--hard", "main"])
      try original.run(["gc", "--quiet"])
      let folder = home.directory.path("home/src")
      func command(_ arguments: [String]) -> Command {
        Command(executable: forage, arguments: arguments, environment: home.environment)
      }
      try original.copy(0..<scanned, to: folder, remote: remote)
      _ = try command(["clones", "add", folder]).run()
      try row(
        "rescan of \(scanned) unchanged clones: forage clones scan", command(["clones", "scan"]),
        goal: scanGoal)
      try original.copy(scanned..<searched, to: folder, remote: remote)
      _ = try command(["clones", "scan"]).run()
      let listed = try command(["clones", "list", "--format", "tsv"]).captured().text.split(separator: "\n")
        .count
      guard listed == searched else {
        throw BenchError("\(listed) of \(searched) clones are in the catalogue")
      }
      try row(
        "a search over \(searched) catalogued clones: forage search -p local",
        command(["search", "clone77", "-p", "local", "--format", "ndjson"]), goal: searchGoal)
    } catch {
      Report.missed(title, error)
    }
  }

  private static func remote(_ number: Int) -> String {
    "https://github.com/owner\(number % 97)/clone\(number).git"
  }

  private static func row(_ title: String, _ command: Command, goal: Double) throws {
    _ = try command.run()
    let times = try (0..<Report.runs).map { _ in try command.run().wall * 1000 }
    Report.single(title, milliseconds: times, goal: goal)
  }
}
