import Foundation

extension FakeGitHub {
  /// A service with something of every kind, invented: a seed always gives the same.
  ///
  /// Every text holds the word `for`, so that one word finds all. Some optional members are missing, as on
  /// the real service.
  ///
  /// - Parameters:
  ///   - count: how many of each kind.
  ///   - configure: changes the options afterwards.
  public static func world(
    count: Int, seed: UInt64 = 1, _ configure: (inout Options) -> Void = { _ in }
  ) -> FakeGitHub {
    let repositories = FakeRepository.sample(count: max(1, count), seed: seed)
    return FakeGitHub(repositories: repositories) { options in
      var random = SeededGenerator(seed: seed &+ 1)
      for index in 0..<max(0, count) {
        let repository = random.pick(repositories).fullName
        options.files.append(FakeFile.sampleOne(index, repository, &random))
        options.issues.append(FakeIssue.sampleOne(index, repository, &random))
        options.commits.append(FakeCommit.sampleOne(index, repository, &random))
        options.users.append(FakeAccount.sampleOne(index, &random))
        options.topics.append(FakeTopic.sampleOne(index, &random))
      }
      configure(&options)
    }
  }
}

private enum Invented {
  static let people = ["ada", "bao", "chidi", "dunya", "eero", "farah", "robot[bot]"]
  static let things = ["cache", "queue", "parser", "socket", "window", "ledger", "kernel"]
  static let verbs = ["Repair", "Explain", "Rewrite", "Measure", "Drop", "Guard"]

  /// An instant from 2012 to the end of 2023, in whole seconds.
  static func date(_ random: inout SeededGenerator) -> Date {
    Date(timeIntervalSince1970: Double(Int.random(in: 1_330_000_000...1_703_000_000, using: &random)))
  }

  /// Some days later.
  static func later(_ date: Date, _ random: inout SeededGenerator) -> Date {
    date.addingTimeInterval(Double(Int.random(in: 0...20_000_000, using: &random)))
  }
}

extension FakeFile {
  fileprivate static func sampleOne(_ index: Int, _ repository: String, _ random: inout SeededGenerator)
    -> FakeFile
  {
    let kinds = [("swift", "Swift"), ("py", "Python"), ("rs", "Rust"), ("md", "Markdown")]
    let (ending, language) = random.pick(kinds)
    let folder = random.pick(["Sources", "src/übung", "docs", "tests/deep er"])
    let thing = random.pick(Invented.things)
    let emoji = random.chance(0.2) ? "🧑‍🚀 naïve " : ""
    return FakeFile(
      repository: repository, path: "\(folder)/\(thing)-\(index).\(ending)",
      content: "// A \(thing)\n\(emoji)wait for \(thing) for \(index)\nend\n", language: language)
  }
}

extension FakeIssue {
  fileprivate static func sampleOne(_ index: Int, _ repository: String, _ random: inout SeededGenerator)
    -> FakeIssue
  {
    let subject = "\(random.pick(Invented.verbs)) the \(random.pick(Invented.things)) for \(index)"
    var made = FakeIssue(repository: repository, number: index + 1, title: subject)
    made.body = random.chance(0.2) ? nil : "It is slow for me 😭"
    made.author = random.chance(0.1) ? nil : random.pick(Invented.people)
    made.labels =
      random.chance(0.4) ? [] : Array(["bug", "help wanted", "docs"].shuffled(using: &random).prefix(2))
    made.assignees = random.chance(0.7) ? [] : [random.pick(Invented.people)]
    made.milestone = random.chance(0.8) ? nil : "1.0"
    made.comments = Int.random(in: 0...40, using: &random)
    made.reactions = Int.random(in: 0...9, using: &random)
    made.isLocked = random.chance(0.1)
    made.isPullRequest = random.chance(0.5)
    made.createdAt = Invented.date(&random)
    made.updatedAt = Invented.later(made.createdAt, &random)
    made.isOpen = random.chance(0.5)
    if made.isOpen {
      made.isDraft = made.isPullRequest && random.chance(0.3)
    } else {
      made.closedAt = made.updatedAt
      if made.isPullRequest {
        made.mergedAt = random.chance(0.6) ? made.updatedAt : nil
      } else {
        made.stateReason = random.chance(0.5) ? "completed" : "not_planned"
      }
    }
    return made
  }
}

extension FakeCommit {
  fileprivate static func sampleOne(_ index: Int, _ repository: String, _ random: inout SeededGenerator)
    -> FakeCommit
  {
    let login = random.chance(0.2) ? nil : random.pick(Invented.people)
    let date = Invented.date(&random)
    var made = FakeCommit(
      repository: repository, sha: digest(of: "commit \(index)"),
      message: "\(random.pick(Invented.verbs)) for \(index)\n\nMuch more was to say.\n",
      author: Person(login: login, name: (login ?? "Nobody").uppercased(), date: date))
    made.committer.date = Invented.later(date, &random)
    made.parents = (0..<random.pick([0, 1, 1, 1, 2])).map { digest(of: "parent \(index) \($0)") }
    return made
  }
}

extension FakeAccount {
  fileprivate static func sampleOne(_ index: Int, _ random: inout SeededGenerator) -> FakeAccount {
    var made = FakeAccount(
      login: "\(random.pick(Array(Invented.people.dropLast())))-for-\(index)", id: 5000 + index)
    made.isOrganization = random.chance(0.3)
    made.name = random.chance(0.5) ? "Ms. \(index)" : nil
    made.location = random.chance(0.5) ? random.pick(["Oslo", "Accra"]) : nil
    made.language = random.pick(["Swift", "Go"])
    made.followers = Int.random(in: 0...5000, using: &random)
    made.repositories = Int.random(in: 0...90, using: &random)
    made.createdAt = Invented.date(&random)
    return made
  }
}

extension FakeTopic {
  fileprivate static func sampleOne(_ index: Int, _ random: inout SeededGenerator) -> FakeTopic {
    var made = FakeTopic(name: "\(random.pick(Invented.things))-for-\(index)")
    made.isCurated = random.chance(0.5)
    made.isFeatured = made.isCurated && random.chance(0.5)
    if made.isCurated {
      made.displayName = made.name.uppercased()
      made.shortDescription = "What \(made.name) is."
      made.description = "What \(made.name) is, and what it is for."
    }
    made.repositories = Int.random(in: 0...90_000, using: &random)
    made.createdAt = Invented.date(&random)
    made.updatedAt = Invented.later(made.createdAt, &random)
    return made
  }
}
