import ForageBrowse
import Foundation
import TestSupport

/// The rows about acting on many clones.
enum Fleet {
  private static let (fetched, picked) = (100, 1000)
  private static let jobs = 8
  /// Milliseconds from the start of the program to its first frame, and from a key to a frame.
  private static let (frameGoal, keyGoal) = (30.0, 16.0)

  static func rows(_ forage: String) async {
    guard let git = Bench.peer("git") else { return Report.skip("clones fetch", "git") }
    do {
      try await fetching(forage, git)
      try await picking(forage, git)
    } catch {
      Report.missed("clones fetch, pick", error)
    }
    keys()
  }

  private static func repository(_ home: IsolatedHome, _ git: String) throws -> GeneratedRepository {
    let original = try GeneratedRepository(
      home.directory.path("original"), git: git, environment: home.environment)
    try original.addHistory([3, 40], files: 3)
    try original.run(["reset", "--quiet", "--hard", "n3"])
    try original.run(["gc", "--quiet"])
    return original
  }

  /// Fetching where nothing is new, which is what costs each time, and lists of what stands where.
  private static func fetching(_ forage: String, _ git: String) async throws {
    let home = try IsolatedHome()
    defer { home.directory.remove() }
    let original = try repository(home, git)
    let folder = home.directory.path("home/src")
    try original.copy(0..<fetched, to: folder) { _ in "file://\(original.path)" }
    try original.run(["update-ref", "refs/heads/main", "refs/heads/n40"])
    func command(_ arguments: [String]) -> Command {
      Command(executable: forage, arguments: arguments, environment: home.environment)
    }
    func script(_ text: String) -> Command {
      Command(
        executable: "/bin/sh", arguments: ["-c", text, git], environment: home.environment, folder: folder
      ).inFolder
    }
    _ = try command(["clones", "add", folder]).run()
    let fetch = command(["clones", "fetch", "--jobs", String(jobs)])
    let figures = [Report.Figure(name: "wall", value: \.wall), .init(name: "cpu", value: \.cpu)]
    Report.pair(
      "clones fetch of \(fetched), nothing new", a: fetch,
      b: script("for clone in *; do \"$0\" -C \"$clone\" fetch --quiet; done"), nameB: "loop",
      figures: figures, runs: 5)
    Report.pair(
      "clones fetch of \(fetched), nothing new", a: fetch,
      b: script("ls | xargs -P\(jobs) -I{} \"$0\" -C {} fetch --quiet"), nameB: "xargs -P\(jobs)",
      figures: figures, runs: 5)
    Report.pair(
      "clones list --behind of \(fetched)", a: command(["clones", "list", "--behind"]),
      b: script("for clone in *; do \"$0\" -C \"$clone\" status --short --branch; done"), nameB: "loop",
      figures: figures, runs: 5)
    Report.pair(
      "clones list --safe-to-delete of \(fetched)", a: command(["clones", "list", "--safe-to-delete"]),
      b: script(
        """
        for clone in *; do "$0" -C "$clone" status --porcelain --ignored; "$0" -C "$clone" stash list;
        "$0" -C "$clone" log --oneline --branches HEAD --not --remotes; done
        """), nameB: "three git commands in each", figures: figures, runs: 5)
  }

  /// From the start of `pick` until its list is on the terminal.
  private static func picking(_ forage: String, _ git: String) async throws {
    let home = try IsolatedHome()
    defer { home.directory.remove() }
    let folder = home.directory.path("home/src")
    try repository(home, git).copy(0..<picked, to: folder) { "https://github.com/owner\($0 % 97)/clone\($0)" }
    _ = try Command(
      executable: forage, arguments: ["clones", "add", folder], environment: home.environment
    ).run()
    let wanted = Data("1,000/1,000".utf8)
    var times: [Double] = []
    for _ in 0...Report.runs {
      var launch = ProcessRunner.Launch(
        URL(fileURLWithPath: forage), ["pick"], environment: home.environment(adding: ["NO_COLOR": "1"]))
      launch.terminal = (80, 24, .outputAndError)
      launch.keepsInputOpen = true
      let before = ContinuousClock.now
      let running = try ProcessRunner.start(launch)
      defer { running.kill() }
      while running.stdoutSoFar.range(of: wanted) == nil {
        guard ContinuousClock.now - before < .seconds(10) else { throw BenchError("pick draws nothing") }
        try await Task.sleep(for: .microseconds(200))
      }
      times.append((ContinuousClock.now - before) / .milliseconds(1))
    }
    Report.single(
      "pick: first frame with \(picked) clones", milliseconds: Array(times.dropFirst()), goal: frameGoal)
  }

  /// From a key to the lines of the frame, in this process.
  private static func keys() {
    let items = (0..<10_000).map { number in
      PickItem(
        value: "/home/me/src/owner\(number % 97)/clone\(number)", name: "owner\(number % 97)/clone\(number)",
        place: "~/src/owner\(number % 97)/clone\(number)", weight: Double(number % 13))
    }
    var state = PickState(items, query: "", columns: 80, rows: 24, isUnicode: true)
    var writer = FrameWriter(hasColor: true)
    let pressed: [BrowseKey] = [
      .character("o"), .character("w"), .down, .character("7"), .backspace, .backspace, .backspace,
    ]
    var times: [Double] = []
    for index in 0..<210 {
      let before = ContinuousClock.now
      _ = state.apply(.key(pressed[index % pressed.count]))
      _ = writer.bytes(for: state.frame())
      times.append((ContinuousClock.now - before) / .milliseconds(1))
    }
    Report.single("pick: key to frame with \(items.count) clones", milliseconds: times, goal: keyGoal)
  }
}
