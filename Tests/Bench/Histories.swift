import Foundation
import TestSupport

/// The rows about the history of a clone: commits, and code at other branches.
enum Histories {
  private static let (commits, files, clones) = (30_000, 3000, 4)
  private static let commitGoal = 0.8

  static func rows(_ forage: String) {
    let title = "search -k commit"
    guard let git = Bench.peer("git") else { return Report.skip(title, "git") }
    do {
      let home = try IsolatedHome()
      defer { home.directory.remove() }
      let clone = try GeneratedRepository(
        home.directory.path("home/history"), git: git, environment: home.environment)
      try clone.addHistory([commits / 2, commits], files: files)
      try clone.run(["reset", "--quiet", "--hard", "main"])
      try clone.run(["gc", "--quiet"])
      func command(_ executable: String, _ arguments: [String]) -> Command {
        Command(
          executable: executable, arguments: arguments, environment: home.environment, folder: clone.path
        ).inFolder
      }
      let folder = home.directory.path("home/src")
      try clone.copy(0..<clones, to: folder) { "https://github.com/owner/clone\($0)" }
      _ = try command(forage, ["clones", "add", folder]).run()
      let word = String(commits / 3)
      Report.pair(
        "\(title) in \(clones) clones of \(commits) commits, a word that one has",
        a: command(forage, ["search", "-p", "local", "-k", "commit", word]),
        b: command(
          "/bin/sh",
          ["-c", "for clone in \"$1\"/*; do \"$0\" -C \"$clone\" log -i --grep=\(word); done", git, folder]),
        nameB: "git log", figures: [.init(name: "wall", value: \.wall, goal: commitGoal)])
      _ = try command(forage, ["clones", "remove", folder]).run()
      _ = try command(forage, ["clones", "add", clone.path]).run()
      let branch = "n\(commits / 2)"
      Report.pair(
        "search -k code ref: a branch half the history back, \(files) files",
        a: command(forage, ["search", "-p", "local", "-k", "code", "value9 ref:\(branch) case:yes"]),
        b: command(git, ["grep", "-n", "-w", "value9", branch]), nameB: "git grep",
        figures: [.init(name: "wall", value: \.wall)])
    } catch {
      Report.missed(title, error)
    }
  }
}
