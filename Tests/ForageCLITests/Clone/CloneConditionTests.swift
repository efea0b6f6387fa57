import ForageCLI
import ForageCore
import Foundation
import TestSupport
import Testing

/// `clones list` with conditions, over clones in different states; broken clones in tables.
struct CloneConditionTests {
  /// Clones of one source, named after their state, in `src` of the home.
  private func clones(_ home: IsolatedHome) async throws {
    let directory = home.directory
    let source = try await TemporaryRepository.make("source", in: directory)
    try await source.commit("old", files: ["a": "1\n"], date: Self.date(400))
    try await source.commit("new", files: ["a": "2\n"], date: Self.date(100))
    func clone(_ name: String, _ commands: [String] = []) async throws {
      let clone = try await source.clone("home/src/" + name)
      for command in commands { try await clone.git(command, date: Self.date(1)) }
    }
    try directory.makeDirectory("home/src")
    try await clone("sauber")
    try await clone("schmutzig")
    try directory.write("home/src/schmutzig/neu ü", "x")
    try await clone("ahead", ["commit --quiet --allow-empty -m x"])
    try await clone("behind", ["reset --quiet --hard HEAD~1"])
    try await clone("stashed")
    try directory.write("home/src/stashed/a", "changed")
    try await TemporaryRepository(at: directory.path("home/src/stashed"), in: directory).git("stash --quiet")
    try await clone("untracked-branch", ["checkout --quiet -b local", "commit --quiet --allow-empty -m x"])
    try await clone("detached", ["checkout --quiet --detach"])
    _ = try await TemporaryRepository.make("home/src/empty", in: directory)
  }

  /// So many days before the time that ages count from.
  private static func date(_ days: Int) -> Int { Int(Capture.now.timeIntervalSince1970) - days * 86_400 }

  private static let all: Set<String> = [
    "sauber", "schmutzig", "ahead", "behind", "stashed", "untracked-branch", "detached", "empty",
  ]

  private func names(_ outcome: Outcome) -> Set<String> {
    Set(
      outcome.out.split(separator: "\n").map { line in
        String(line.prefix { $0 != "\t" }.split(separator: "/").last ?? "")
      })
  }

  @Test func conditions() async throws {
    try await withIsolatedHome { home in
      try await clones(home)
      let environment = variables(home)
      func list(_ conditions: [String]) async -> Outcome {
        await forage(["clones", "list"] + conditions, in: environment)
      }
      #expect(
        await forage(["clones", "add", home.directory.path("home/src")], in: environment).status == .success)
      for (conditions, expected) in [
        (["ahead"], ["ahead"]), (["src", "stash"], ["stashed"]), (["--dirty"], ["schmutzig"]),
        (["--ahead"], ["ahead"]), (["--behind"], ["behind"]),
        (["--stashed"], ["stashed"]), (["--no-upstream"], ["untracked-branch", "empty"]),
        (["--stale", "90d"], ["sauber", "schmutzig", "behind", "stashed", "detached"]),
        (["--stale", "1Y"], ["behind"]), (["--stale", "13mo"], ["behind"]), (["--stale", "50w"], ["behind"]),
        (["--safe-to-delete"], ["sauber", "behind", "detached"]),
        (["--safe-to-delete", "--stale", "90d", "--behind"], ["behind"]),
        (["--dirty", "--stale", "90d"], ["schmutzig"]),
      ] as [([String], Set<String>)] {
        let outcome = await list(conditions)
        #expect(names(outcome) == expected, "\(conditions)")
        // What is safe is so as of the last fetch.
        let note = "forage: safe as of the last fetch; forage clones delete asks the remotes\n"
        let messages = conditions.contains("--safe-to-delete") ? note : ""
        #expect(outcome.status == .success && outcome.err == messages, "\(conditions): \(outcome.err)")
      }
      let none = await list(["--dirty", "--stashed"])
      #expect(none.status == .nothingFound && none.out == "")
      #expect(none.err.contains("8 clones") && none.err.contains("--dirty --stashed"))
      let json = await list(["--ahead", "--format", "json"])
      #expect(json.out.hasPrefix(#"{"schema":1,"clones":[{"path":"#) && json.out.contains(#""ahead":1"#))
      let nothing = await list(["--stale", "9y", "--format", "json"])
      #expect(nothing.out == "{\"schema\":1,\"clones\":[]}\n" && nothing.status == .nothingFound)
      #expect(names(await list([])) == Self.all)
      // Words are parts of names and paths, in any case.
      #expect(names(await list(["SAUB"])) == ["sauber"])
      #expect(names(await list(["home/src", "Sta", "--stale", "90d"])) == ["stashed"])
      // A shorter word may be a part of the name of the temporary folder.
      #expect(names(await list(["tached", "--dirty"])).isEmpty)
      let unknown = await list(["nothing like", "--language", "swift"])
      #expect(unknown.status == .nothingFound && unknown.out == "")
      #expect(unknown.err.contains("no clone matches 'nothing like' --language swift"))
      #expect(await list(["nothing", "--format", "json"]).out == "{\"schema\":1,\"clones\":[]}\n")
    }
  }

  /// What is not known to be clean is not listed, and neither is what another clone needs.
  @Test func unknownIsNotSafe() async throws {
    try await withIsolatedHome { home in
      let directory = home.directory
      let source = try await TemporaryRepository.make("source", in: directory)
      try await source.commit(files: ["f": "1\n", ".gitignore": "/inner/\n"])
      let src = "home/src/"
      let bare = try await source.clone(src + "said-to-be-bare")
      try bare.write("f", "precious")
      try await bare.git("config core.bare true")
      let separate = directory.path(src + "g.git")
      let work = try await source.clone("work", ["--separate-git-dir", separate])
      try work.write("f", "precious")
      try await work.git("add f")
      let lender = try await source.clone(src + "lender")
      let borrower = try await source.clone("home/other/größe")
      try borrower.write(".git/objects/info/alternates", lender.path + "/.git/objects\n")
      let outer = try await source.clone(src + "outer")
      _ = try await source.clone(src + "outer/inner")
      _ = try await source.clone(src + "safe")
      let environment = variables(home)
      let folders = [directory.path("home/src"), directory.path("home/other"), outer.path + "/inner"]
      _ = await forage(["clones", "add"] + folders, in: environment)
      func listed() async -> Set<String> {
        names(await forage(["clones", "list", "--safe-to-delete"], in: environment))
      }
      #expect(await listed() == ["größe", "outer", "inner", "safe"])
      // What is ignored needs its objects all the same.
      _ = await forage(["clones", "ignore", borrower.path], in: environment)
      #expect(await listed() == ["outer", "inner", "safe"])
      _ = await forage(["clones", "ignore", "--remove", borrower.path], in: environment)
      // Its folder is part of the clone around it now.
      try FileManager.default.removeItem(atPath: outer.path + "/inner/.git")
      #expect(await listed() == ["größe", "outer", "safe"])
      try FileManager.default.removeItem(atPath: borrower.path)
      // Nobody knows whether it is gone, or on a disk that is not mounted.
      let scan = await forage(["clones", "scan"], in: environment)
      #expect(
        scan.err.contains("home/other is empty; its clones stay in the catalogue\nhint: mount the disk"))
      #expect(names(await forage(["clones", "list"], in: environment)).contains("größe"))
      try directory.makeDirectory("home/other/ordner")
      _ = await forage(["clones", "scan"], in: environment)
      #expect(!names(await forage(["clones", "list"], in: environment)).contains("größe"))
      #expect(await listed() == ["lender", "outer", "safe"])
    }
  }

  @Test(arguments: ["90", "d", "0d", "-3d", "3m", "3.5d", "90 d", "99999999999999999999d", "٣d", ""])
  func wrongAges(_ age: String) async throws {
    let outcome = try await forage(["clones", "list", "--stale=" + age])
    #expect(outcome.status == .usage && outcome.err.contains("--stale"), "\(outcome.err)")
  }

  /// A distance from the upstream that cannot be read is no distance of zero.
  @Test func unknownDistance() async throws {
    try await withIsolatedHome { home in
      let clone = try await TemporaryRepository.make("home/src/größe", in: home.directory)
      try await clone.commit("base")
      try await clone.git("checkout --quiet -b other")
      let lost = try await clone.commit("lost")
      try await clone.commit("theirs")
      try await clone.git("checkout --quiet main")
      try await clone.commit("ours")
      try await clone.git("branch --quiet --set-upstream-to=other main")
      let environment = variables(home)
      _ = await forage(["clones", "add", home.directory.path("home/src")], in: environment)
      try FileManager.default.removeItem(
        atPath: clone.path + "/.git/objects/\(lost.prefix(2))/\(lost.dropFirst(2))")
      for condition in ["--ahead", "--behind"] {
        let outcome = await forage(["clones", "list", condition], in: environment)
        #expect(outcome.out == "" && outcome.err.contains("\(clone.path): "), "\(outcome.err)")
      }
    }
  }

  /// A clone of which a part is missing is in the list, with the reason below it.
  @Test func damagedClones() async throws {
    try await withIsolatedHome { home in
      let directory = home.directory
      let clone = try await TemporaryRepository.make("home/src/größe", in: directory)
      try await clone.commit(files: ["a": "1\n"])
      let environment = variables(home)
      _ = await forage(["clones", "add", directory.path("home/src")], in: environment)
      let commit = try await clone.git("rev-parse HEAD")
      try FileManager.default.removeItem(
        atPath: clone.path + "/.git/objects/\(commit.prefix(2))/\(commit.dropFirst(2))")
      for format in ["tsv", "table", "json"] {
        let outcome = await forage(["clones", "list", "--status", "--format", format], in: environment)
        #expect(outcome.out.contains("größe") && outcome.status != .success, "\(outcome)")
        #expect(
          outcome.err.hasPrefix("forage: \(clone.path): ") && outcome.err.contains("\nhint: "),
          "\(outcome.err)")
        if format == "json" { #expect(outcome.out.contains("\"error\":")) }
      }
    }
  }

  /// A clone that cannot be read meets no condition, takes no column from the table, and is reported below
  /// it. Nobody named it, so that it does not change the status of a list with conditions.
  @Test func brokenClones() async throws {
    try await withIsolatedHome { home in
      let directory = home.directory
      let source = try await TemporaryRepository.make("source", in: directory)
      try await source.commit(files: ["a": "1\n"])
      let names = ["kaputt", "fine", String(repeating: "langer-name-", count: 15) + "ende"]
      for name in names { _ = try await source.clone("home/src/" + name) }
      try directory.write("home/src/kaputt/.git/HEAD", "garbage\n")
      let environment = variables(home)
      _ = await forage(["clones", "add", directory.path("home/src")], in: environment)
      for arguments in [
        ["clones", "list"], ["clones", "list", "--status"],
        ["inspect", directory.path("home/src"), "--only", "head"],
      ] {
        let outcome = await forage(arguments, in: environment, columns: 100)
        let lines = outcome.out.split(separator: "\n").map(String.init)
        #expect(lines.count == 4 && lines.allSatisfy { TextWidth.of($0) <= 100 }, "\(arguments)")
        let header = lines.first ?? ""
        #expect(header.contains("BRANCH") && !header.contains("ERROR"))
        #expect(lines.contains { $0.contains("main") && $0.contains("fine") }, "\(outcome.out)")
        #expect(lines.contains { $0.contains("…") && $0.contains("ende ") }, "\(outcome.out)")
        #expect(
          outcome.err.contains("kaputt") && outcome.err.contains("\nhint: "), "\(arguments): \(outcome.err)")
      }
      // Every command says the same of what is to be done.
      let hint = "run git fsck in it, or clone it again, then run: forage clones scan"
      let broken = directory.path("home/src/kaputt")
      for arguments in [
        ["clones", "list"], ["clones", "list", "--status"], ["clones", "index"], ["inspect", broken],
      ] {
        let outcome = await forage(arguments, in: environment, columns: 200)
        #expect(outcome.err.contains(hint), "\(arguments): \(outcome.err)")
      }
      #expect(await forage(["doctor"], in: environment).out.contains(hint))
      // The status has a reason also where a program reads the list.
      for format in ["tsv", "json", "ndjson"] {
        let outcome = await forage(["clones", "list", "--status", "--format", format], in: environment)
        #expect(outcome.status == .partial && outcome.err.hasPrefix("forage: " + broken), "\(outcome.err)")
        #expect(outcome.err.contains(hint) && outcome.err.split(separator: "\n").count == 2)
      }
      let table = await forage(["clones", "list"], in: environment, columns: 100)
      #expect(table.out.contains("~/src/fine ") && !table.out.contains(directory.path))
      let rows = await forage(["clones", "list"], in: environment)
      #expect(rows.out.contains(directory.path("home/src/fine") + "\t"))
      let safe = await forage(["clones", "list", "--safe-to-delete"], in: environment)
      #expect(safe.out.split(separator: "\n").count == 2 && !safe.out.contains("kaputt"))
      #expect(safe.err.contains("kaputt") && safe.status == .success)
      let dirty = await forage(["clones", "list", "--dirty"], in: environment)
      #expect(dirty.status == .nothingFound && dirty.out == "" && dirty.err.contains("kaputt"))
      try FileManager.default.removeItem(atPath: directory.path("home/src/kaputt/.git"))
      let gone = await forage(["clones", "list", "--safe-to-delete"], in: environment)
      #expect(gone.status == .success && gone.err.contains("kaputt"))
      #expect(gone.err.contains("forage clones scan\n"))
      // Of none of the clones it can be told whether it meets the conditions.
      for name in names { try directory.write("home/src/\(name)/.git/HEAD", "garbage\n") }
      for condition in ["--stashed", "--stale=90d"] {
        let untold = await forage(["clones", "list", condition, "--quiet"], in: environment)
        #expect(untold.status == .failed && untold.out == "", "\(untold)")
        #expect(names.allSatisfy { untold.err.contains("/" + $0) } && !untold.err.contains("none of"))
      }
    }
  }
}
