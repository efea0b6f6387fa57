import Foundation

extension FakeRepository {
  /// Invents repositories: a seed always gives the same ones, and a longer list begins with a shorter.
  ///
  /// Full names and ids are unique. Some have no description, language, licence or push; some are archived,
  /// forks, of organisations, or described in other scripts.
  public static func sample(count: Int, seed: UInt64 = 1) -> [FakeRepository] {
    var random = SeededGenerator(seed: seed)
    return (0..<max(0, count)).map { sampleOne($0, &random) }
  }

  private static func sampleOne(_ index: Int, _ random: inout SeededGenerator) -> FakeRepository {
    let (first, second) = (random.pick(adjectives), random.pick(nouns))
    var made = FakeRepository(
      id: 10_000_000 + index * 37, fullName: "\(random.pick(owners))/\(first)-\(second)-\(index)")
    made.ownerIsOrganization = made.owner.hasSuffix("labs")
    let about = random.pick(purposes)
    made.description = random.chance(0.08) ? nil : "A \(first) \(second) for \(about)"
    if random.chance(0.04) { made.description = random.pick(foreign) }
    made.language = random.chance(0.07) ? nil : random.pick(languages)
    made.topics = Set((0..<Int.random(in: 0...4, using: &random)).map { _ in random.pick(topicNames) })
      .sorted()
    // Most have few stars and few have very many, as in the real world.
    made.stars = Int(pow(10, Double.random(in: 0...4.9, using: &random))) - 1
    made.forks = made.stars / Int.random(in: 3...20, using: &random)
    made.openIssues = Int.random(in: 0...(made.stars / 20 + 5), using: &random)
    made.subscribers = made.stars / 30
    made.license = random.chance(0.15) ? nil : random.pick(licenses)
    made.archived = random.chance(0.08)
    made.fork = random.chance(0.05)
    made.size = Int.random(in: 1...500_000, using: &random)
    // From 2010 to the end of 2023; updates and pushes come after the beginning and before 2025.
    let (oldest, newest, end) = (1_262_304_000.0, 1_703_980_800.0, 1_735_689_600.0)
    let created = Double.random(in: oldest..<newest, using: &random).rounded(.down)
    let pushed = Double.random(in: created..<end, using: &random).rounded(.down)
    made.createdAt = Date(timeIntervalSince1970: created)
    made.pushedAt = random.chance(0.02) ? nil : Date(timeIntervalSince1970: pushed)
    made.updatedAt = Date(
      timeIntervalSince1970: Double.random(in: pushed...end, using: &random).rounded(.down))
    made.defaultBranch = random.pick(["main", "main", "master", "develop", "trunk"])
    made.homepage = random.chance(0.3) ? "https://\(second).example/\(index)" : random.pick([nil, ""])
    return made
  }

  /// A repository whose text tries to drive a terminal, forge rows and reverse the reading direction.
  public static func hostile(id: Int = 666) -> FakeRepository {
    FakeRepository(
      id: id, fullName: "mallory/payload",
      description:
        "\u{1B}[2J\u{1B}]0;owned\u{7}red \u{1B}[31mtext\tcolumn\nforged/row\t999\r"
        + "\u{202E}gnp.exe\u{2066}\u{0}\u{9B}1m",
      language: "C", topics: ["escape"], stars: 3)
  }

  private static let owners = [
    "alder", "birch-labs", "cedar", "dogwood", "elm-labs", "fir", "ginkgo", "hazel", "ironwood",
    "juniper-labs",
    "kauri", "larch",
  ]
  private static let adjectives = [
    "fast", "tiny", "modern", "async", "typed", "portable", "secure", "visual", "embedded", "distributed",
  ]
  private static let nouns = [
    "parser", "client", "server", "database", "editor", "compiler", "router", "queue", "renderer",
    "scheduler",
    "logger", "cache",
  ]
  private static let purposes = [
    "HTTP services", "command lines", "embedded devices", "data pipelines", "web pages", "games",
    "package managers", "machine learning", "file systems", "cloud platforms",
  ]
  private static let foreign = [
    "高速な検索ライブラリ", "Быстрый поиск по коду", "مكتبة بحث سريعة", "🚀 Schnelle Suche für alle 👩‍👩‍👧", "코드 검색 도구",
  ]
  private static let languages = [
    "Swift", "Rust", "Go", "Python", "TypeScript", "C", "C++", "C#", "Java", "Objective-C",
    "Jupyter Notebook",
  ]
  private static let topicNames = [
    "http", "cli", "parser", "database", "graphics", "networking", "machine-learning", "json", "testing",
    "wasm",
  ]
  private static let licenses = [
    "MIT", "MIT", "Apache-2.0", "GPL-3.0", "BSD-3-Clause", "MPL-2.0", "ISC", "NOASSERTION",
  ]
}
