import Foundation
import TestSupport

/// Measures the program against its peers, side by side in one run.
@main
struct Bench {
  static func main() async throws {
    let arguments = CommandLine.arguments
    if arguments.count == 5, arguments[1] == "--serve" {
      return try await Forge.serve(
        certificate: arguments[2], privateKey: arguments[3], authority: arguments[4])
    }
    if arguments.count == 3, arguments[1] == "--hold", let count = Int(arguments[2]) {
      return await Memory.hold(count)
    }
    if arguments.count == 4, arguments[1] == "--worlds", let seed = UInt64(arguments[2]),
      let count = Int(arguments[3])
    {
      return await Worlds.digest(seed: seed, count: count)
    }
    if arguments.count == 4, arguments[1] == OwnPlugin.option,
      let provider = OwnPlugin.Provider(rawValue: arguments[2]), let count = Int(arguments[3])
    {
      return await OwnPlugin.serve(provider, count: count)
    }
    if arguments.count == 3, arguments[1] == "--huge" {
      return InspectingHuge.rows(URL(fileURLWithPath: arguments[2]).path)
    }
    guard arguments.count >= 2 else {
      print("usage: forage-bench FORAGE [CLONE [FOLDER-OF-CLONES]]\n       forage-bench --huge FORAGE")
      return
    }
    let paths = arguments.dropFirst().map { URL(fileURLWithPath: $0).path }
    let forage = paths[0]
    // In a clone, a search also looks for changed files there.
    _ = FileManager.default.changeCurrentDirectoryPath("/")
    startUp(forage)
    try await Searching.rows(forage)
    Inspecting.rows(forage, clone: paths.count > 1 ? paths[1] : nil)
    InspectingClones.rows(forage)
    Histories.rows(forage)
    await Fleet.rows(forage)
    await CodeSearching.rows(
      forage, clone: paths.count > 1 ? paths[1] : nil, clones: paths.count > 2 ? paths[2] : nil)
    Memory.row()
    // What makes this process large comes last: a child's peak is never told as less than its parent's.
    await Searching.firstLine(forage)
    await SeveralForges.row(forage)
    await Deadline.row(forage)
    await Plugins.starting()
    await Plugins.page()
    await Merging.ranked()
    await Merging.sorted()
    await Merging.growth()
    Filtering.row()
    Browsing.row()
    await Plugins.manyItems()
  }

  /// This program, for the rows that need a process of their own.
  static var program: String { Bundle.main.executablePath ?? CommandLine.arguments[0] }

  /// A program of the peers, `nil` when it is not installed.
  static func peer(_ name: String) -> String? {
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin").split(separator: ":")
    return folders.map { "\($0)/\(name)" }.first { FileManager.default.isExecutableFile(atPath: $0) }
  }

  private static func startUp(_ forage: String) {
    let title = "start: forage --version against gh --version"
    guard let gh = peer("gh") else { return Report.skip(title, "gh") }
    guard let home = try? IsolatedHome() else { return }
    defer { home.directory.remove() }
    Report.pair(
      title, a: Command(executable: forage, arguments: ["--version"], environment: home.environment),
      b: Command(executable: gh, arguments: ["--version"], environment: home.environment), nameB: "gh",
      figures: [.init(name: "wall", value: \.wall, goal: 0.12)])
  }
}
