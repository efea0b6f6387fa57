import Foundation
import TestSupport

/// The rows about repositories that are larger than almost any.
enum InspectingHuge {
  private static let commits = [250_000, 500_000, 1_000_000]
  private static let files = 100_000
  /// A run takes seconds; three show whether one is off.
  private static let runs = 3

  static func rows(_ forage: String) {
    let title = "inspect, huge"
    guard let git = Bench.peer("git") else { return Report.skip(title, "git") }
    do {
      let home = try IsolatedHome()
      defer { home.directory.remove() }
      try history(forage, git, home)
      try tree(forage, git, home)
    } catch {
      Report.missed(title, error)
    }
  }

  /// Time and peak memory by the length of the history.
  private static func history(_ forage: String, _ git: String, _ home: IsolatedHome) throws {
    let made = try GeneratedRepository(
      home.directory.path("history"), git: git, environment: home.environment)
    try made.addHistory(commits, files: 100)
    var (before, lines): (Cost?, [String]) = (nil, [])
    for count in commits {
      try made.run(["symbolic-ref", "HEAD", "refs/heads/n\(count)"])
      let cost = try measured(
        forage, made.path, ["--without", "status,lines,languages"], home.environment)
      let growth = before.map {
        " — twice the commits: time x \(ratio(cost.wall, $0.wall)), memory x \(ratio(cost.memory, $0.memory))"
      }
      lines.append("\(count) commits: \(text(cost))\(growth ?? "")")
      before = cost
    }
    Report.lines("inspect, a long history  (median of \(runs) runs)", lines)
    let shortlog = Command(
      executable: git, arguments: ["-C", made.path, "shortlog", "-sne", "HEAD"], environment: home.environment
    )
    let cost = try median { try shortlog.run() }
    Report.lines("git shortlog -sne HEAD, \(commits.last ?? 0) commits", [text(cost)])
  }

  /// Time and peak memory of a work tree with many files.
  private static func tree(_ forage: String, _ git: String, _ home: IsolatedHome) throws {
    let made = try GeneratedRepository(home.directory.path("tree"), git: git, environment: home.environment)
    try made.addFiles(files)
    try made.run(["reset", "--quiet", "--hard", "main"])
    var lines: [String] = []
    for options in [[], ["--only", "status"], ["--only", "lines"], ["--only", "languages"]] {
      let cost = try measured(forage, made.path, options, home.environment)
      lines.append("inspect \(options.joined(separator: " ")): \(text(cost))")
    }
    let status = Command(
      executable: git, arguments: ["-C", made.path, "--no-optional-locks", "status", "--porcelain"],
      environment: home.environment)
    lines.append("git status: \(text(try median { try status.run() }))")
    Report.lines("inspect, \(files) files  (median of \(runs) runs)", lines)
  }

  private static func measured(
    _ forage: String, _ path: String, _ options: [String], _ environment: [String: String]
  ) throws -> Cost {
    let command = Command(
      executable: forage, arguments: ["inspect", path, "--format", "json", "--no-cache"] + options,
      environment: environment)
    return try median { try command.run() }
  }

  private static func median(_ body: () throws -> Cost) throws -> Cost {
    let costs = try (0..<runs).map { _ in try body() }
    return Cost(
      wall: Spread(costs.map(\.wall)).median, cpu: Spread(costs.map(\.cpu)).median,
      memory: Spread(costs.map(\.memory)).median)
  }

  private static func text(_ cost: Cost) -> String {
    "\(Report.number(cost.wall, 2)) s, \(Report.number(cost.memory * 1e-6, 0)) MB"
  }

  private static func ratio(_ value: Double, _ before: Double) -> String { Report.number(value / before, 2) }
}
