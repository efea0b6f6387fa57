import Foundation

extension Verification {
  /// How many of the newest commits are looked at for signatures.
  private static let signed = 100

  /// Commits, authors, when they were made, signatures.
  mutating func history() async throws {
    guard clone.head != nil else {
      comparison.value("commits.count", told.commits?.count, 0)
      comparison.value("authorCount", told.authorCount, 0)
      comparison.value("busFactor", told.busFactor, 0)
      return
    }
    let count = try await git.number("rev-list", "--count", "HEAD")
    comparison.value("commits.count", told.commits?.count, count, canTell: false)
    let merges = try await git.number("rev-list", "--count", "--merges", "HEAD")
    comparison.value("commits.merges", told.commits?.merges, merges, canTell: false)
    try await last()
    try await authors()
    guard let history = try await History(git) else {
      comparison.value("activity", told.activity?.weekdays, nil, canTell: false)
      return
    }
    first(history)
    dates(history)
    activity(history)
    try await signatures()
  }

  private mutating func last() async throws {
    let fields = try await git.bytes([
      "log", "-1", "--use-mailmap", "--format=%H%x00%aN%x00%at%x00%s", "HEAD",
    ])
    let git = fields?.split(separator: 0, maxSplits: 3, omittingEmptySubsequences: false).map(\.text)
    let last = told.commits?.last
    comparison.value("commits.last", last?.commit, git?[0], canTell: false)
    comparison.value("commits.last.author", last?.author, git?[1], canTell: false)
    comparison.value(
      "commits.last.authoredAt", last.map(Self.seconds), git.flatMap { Int($0[2]) }, canTell: false)
    let subject = git.map { $0[3].hasSuffix("\n") ? String($0[3].dropLast()) : $0[3] }
    comparison.value("commits.last.subject", last.map { $0.subject ?? "" }, subject, canTell: false)
  }

  /// Of several roots with the same time any may be told.
  private mutating func first(_ history: History) {
    let roots = history.commits.filter { $0.parents == 0 }
    let earliest = roots.compactMap(\.authoredAt).min()
    let candidates = roots.filter { $0.authoredAt == earliest }
    let first = told.commits?.first
    let match = candidates.first { $0.id == first?.commit } ?? candidates.first
    comparison.value("commits.first", first?.commit, match?.id)
    comparison.value("commits.first.authoredAt", first.map(Self.seconds), match?.authoredAt)
    let author = match.map {
      String($0.author[..<($0.author.range(of: " <", options: .backwards)?.lowerBound ?? $0.author.endIndex)])
    }
    comparison.value("commits.first.author", first?.author, author)
  }

  /// What a person is known by: the e-mail address in lowercase, or the whole `NAME <ADDRESS>` without one.
  private static func person(_ author: String) -> [UInt8] {
    guard let start = author.range(of: " <", options: .backwards) else { return Array(author.utf8) }
    let email = author[start.upperBound...].dropLast().lowercased()
    return Array((email.contains("@") ? email : author).utf8)
  }

  /// The rows of git with one e-mail address as one, under the name with the most commits.
  private static func merged(_ rows: [(name: String, commits: Int)]) -> [(name: String, commits: Int)] {
    var (result, places) = ([(name: String, commits: Int)](), [[UInt8]: Int]())
    for row in rows {
      let person = Self.person(row.name)
      if let place = places[person] {
        result[place].commits += row.commits
      } else {
        places[person] = result.count
        result.append(row)
      }
    }
    return result.enumerated().sorted { ($1.element.commits, $0.offset) < ($0.element.commits, $1.offset) }
      .map(\.element)
  }

  private mutating func authors() async throws {
    let names = try await git.lines("shortlog", "--summary", "--numbered", "--email", "HEAD")?.map { line in
      let parts = line.split(separator: "\t", maxSplits: 1).map(String.init)
      return (
        name: parts.last ?? "", commits: Int(parts.first?.trimmingCharacters(in: .whitespaces) ?? "") ?? 0
      )
    }
    let rows = names.map(Self.merged)
    comparison.list(
      "authors", told.authors?.map { "\($0.commits) \($0.name) <\($0.email)>" },
      rows?.map { "\($0.commits) \($0.name)" })
    comparison.value("authorCount", told.authorCount, rows?.count, canTell: false)
    guard let rows else { return }
    let total = rows.reduce(0) { $0 + $1.commits }
    comparison.list(
      "authors.share", told.authors?.map { "\($0.share) \($0.name)" },
      rows.map {
        "\(share($0.commits, of: total)) \($0.name.prefix(upTo: $0.name.range(of: " <", options: .backwards)?.lowerBound ?? $0.name.endIndex))"
      })
    let authors = told.authors.flatMap(\.self) ?? []
    let bots = Set(authors.filter { $0.bot == true }.map { "\($0.name) <\($0.email)>" })
    let people = rows.filter { !bots.contains($0.name) }
    let ofPeople = people.reduce(0) { $0 + $1.commits }
    var (sum, fewest) = (0, 0)
    for row in people where sum * 2 < ofPeople {
      sum += row.commits
      fewest += 1
    }
    comparison.value("busFactor", told.busFactor, fewest)
  }

  private mutating func dates(_ history: History) {
    // By their addresses, as people are; without one by the bytes of the name: names that look alike are
    // different authors.
    var ends: [[UInt8]: (first: Int, last: Int)] = [:]
    for commit in history.commits {
      guard let time = commit.authoredAt else { continue }
      let person = Self.person(commit.author)
      let known = ends[person] ?? (time, time)
      ends[person] = (min(known.first, time), max(known.last, time))
    }
    comparison.list(
      "authors.firstAt, lastAt",
      told.authors?.map {
        let person = String(decoding: Self.person("\($0.name) <\($0.email)>"), as: UTF8.self)
        return "\(person) \(Int($0.firstAt.timeIntervalSince1970)) \(Int($0.lastAt.timeIntervalSince1970))"
      }.sorted(),
      ends.map { "\(String(decoding: $0.key, as: UTF8.self)) \($0.value.first) \($0.value.last)" }.sorted())
  }

  private mutating func activity(_ history: History) {
    let lastWeek = Self.week(of: Int(Date().timeIntervalSince1970))
    var weeks = [Int](repeating: 0, count: 52)
    var (weekdays, hours) = ([Int](repeating: 0, count: 7), [Int](repeating: 0, count: 24))
    var known: [Substring: Int] = [:]
    for commit in history.commits {
      if let time = commit.authoredAt {
        let age = lastWeek - Self.week(of: time)
        if weeks.indices.contains(age) { weeks[weeks.count - 1 - age] += 1 }
      }
      let words = commit.ownTime.split(separator: " ")
      guard words.count == 3, let hour = Int(words[1].prefix(2)), hours.indices.contains(hour) else {
        continue
      }
      hours[hour] += 1
      let weekday = known[words[0]] ?? Self.weekday(words[0])
      known[words[0]] = weekday
      weekdays[weekday] += 1
    }
    let told = told.activity
    let names = weeks.indices.map { Self.monday(lastWeek - weeks.count + 1 + $0) }
    comparison.list(
      "activity.weeks", told?.weeks.map { "\($0.start) \($0.commits)" },
      zip(names, weeks).map { "\($0) \($1)" })
    comparison.list("activity.weekdays", told?.weekdays.map { "\($0)" }, weekdays.map { "\($0)" })
    comparison.list("activity.hours", told?.hours.map { "\($0)" }, hours.map { "\($0)" })
  }

  private mutating func signatures() async throws {
    guard let newest = try await git.lines("rev-list", "--max-count=\(Self.signed)", "HEAD") else { return }
    var signed = 0
    for commit in newest {
      guard let object = try await git.bytes(["cat-file", "commit", commit]) else { return }
      for line in object.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
        // An empty line ends the header.
        if line.isEmpty { break }
        guard line.starts(with: Array("gpgsig ".utf8)) || line.starts(with: Array("gpgsig-sha256 ".utf8))
        else { continue }
        signed += 1
        break
      }
    }
    comparison.value("signedShare", told.signedShare, share(signed, of: newest.count))
  }

  private static func seconds(_ commit: Told.Commit) -> Int { Int(commit.authoredAt.timeIntervalSince1970) }

  private static let secondsADay = 86_400
  /// 1970-01-01 was a Thursday, the fourth day of its week.
  private static let epochWeekday = 3

  /// Weeks from Monday to Sunday, in UTC; 0 is the one with 1970-01-01.
  private static func week(of seconds: Int) -> Int {
    floored(floored(seconds, secondsADay) + epochWeekday, 7)
  }

  /// The Monday of a week as `2026-01-05`.
  private static func monday(_ week: Int) -> String {
    let date = Date(timeIntervalSince1970: Double((week * 7 - epochWeekday) * secondsADay))
    return String(date.formatted(.iso8601).prefix(10))
  }

  /// The day of the week of `2026-01-05`, 0 for a Monday.
  private static func weekday(_ date: Substring) -> Int {
    let seconds = (try? Date("\(date)T00:00:00Z", strategy: .iso8601))?.timeIntervalSince1970 ?? 0
    let days = floored(Int(seconds), secondsADay) + epochWeekday
    return days - floored(days, 7) * 7
  }

  private static func floored(_ value: Int, _ divisor: Int) -> Int {
    let quotient = value / divisor
    return value % divisor < 0 ? quotient - 1 : quotient
  }
}
