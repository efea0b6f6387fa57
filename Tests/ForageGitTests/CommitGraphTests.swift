import Foundation
import TestSupport
import Testing

@testable import ForageGit

@Suite struct CommitGraphTests {
  @Test func randomHistoriesLikeGit() async throws {
    let seed = propertySeed()
    var random = SeededGenerator(seed: seed)
    for round in 0..<16 {
      let history = RandomHistory(&random)
      let repository = try await TemporaryRepository.make("r\(round)")
      try await repository.fastImport(history.stream)
      if random.chance(0.5) { try await repository.git("pack-refs --all") }
      let other = Int.random(in: 1...history.count, using: &random)
      let comment = Comment("seed \(seed), round \(round)")
      try await compare(repository, other: "refs/heads/b\(other)", comment)
    }
  }

  private func compare(_ repository: TemporaryRepository, other: String, _ comment: Comment) async throws {
    let opened = try repository.open()
    let tip = try #require(opened.refs.head.commit)
    var graph = try CommitGraph(from: tip, in: opened) { false }
    #expect(try await String(graph.headCount) == repository.git("rev-list --count HEAD"), comment)
    #expect(try await String(graph.mergeCount) == repository.git("rev-list --count --merges HEAD"), comment)
    #expect(try await graph.shortlog(Mailmap()) == repository.shortlog(), comment)

    let roots = try await repository.git(["log", "--max-parents=0", "--format=%at %H", "HEAD"]).split(
      separator: "\n")
    #expect(try graph.first()?.hex == roots.min().map { String($0.split(separator: " ")[1]) }, comment)

    // The end of the way over first parents.
    let way = try await repository.git("rev-list --first-parent HEAD").split(separator: "\n")
    let beginning = try opened.firstCommit(from: tip, limit: way.count)
    #expect(beginning?.hex == way.last.map(String.init), comment)
    #expect(try way.count == 1 || opened.firstCommit(from: tip, limit: way.count - 1) == nil, comment)

    let described = try? await repository.git("describe --tags --long HEAD")
    var walked: CommitGraph? = graph
    let nearest = try opened.tags(&walked).nearest
    var lazy: CommitGraph? = CommitGraph(lazilyFrom: tip, in: opened)
    #expect(try opened.tags(&lazy).nearest == nearest, comment)
    let parts = described?.split(separator: "-") ?? []
    #expect(nearest?.name == described.map { _ in parts.dropLast(2).joined(separator: "-") }, comment)
    #expect(nearest?.distance == described.flatMap { _ in Int(parts[parts.count - 2]) }, comment)

    // Sets of two full walks: with dates that go back, `rev-list --left-right` itself can stop too early.
    let left = try await Set(repository.git("rev-list HEAD").split(separator: "\n"))
    let right = try await Set(repository.git("rev-list \(other)").split(separator: "\n"))
    let expected = AheadBehind(ahead: left.subtracting(right).count, behind: right.subtracting(left).count)
    let target = try #require(opened.refs[name: ReferenceName(other)]?.target)
    #expect(try graph.aheadBehind(of: target) { false } == expected, comment)
    lazy = CommitGraph(lazilyFrom: tip, in: opened)
    #expect(try lazy?.aheadBehind(of: target) { false } == expected, comment)

    let newest = try await repository.git("rev-list --max-count=20 HEAD").split(separator: "\n").map(
      String.init)
    #expect(try graph.newest(20).ids.map(\.hex) == newest, comment)
    var unwalked = CommitGraph(lazilyFrom: tip, in: opened)
    #expect(try unwalked.newest(20).ids.map(\.hex) == newest, comment)
  }

  /// Many open ends.
  @Test func wideHistory() async throws {
    let repository = try await TemporaryRepository.make()
    var lines: [String] = []
    for mark in 1...3000 {
      let parents =
        mark <= 300 ? "" : "from :\(mark - 300)\n" + (mark % 7 == 0 ? "merge :\(mark - 299)\n" : "")
      lines.append(
        "commit refs/heads/b\(mark % 300)\nmark :\(mark)\nauthor N\(mark % 50) <n@x> \(mark) +0000")
      lines.append("committer C <c@x> \(mark) +0000\ndata 0\n\(parents)")
    }
    lines.append("commit refs/heads/main\nmark :3001\ncommitter C <c@x> 9999 +0000\ndata 0\nfrom :3000")
    for mark in 2701...2999 where mark % 2 == 0 { lines.append("merge :\(mark)") }
    try await repository.fastImport(lines.joined(separator: "\n") + "\n\n")
    let opened = try repository.open()
    let tip = try #require(opened.refs.head.commit)
    let graph = try CommitGraph(from: tip, in: opened) { false }
    #expect(try await String(graph.headCount) == repository.git("rev-list --count HEAD"))
    #expect(try await graph.shortlog(Mailmap()) == repository.shortlog())
  }

  /// Clocks that were years off change no count, whether all commits are walked or only some.
  @Test func wrongClocks() async throws {
    let repository = try await TemporaryRepository.make()
    // The common commits are dated long before their parents.
    for (number, date) in [1_600_000_000, 1_700_000_000, 1_650_000_000, 1_000_000_000].enumerated() {
      try await repository.commit("c\(number)", date: date)
    }
    try await repository.git("branch other HEAD~2")
    try await repository.git("checkout --quiet other")
    try await repository.git("merge --quiet --no-ff -s ours -m merged main", date: 1_100_000_000)
    try await repository.commit("theirs", date: 1_200_000_000)
    try await repository.git("checkout --quiet main")
    try await repository.commit("ours", date: 1_300_000_000)
    let opened = try repository.open()
    let tip = try #require(opened.refs.head.commit)
    let target = try #require(opened.refs[name: "refs/heads/other"]?.target)
    let left = try await Set(repository.git("rev-list main").split(separator: "\n"))
    let right = try await Set(repository.git("rev-list other").split(separator: "\n"))
    let expected = AheadBehind(ahead: left.subtracting(right).count, behind: right.subtracting(left).count)
    var graph = try CommitGraph(from: tip, in: opened) { false }
    #expect(try graph.aheadBehind(of: target) { false } == expected)
    var lazy = CommitGraph(lazilyFrom: tip, in: opened)
    #expect(try lazy.aheadBehind(of: target) { false } == expected)
  }

  /// Replaced objects are read as git reads them, also where a commit-graph file has the others.
  @Test func replacements() async throws {
    let repository = try await TemporaryRepository.make()
    var ids: [String] = []
    for number in 0..<6 { ids.append(try await repository.commit("c\(number)", files: ["f\(number)": "x"])) }
    try await repository.git("commit-graph write --reachable")
    try await repository.git("replace --graft \(ids[4]) \(ids[1])")
    let other = try await repository.git(["hash-object", "-w", "--stdin"], input: Data("longer".utf8))
    let blob = try await repository.git("rev-parse HEAD:f5")
    try await repository.git("replace -f \(blob) \(other)")
    for isPacked in [false, true] {
      if isPacked { try await repository.git("pack-refs --all") }
      let opened = try repository.open()
      let tip = try #require(opened.refs.head.commit)
      let graph = try CommitGraph(from: tip, in: opened) { false }
      #expect(graph.headCount == 4)
      #expect(try await String(graph.headCount) == repository.git("rev-list --count HEAD"))
      #expect(try opened.blob(try #require(ObjectID(hex: blob))) == Array("longer".utf8))
    }
    try await repository.git("config core.useReplaceRefs false")
    let opened = try repository.open()
    #expect(try CommitGraph(from: try #require(opened.refs.head.commit), in: opened) { false }.headCount == 6)
  }

  @Test func shallowEndsQuietly() async throws {
    let repository = try await TemporaryRepository.make()
    for number in 1...6 { try await repository.commit("c\(number)", date: 1_700_000_000 + number) }
    let clone = try await repository.clone("shallow", ["--depth=3"])
    let opened = try clone.open()
    #expect(opened.shallow.count == 1)
    let graph = try CommitGraph(from: try #require(opened.refs.head.commit), in: opened) { false }
    #expect(graph.headCount == 3)
    #expect(try graph.first() == opened.shallow.first)
  }

  /// Cases in which libgit2 passes over replaced commits, and before 1.7 counts what is behind a shallow
  /// boundary.
  @Test func positionsAtTheEdgeOfHistory() async throws {
    let repository = try await TemporaryRepository.make()
    for number in 1...7 {
      try await repository.commit("c\(number)", date: 1_700_000_000 + number)
      if number == 3 { try await repository.git("tag v1") }
    }
    try await repository.git("checkout --quiet -b side HEAD~3")
    try await repository.commit("side", date: 1_700_000_010)
    try await repository.git("checkout --quiet main")
    func position(_ repository: TemporaryRepository, _ other: ReferenceName) throws -> String {
      let opened = try repository.open()
      let tip = try #require(opened.refs.head.commit)
      var graph: CommitGraph? = CommitGraph(lazilyFrom: tip, in: opened)
      let target = try #require(opened.refs[name: other]?.target)
      let distance = try graph?.aheadBehind(of: target) { false }
      let nearest = try opened.tags(&graph).nearest
      return "\(distance?.ahead ?? -1) \(distance?.behind ?? -1) \(nearest?.name ?? "no tag")"
    }
    #expect(try position(repository, "refs/heads/side") == "3 1 v1")
    let shallow = try await repository.clone("shallow", ["--depth=2", "--no-single-branch", "--no-tags"])
    #expect(try await shallow.git("rev-list --left-right --count HEAD...origin/side") == "2\t2")
    #expect(try position(shallow, "refs/remotes/origin/side") == "2 2 no tag")
    try await repository.git("replace --graft HEAD~1 HEAD~5")
    #expect(try await repository.git("rev-list --left-right --count HEAD...side") == "2\t3")
    #expect(try position(repository, "refs/heads/side") == "2 3 no tag")
  }

  /// The way to the first commit ends at what is known, and where a shallow clone ends nothing is known.
  @Test func firstCommit() async throws {
    let repository = try await TemporaryRepository.make()
    let first = try await repository.commit("one")
    let second = try await repository.commit("two")
    let third = try await repository.commit("three")
    let opened = try repository.open()
    let ids = try [first, second, third].map { try #require(ObjectID(hex: $0)) }
    #expect(try opened.firstCommit(from: ids[2], limit: 3) == ids[0])
    #expect(try opened.firstCommit(from: ids[2], limit: 2) == nil)
    let known = (commit: ids[1], first: ids[0])
    #expect(try opened.firstCommit(from: ids[2], known: known, limit: 2) == ids[0])
    #expect(try opened.firstCommit(from: ids[0], known: known, limit: 1) == ids[0])
    let shallow = try await repository.clone("shallow", ["--depth=2"]).open()
    #expect(try shallow.firstCommit(from: ids[2], limit: 10) == nil)
    let object = "\(repository.path)/.git/objects/\(first.prefix(2))/\(first.dropFirst(2))"
    try FileManager.default.removeItem(atPath: object)
    #expect(code { _ = try opened.firstCommit(from: ids[2], limit: 10) } == .missingObject)
    #expect(try opened.firstCommit(from: ids[2], known: known, limit: 10) == ids[0])
  }

  @Test func missingAndCancelled() async throws {
    let repository = try await TemporaryRepository.make()
    let first = try await repository.commit("one")
    try await repository.commit("two")
    let object = "\(repository.path)/.git/objects/\(first.prefix(2))/\(first.dropFirst(2))"
    try FileManager.default.removeItem(atPath: object)
    let opened = try repository.open()
    let tip = try #require(opened.refs.head.commit)
    #expect(code { _ = try CommitGraph(from: tip, in: opened) { false } } == .missingObject)
    #expect(code { _ = try opened.listing(of: opened.commit(tip).tree) { true } } == .cancelled)
  }
}

@Suite struct RefStoreTests {
  @Test func likeForEachRef() async throws {
    let repository = try await TemporaryRepository.make()
    try await repository.commit("one")
    try await repository.git("tag light")
    try await repository.git("tag -a -m x noted")
    try await repository.git("tag -a -m y nested noted")
    try await repository.git("pack-refs --all")
    try await repository.commit("two")
    try await repository.git("branch feature/x")
    try await repository.git("tag -a -m z loose")
    try await repository.git("symbolic-ref refs/remotes/origin/HEAD refs/heads/main")
    let listed = try await repository.git(["for-each-ref", "--format=%(objectname) %(refname) %(symref)"])
    let opened = try repository.open()
    let found = opened.refs.all.map { "\($0.target) \($0.name) \($0.isSymbolic ? "refs/heads/main" : "")" }
    #expect(found == listed.split(separator: "\n").map(String.init))
    let commit = try await repository.git("rev-parse nested^{commit}")
    #expect(opened.refs[name: "refs/tags/nested"]?.peeled?.hex == commit)
    #expect(try opened.peel(try #require(opened.refs[name: "refs/tags/loose"]).target).kind == .commit)
  }
}
