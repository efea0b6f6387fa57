import Foundation
import TestSupport

/// The rows about `forage inspect` on single clones.
struct Inspecting {
  private let forage: String
  private let git: String
  private let clone: String
  private let environment: [String: String]
  private let runs: Int
  /// How the clone is called.
  private let name: String

  /// Pairs that count on a large clone: the fewest that make a median.
  private static let runsOfLarge = 9
  /// Pairs of commands that take some milliseconds, of which a busy machine makes any number of times as
  /// many.
  private static let runsOfShort = 45
  /// What tells the same as `inspect`, as a script that is run in the clone.
  private static let bundle = """
    git shortlog -sne HEAD; git rev-list --count HEAD; git log --format=%at; git ls-files -z | xargs -0 wc -l;
    git --no-optional-locks status --porcelain; git for-each-ref;
    git log --no-merges --name-only --no-renames --format= -1000
    """
  /// 150 MB.
  private static let memoryGoal = 150.0

  /// Prints the rows of a clone that is given, and of two that are made.
  static func rows(_ forage: String, clone: String?) {
    let title = "inspect"
    guard let git = Bench.peer("git") else { return Report.skip(title, "git") }
    guard let home = try? IsolatedHome() else { return }
    defer { home.directory.remove() }
    let environment = home.environment(adding: [
      "GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "safe.directory", "GIT_CONFIG_VALUE_0": "*",
    ])
    if let clone {
      let path = URL(fileURLWithPath: clone).path
      let rows = Inspecting(
        forage: forage, git: git, clone: path, environment: environment, runs: runsOfLarge, name: path)
      rows.whole(shortlog: 1.0, bundle: 0.35)
      rows.parts()
      rows.memory()
    }
    for (commits, files, goal) in [(10_000, 1000, 0.6), (300, 60, 1.3)] {
      let name = "\(commits) commits, \(files) files"
      do {
        let made = try GeneratedRepository(
          home.directory.path("generated-\(commits)"), git: git, environment: environment)
        try made.addHistory([commits], files: files)
        try made.run(["reset", "--quiet", "--hard", "main"])
        let rows = Inspecting(
          forage: forage, git: git, clone: made.path, environment: environment, runs: Report.runs, name: name)
        rows.whole(shortlog: nil, bundle: goal)
      } catch {
        Report.missed("\(title) \(name)", error)
      }
    }
  }

  /// All that is told by default against one command and against all that tell the same; then from the cache.
  private func whole(shortlog: Double?, bundle: Double) {
    pair("all", inspect([]), shortlogOfAuthors, "git shortlog -sne HEAD", goal: shortlog, hasMemory: true)
    let script = Command(
      executable: "/bin/sh", arguments: ["-c", Self.bundle], environment: environment, folder: clone)
    pair("all", inspect([]), script.inFolder, "seven git commands", goal: bundle)
    let again = Command(
      executable: forage, arguments: ["inspect", clone, "--format", "json"], environment: environment)
    pair("all, a second run with the cache", again, inspect([]), "inspect --no-cache", goal: nil)
  }

  /// Single sections, each against what tells the same.
  private func parts() {
    pair(
      "--only authors,activity", inspect(["--only", "authors,activity"]), shortlogOfAuthors,
      "git shortlog -sne HEAD", goal: 0.9)
    let status = Command(
      executable: git, arguments: ["-C", clone, "--no-optional-locks", "status", "--porcelain"],
      environment: environment)
    pair(
      "--only status", inspect(["--only", "status"]), status, "git status", goal: 2.5, runs: Self.runsOfShort)
    let churn = Command(
      executable: git,
      arguments: ["-C", clone, "log", "--no-merges", "--name-only", "--no-renames", "--format=", "-1000"],
      environment: environment)
    pair("--only churn", inspect(["--only", "churn"]), churn, "git log --name-only", goal: 1.0)
    guard let scc = Bench.peer("scc") else { return Report.skip("inspect \(name) --only lines", "scc") }
    let lines = Command(executable: scc, arguments: ["."], environment: environment, folder: clone)
    pair("--only lines", inspect(["--only", "lines"]), lines.inFolder, "scc .", goal: 0.8)
  }

  /// The peak of one process.
  private func memory() {
    let title = "inspect \(name): peak memory"
    do {
      let peaks = try (0..<runs).map { _ in try inspect([]).run().memory * 1e-6 }
      let spread = Spread(peaks)
      let range = "\(Report.number(spread.low, 1)) to \(Report.number(spread.high, 1))"
      let verdict = Report.verdict(spread.median, goal: Self.memoryGoal, digits: 0, unit: " MB")
      Report.lines(
        "\(title)  (\(runs) runs: median, lowest to highest)",
        ["\(Report.number(spread.median, 1)) MB (\(range))   \(verdict)"])
    } catch {
      Report.missed(title, error)
    }
  }

  private var shortlogOfAuthors: Command {
    Command(executable: git, arguments: ["-C", clone, "shortlog", "-sne", "HEAD"], environment: environment)
  }

  private func inspect(_ options: [String]) -> Command {
    Command(
      executable: forage, arguments: ["inspect", clone, "--format", "json", "--no-cache"] + options,
      environment: environment)
  }

  private func pair(
    _ what: String, _ a: Command, _ b: Command, _ peer: String, goal: Double?, hasMemory: Bool = false,
    runs: Int? = nil
  ) {
    var figures = [Report.Figure(name: "wall", value: \.wall, goal: goal)]
    if hasMemory { figures.append(Report.Figure(name: "memory", value: \.memory, goal: nil)) }
    let word = String(peer.prefix { $0 != " " })
    Report.pair(
      "inspect \(name): \(what) against \(peer)", a: a, b: b,
      nameB: ["seven": "bundle", "inspect": "anew"][word] ?? word, figures: figures,
      runs: runs ?? self.runs)
  }
}
