import Foundation
import TestSupport

/// The rows about searching code in clones.
struct CodeSearching {
  private let forage: String
  private let folders: [String]
  private let environment: [String: String]
  private let name: String

  /// Indexing is not measured longer than this.
  private static let patience: Duration = .seconds(1800)
  /// 140 MB.
  private static let memoryGoal = 140.0
  /// A word that no text has.
  private static let unusedWord = "zqvxkjwqz" + "hfpwvqz"

  /// What is looked for, taken from the text of the clones.
  private struct Samples {
    var rare: String
    var frequent: String
  }

  /// Prints the rows of a clone and of a folder of clones, as far as they are given.
  static func rows(_ forage: String, clone: String?, clones: String?) async {
    let title = "search -k code"
    guard clone != nil || clones != nil else {
      return Report.missed(
        title, BenchError("no clone was given; set CLONE, and CLONES to a folder of clones"))
    }
    for (place, goals) in [(clone, Goals.one), (clones, Goals.many)] {
      guard let place else { continue }
      guard let home = try? IsolatedHome() else { continue }
      // In a clone, the files of that one would be searched, too.
      let files = FileManager.default
      let folder = files.currentDirectoryPath
      _ = files.changeCurrentDirectoryPath(home.home.path)
      defer {
        _ = files.changeCurrentDirectoryPath(folder)
        home.directory.remove()
      }
      let path = URL(fileURLWithPath: place, relativeTo: URL(fileURLWithPath: folder)).path
      let environment = home.environment(adding: [
        "PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin",
        "GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "safe.directory", "GIT_CONFIG_VALUE_0": "*",
        "FORAGE_GITHUB_URL": "http://127.0.0.1:9", "CSEARCHINDEX": home.directory.path("csearchindex"),
      ])
      do {
        let rows = CodeSearching(forage: forage, folders: [path], environment: environment, name: path)
        try await rows.indexing(home)
        let samples = try await rows.samples()
        rows.searching(samples, goals)
        try await rows.grepping(samples, goals, inClone: place == clone)
      } catch {
        Report.missed("\(title) \(path)", error)
      }
    }
  }

  /// The goals of the ratios to `rg` and `csearch`.
  private struct Goals {
    var rare: Double
    var frequent: Double?
    var expression: Double?
    var csearch: Double?
    /// The ratio of `grep` to `rg`, in the clone or over all.
    var grep: Double
    static let one = Goals(rare: 0.65, grep: 1.2)
    static let many = Goals(rare: 0.15, frequent: 0.5, expression: 0.3, csearch: 5, grep: 0.15)
  }

  private func output(_ executable: String, _ arguments: [String]) async throws -> String {
    let result = try await ProcessRunner.run(
      URL(fileURLWithPath: executable), arguments, environment: environment, timeout: Self.patience)
    guard result.status <= 1 else { throw BenchError("\(executable): \(result.err)") }
    return result.out
  }

  /// Builds the index, and that of `cindex` where it is installed; prints their size and the rate.
  private func indexing(_ home: IsolatedHome) async throws {
    _ = try await output(forage, ["clones", "add", "--no-index"] + folders)
    let index = Command(executable: forage, arguments: ["clones", "index"], environment: environment)
    let cost = try index.run()
    let text = try await output(
      "/bin/sh",
      ["-c", "find \(folders[0]) -name .git -prune -o -type f -size -1024k -print0 | xargs -0 cat | wc -c"])
    let bytes = Double(text.filter(\.isNumber)) ?? 0
    let size =
      Self.size(home.home.path + "/.cache/forage/code.db")
      + Self.size(home.home.path + "/.cache/forage/code.db-wal")
    print(
      "code index of \(name): \(Int(bytes / 1e6)) MB of files, index \(Self.rounded(Double(size) / max(bytes, 1))) of that (goal 0.25), "
        + "\(Self.rounded(bytes / 1e6 / cost.wall)) MB/s, peak \(Int(cost.memory / 1e6)) MB (goal \(Int(Self.memoryGoal)))"
    )
    guard let cindex = Bench.peer("cindex") else { return Report.skip("code index against cindex", "cindex") }
    let other = try Command(executable: cindex, arguments: folders, environment: environment).run()
    print(
      "cindex: \(Self.rounded(bytes / 1e6 / other.wall)) MB/s; rate \(Self.rounded(other.wall / cost.wall)) of cindex (goal 0.22)"
    )
  }

  private static func rounded(_ value: Double) -> Double { (value * 1000).rounded() / 1000 }

  private static func size(_ path: String) -> Int {
    ((try? FileManager.default.attributesOfItem(atPath: path))?[.size] as? Int) ?? 0
  }

  /// A word that occurs once, and the most frequent one.
  private func samples() async throws -> Samples {
    let script =
      "find \(folders[0]) -name .git -prune -o -type f -size -100k -print0 | head -z -n 4000 | xargs -0 grep -I -h -o -w -E '[A-Za-z_]{9,20}'"
    let words = try await output("/bin/sh", ["-c", script + " || true"]).split(separator: "\n")
    var counts: [Substring: Int] = [:]
    for word in words { counts[word, default: 0] += 1 }
    guard let rare = counts.filter({ $0.value == 1 }).keys.max(by: { ($0.count, $0) < ($1.count, $1) }),
      let frequent = counts.max(by: { ($0.value, $1.key) < ($1.value, $0.key) })?.key
    else { throw BenchError("there is no text") }
    return Samples(rare: String(rare), frequent: String(frequent))
  }

  private func search(_ query: String) -> Command {
    Command(
      executable: forage, arguments: ["search", "-p", "local", "-k", "code", query + " case:yes"],
      environment: environment)
  }

  private func searching(_ samples: Samples, _ goals: Goals) {
    let middle = String(samples.rare.dropFirst(2).dropLast(2))
    let expression = middle + "[a-z_A-Z]{2}"
    let rows = [
      ("rare literal", samples.rare, ["-F", samples.rare], goals.rare),
      ("frequent literal", samples.frequent, ["-F", samples.frequent], goals.frequent),
      ("expression", "/\(expression)/", [expression], goals.expression),
    ]
    for (title, query, arguments, goal) in rows {
      let title = "code \(name), \(title)"
      if let rg = Bench.peer("rg") {
        Report.pair(
          title, a: search(query),
          b: Command(executable: rg, arguments: ["-n"] + arguments + folders, environment: environment),
          nameB: "rg", figures: [.init(name: "wall", value: \.wall, goal: goal)])
      } else {
        Report.skip(title, "rg")
      }
    }
    guard let csearch = Bench.peer("csearch") else { return Report.skip("code against csearch", "csearch") }
    Report.pair(
      "code \(name), rare literal", a: search(samples.rare),
      b: Command(executable: csearch, arguments: ["-n", samples.rare], environment: environment),
      nameB: "csearch",
      figures: [.init(name: "wall", value: \.wall, goal: goals.csearch)])
  }

  /// `grep` in the clone, which is rg, or over all clones: a rare word, one that no clone has, one that half
  /// of the clones have, and one that most files have. Over all clones it stands beside rg as it is, and beside
  /// `rg --sort path`, which prints in the same order and has the goals.
  private func grepping(_ samples: Samples, _ goals: Goals, inClone: Bool) async throws {
    guard let rg = Bench.peer("rg") else { return Report.skip("grep \(name)", "rg") }
    func row(_ title: String, _ word: String, _ goal: Double, status: Int32 = 0) {
      let grep = Command(
        executable: forage, arguments: ["grep"] + (inClone ? [] : ["--all"]) + ["-n", word],
        environment: environment, folder: folders[0], status: status)
      for sorting in inClone ? [[]] : [["--sort=path"], []] {
        let other = Command(
          executable: rg, arguments: ["-n", word] + sorting + (inClone ? [] : [folders[0]]),
          environment: environment, folder: folders[0], status: status)
        let goal = inClone || !sorting.isEmpty ? goal : nil
        Report.pair(
          "grep \(name), \(title)", a: grep.inFolder, b: other.inFolder,
          nameB: sorting.isEmpty ? "rg" : "rg --sort path",
          figures: [.init(name: "wall", value: \.wall, goal: goal)])
      }
    }
    row("rare literal", samples.rare, goals.grep)
    guard !inClone else { return }
    row("word that no clone has", Self.unusedWord, goals.grep, status: 1)
    if let word = try await wordOfHalf(rg) { row("word in half of the clones", word, 0.7) }
    row("frequent literal", samples.frequent, 1.1)
  }

  /// A word that is in about half of the clones.
  private func wordOfHalf(_ rg: String) async throws -> String? {
    let clones = try FileManager.default.contentsOfDirectory(atPath: folders[0]).count
    let words = try await output(
      "/bin/sh",
      [
        "-c",
        "cd \(folders[0]); for d in */; do \(rg) -INow '[A-Za-z]{6,12}' \"$d\" | sort -u; done | sort | uniq -c | sort -n",
      ])
    for line in words.split(separator: "\n") {
      let parts = line.split(separator: " ")
      guard parts.count == 2, let count = Int(parts[0]) else { continue }
      if count * 2 >= clones { return String(parts[1]) }
    }
    return nil
  }
}
