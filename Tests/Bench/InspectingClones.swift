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
      try copy(original.path, 0..<scanned, to: folder)
      _ = try command(["clones", "add", folder]).run()
      try row(
        "rescan of \(scanned) unchanged clones: forage clones scan", command(["clones", "scan"]),
        goal: scanGoal)
      try copy(original.path, scanned..<searched, to: folder)
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

  private static func row(_ title: String, _ command: Command, goal: Double) throws {
    _ = try command.run()
    let times = try (0..<Report.runs).map { _ in try command.run().wall * 1000 }
    Report.single(title, milliseconds: times, goal: goal)
  }

  /// Copies a repository so often; the copies share the files but have a remote each.
  private static func copy(_ original: String, _ numbers: Range<Int>, to folder: String) throws {
    let manager = FileManager.default
    let paths = try manager.subpathsOfDirectory(atPath: original).sorted()
    var isFolder: ObjCBool = false
    let folders = paths.filter {
      manager.fileExists(atPath: "\(original)/\($0)", isDirectory: &isFolder) && isFolder.boolValue
    }
    let files = Set(paths).subtracting(folders).subtracting([".git/config"])
    let config = try String(contentsOfFile: original + "/.git/config", encoding: .utf8)
    for number in numbers {
      let target = "\(folder)/clone\(number)"
      try manager.createDirectory(atPath: target, withIntermediateDirectories: true)
      for path in folders { mkdir("\(target)/\(path)", 0o755) }
      for path in files where link("\(original)/\(path)", "\(target)/\(path)") != 0 {
        throw BenchError("\(target)/\(path) cannot be linked")
      }
      let remote = "[remote \"origin\"]\n\turl = https://github.com/owner\(number % 97)/clone\(number).git\n"
      try Data((config + remote).utf8).write(to: URL(fileURLWithPath: target + "/.git/config"))
    }
  }
}
