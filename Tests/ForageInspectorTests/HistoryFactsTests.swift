import ForageGit
import Foundation
import TestSupport
import Testing

@testable import ForageInspector

@Suite struct HistoryFactsTests {
  private func open(_ repository: TemporaryRepository) throws -> GitRepository {
    try GitRepository.open(repository.path, environment: GitEnvironment())
  }

  private func inspection(
    _ repository: TemporaryRepository, _ sections: Set<InspectionSection> = InspectionSection.standard,
    known: HeadFacts? = nil, now: Date = HistoryFactsTests.now
  ) throws -> Inspection {
    var inspection = Inspection(try open(repository), sections, known: known, now: now) { false }
    _ = inspection.addHistory()
    return inspection
  }

  private func facts(
    _ repository: TemporaryRepository, _ sections: Set<InspectionSection> = InspectionSection.standard,
    known: HeadFacts? = nil, now: Date = HistoryFactsTests.now
  ) throws -> InspectionReport {
    let found = try inspection(repository, sections, known: known, now: now).report
    var report = InspectionReport(try open(repository))
    report.take(sections, from: found)
    report.notes = found.notes
    return report
  }

  /// After every commit of `make`.
  private static let now = Date(timeIntervalSince1970: 1_690_000_000)

  /// Commits of several authors, zones and days; some look signed.
  private func make(_ random: inout SeededGenerator) async throws -> TemporaryRepository {
    let repository = try await TemporaryRepository.make()
    let tree = try await repository.git(["mktree"], input: Data())
    let zones = ["+0000", "+0530", "-0800", "+1400", "-1200", "+0001", "-2359", "+9959"]
    var time = 1_600_000_000
    var parent: String?
    for number in 0..<40 {
      time += Int.random(in: 0...2_000_000, using: &random)
      let author = random.pick(["A", "B", "B", "Ünal 山田", "e\u{301}"])
      var text = "tree \(tree)\n"
      if let parent { text += "parent \(parent)\n" }
      text +=
        "author \(author) <\(author)@x> \(time - Int.random(in: 0...90_000, using: &random)) \(random.pick(zones))\n"
      text += "committer C <c@x> \(time) +0000\n"
      if random.chance(0.4) { text += "\(random.pick(["gpgsig", "gpgsig-sha256"])) -----BEGIN\n x\n" }
      text += "\nnumber \(number)\ngpgsig not here\n"
      parent = try await repository.git(
        ["hash-object", "-t", "commit", "-w", "--stdin"], input: Data(text.utf8))
    }
    try await repository.git("update-ref refs/heads/main \(try #require(parent))")
    return repository
  }

  @Test func activityAndSignaturesLikeGit() async throws {
    let seed = propertySeed()
    var random = SeededGenerator(seed: seed)
    let repository = try await make(&random)
    let head = try #require(Double(try await repository.git(["log", "-1", "--format=%ct"])))
    let facts = try facts(repository, now: Date(timeIntervalSince1970: head))
    var weekdays = [Int](repeating: 0, count: 7)
    var hours = [Int](repeating: 0, count: 24)
    for line in try await repository.git(["log", "--format=%ad", "--date=format:%u %H"]).split(
      separator: "\n")
    {
      let words = line.split(separator: " ").compactMap { Int($0) }
      try #require(words.count == 2, "git printed \(line), seed \(seed)")
      weekdays[words[0] - 1] += 1
      hours[words[1]] += 1
    }
    #expect(facts.activity?.weekdays == weekdays && facts.activity?.hours == hours, "seed \(seed)")
    // ISO weeks begin on Monday too.
    var weeks: [String: Int] = [:]
    let dates = try await repository.git(["log", "--format=%ad", "--date=format-local:%G-%V"])
    for week in dates.split(separator: "\n") { weeks[String(week), default: 0] += 1 }
    let last = try await repository.git(["log", "-1", "--format=%cd", "--date=format-local:%G-%V"])
    #expect(facts.activity?.weeks.count == 52)
    #expect(facts.activity?.weeks.last?.commits == weeks[last, default: 0], "seed \(seed)")
    let raw = try await repository.git("rev-list --header HEAD")
    let signed = raw.split(separator: "\0").count { commit in
      (commit.firstRange(of: "\n\n").map { commit[..<$0.lowerBound] } ?? commit).contains("\ngpgsig")
    }
    #expect(facts.signedShare == (Double(signed) / 40 * 10_000).rounded() / 10_000, "seed \(seed)")
    #expect(facts.notes.isEmpty)
  }

  /// The weeks end with the current one, whatever the last commit, and are the same from what an earlier run
  /// kept.
  @Test func weeksEndToday() async throws {
    let seed = propertySeed()
    var random = SeededGenerator(seed: seed)
    let repository = try await make(&random)
    func weeks(_ time: Double, known: HeadFacts? = nil) throws -> [InspectionReport.Activity.Week]? {
      try facts(repository, [.activity], known: known, now: Date(timeIntervalSince1970: time)).activity?.weeks
    }
    // 2020-12-28 was a Monday. Some of the commits have later dates.
    let monday = 1_609_113_600.0
    let day = 86_400.0
    #expect(try weeks(monday)?.last?.start == "2020-12-28" && weeks(monday)?.first?.start == "2020-01-06")
    #expect(try weeks(monday + 7 * day - 1) == weeks(monday))
    #expect(try weeks(monday + 7 * day)?.last?.start == "2021-01-04")
    let kept = try inspection(repository, now: Date(timeIntervalSince1970: monday)).facts
    for later in stride(from: 0.0, through: 150, by: 13) {
      let time = monday + later * 7 * day
      #expect(try weeks(time, known: kept) == weeks(time), "seed \(seed), week \(later)")
    }
    // A clock that was set back: what was kept does not reach back far enough.
    #expect(try weeks(monday - 30 * 7 * day, known: kept) == weeks(monday - 30 * 7 * day), "seed \(seed)")
    let old = try weeks(4_000_000_000)
    #expect(old?.count == 52 && old?.allSatisfy { $0.commits == 0 } == true)
  }

  @Test func busFactor() {
    #expect(Inspection.busFactor([], of: 0) == 0)
    #expect(Inspection.busFactor([1], of: 1) == 1)
    #expect(Inspection.busFactor([5, 3, 2], of: 10) == 1)
    #expect(Inspection.busFactor([4, 3, 3], of: 10) == 2)
    #expect(Inspection.busFactor([1, 1, 1], of: 3) == 2)
    // Commits without an author belong to nobody.
    #expect(Inspection.busFactor([1, 1], of: 10) == 2)
  }

  /// Each section alone is the same as among all, and nothing else is present.
  @Test func onlyWhatIsAskedFor() async throws {
    let seed = propertySeed()
    var random = SeededGenerator(seed: seed)
    let repository = try await make(&random)
    try await repository.git("tag v1.0 HEAD~3")
    try await repository.git("branch other HEAD~5")
    try await repository.git("branch --quiet --set-upstream-to=other main")
    let all = try facts(repository)
    #expect(all.upstream == .init(name: "other", ahead: 5, behind: 0))
    #expect(all.tags?.nearest == .init(name: "v1.0", distance: 3))
    #expect(try sections(facts(repository, [.head, .size])) == [])
    for section in InspectionSection.ofCommits + [.tags, .upstream] {
      let one = try facts(repository, [section])
      #expect(sections(one) == [section])
      #expect(one.commits == nil || one.commits == all.commits)
      #expect(one.authors == nil || one.authors == all.authors)
      #expect(one.authorCount == nil || one.authorCount == all.authors?.count)
      #expect(one.busFactor == nil || one.busFactor == all.busFactor)
      #expect(one.activity == nil || one.activity == all.activity)
      #expect(one.signedShare == nil || one.signedShare == all.signedShare)
      #expect(one.tags == nil || one.tags == all.tags)
      #expect(one.upstream == nil || one.upstream == all.upstream)
    }
    let version = try inspection(repository, [.version]).report
    #expect(version.tags?.highest == "v1.0" && version.tags?.nearest == nil)
  }

  /// What is ahead and behind does not depend on what else is asked, also where clocks were off for long.
  @Test func sameUpstreamWhateverIsAsked() async throws {
    let repository = try await TemporaryRepository.make()
    // A commit that looks new is the root of a long way of common commits that look old.
    var stream = "commit refs/heads/main\nmark :1\ncommitter C <c@x> 1600000000 +0000\ndata 0\n"
    for mark in 2...4500 {
      stream += "commit refs/heads/main\nmark :\(mark)\ncommitter C <c@x> \(1_000_000 + mark) +0000\ndata 0\n"
      stream += "from :\(mark - 1)\n"
    }
    stream += "commit refs/heads/other\nmark :5000\ncommitter C <c@x> 1600000200 +0000\ndata 0\nfrom :4500\n"
    stream += "commit refs/heads/main\nmark :5001\ncommitter C <c@x> 1600000300 +0000\ndata 0\n"
    stream += "from :4500\nmerge :1\n\n"
    try await repository.fastImport(stream)
    try await repository.git("branch --quiet --set-upstream-to=other main")
    let one = try facts(repository, [.upstream])
    #expect(one.upstream?.name == "other" && one.upstream?.ahead != nil)
    #expect(try facts(repository).upstream == one.upstream)
    #expect(try facts(repository, [.upstream, .commits]).upstream == one.upstream)
  }

  /// A commit that only the upstream has and that is missing is told, whatever else is asked.
  @Test func damagedUpstream() async throws {
    let repository = try await TemporaryRepository.make()
    let base = try await repository.commit("base")
    try await repository.git("checkout --quiet -b other")
    let lost = try await repository.commit("lost")
    try await repository.commit("theirs")
    try await repository.git("checkout --quiet main")
    try await repository.commit("ours")
    try await repository.git("branch --quiet --set-upstream-to=other main")
    #expect(base != lost)
    let object = "\(repository.path)/.git/objects/\(lost.prefix(2))/\(lost.dropFirst(2))"
    try FileManager.default.removeItem(atPath: object)
    for sections in [[InspectionSection.upstream], [.upstream, .commits]] {
      let found = try facts(repository, Set(sections))
      #expect(found.upstream == .init(name: "other", ahead: nil, behind: nil))
      #expect(found.notes.map(\.section) == ["upstream"])
    }
  }

  private func sections(_ facts: InspectionReport) -> Set<InspectionSection> {
    var sections: Set<InspectionSection> = []
    if facts.commits != nil { sections.insert(.commits) }
    if facts.authors != nil { sections.insert(.authors) }
    if facts.authorCount != nil { sections.insert(.authorCount) }
    if facts.busFactor != nil { sections.insert(.busFactor) }
    if facts.activity != nil { sections.insert(.activity) }
    if facts.signedShare != nil { sections.insert(.signedShare) }
    if facts.tags != nil { sections.insert(.tags) }
    if facts.upstream != nil { sections.insert(.upstream) }
    return facts.notes.isEmpty ? sections : []
  }

  /// What was kept is taken as it is; commits are then only looked at for the tags and the upstream.
  @Test func fromMemory() async throws {
    let seed = propertySeed()
    var random = SeededGenerator(seed: seed)
    let repository = try await make(&random)
    try await repository.git("tag -a -m x v1.0 HEAD~3")
    try await repository.git("tag v0.9 HEAD~4")
    try await repository.git("branch other HEAD~5")
    try await repository.git("branch --quiet --set-upstream-to=other main")
    let first = try facts(repository)
    let found = try inspection(repository).facts
    #expect(found.sections == Set(InspectionSection.ofCommits))
    let kept = try JSONDecoder().decode(HeadFacts.self, from: JSONEncoder().encode(found))
    #expect(kept == found)
    // The first commit is missing now, and not missed.
    let root = try await repository.git("rev-list --max-parents=0 HEAD")
    let object = "\(repository.path)/.git/objects/\(root.prefix(2))/\(root.dropFirst(2))"
    try FileManager.default.removeItem(atPath: object)
    #expect(try inspection(repository, known: kept).facts == kept)
    let second = try facts(repository, known: kept)
    #expect(second.activity == first.activity && second.notes.isEmpty)
    #expect(second.commits == first.commits && second.authors == first.authors)
    #expect(second.tags == first.tags && second.upstream == first.upstream)
    // A part is completed.
    let part = try facts(repository, [.tags])
    #expect(part.tags == first.tags && part.commits == nil && part.notes.isEmpty)
    let whole = try facts(repository)
    // What is there counts, and nothing of it is kept.
    #expect(whole.commits?.count == first.commits.map { $0.count - 1 } && whole.commits?.first == nil)
    #expect(whole.commits?.last == first.commits?.last && whole.authors != nil)
    #expect(try inspection(repository).facts.sections.isEmpty)
    #expect(whole.notes.first?.section == "commits" && whole.notes.allSatisfy(\.isDamage))
    #expect(whole.tags?.count == 2)
    #expect(try facts(repository, [.authors]).notes.map(\.section) == ["authors"])
  }

  @Test func unborn() async throws {
    let repository = try await TemporaryRepository.make()
    let facts = try facts(repository)
    #expect(facts.commits == .init(count: 0, merges: 0, first: nil, last: nil))
    #expect(facts.authors == [] && facts.authorCount == 0 && facts.busFactor == 0)
    #expect(
      facts.activity == nil && facts.signedShare == nil && facts.notes.isEmpty && facts.tags?.count == 0)
  }
}
