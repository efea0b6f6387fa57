import ForagePlatform

/// Totals of the author lines of many commits.
package struct CommitTally: Sendable {
  /// The totals of one `Name <email>` text as recorded.
  struct Record: Sendable {
    var commits = 0
    var firstAt = Int64.max
    var lastAt = Int64.min
  }

  /// The distinct `Name <email>` texts, those of other encodings than UTF-8 below the encoding's name.
  private var identities = PathTable()
  /// By the number of the identity; without commits for an encoding.
  private(set) var records: [Record] = []
  /// The commits over time.
  package private(set) var times: CommitTimes

  init(lastMonday: Int64) {
    times = CommitTimes(lastMonday: lastMonday)
  }

  /// Adds a commit; one without an author is ignored.
  mutating func add(_ bytes: CheckedBytes, _ scan: CommitScan) {
    guard !scan.author.isEmpty else { return }
    var folder = PathTable.root
    if !scan.encoding.isEmpty {
      folder = identities.insert(bytes[scan.encoding], below: folder)
    }
    let number = Int(identities.insert(bytes[scan.author], below: folder))
    let time = scan.authoredAt
    while records.count <= number { records.append(Record()) }
    records[number].commits += 1
    records[number].firstAt = min(records[number].firstAt, time)
    records[number].lastAt = max(records[number].lastAt, time)
    times.add(time, zone: scan.authorZone)
  }

  func text(of identity: Int) -> [UInt8] {
    let (text, folder) = identities.component(identity)
    return folder < 0
      ? Array(text)
      : TextDecoding.utf8(Array(text), encoding: Array(identities.component(Int(folder)).name))
  }
}

/// The distribution of commits over time.
package struct CommitTimes: Sendable, Hashable, Codable {
  /// The number of weeks that are counted individually.
  package static let weekCount = 52
  private static let daySeconds: Int64 = 86_400

  /// The Monday of the last week, in days since 1970.
  package let lastMonday: Int64
  /// Commits in each of the last weeks up to that of ``lastMonday``, oldest first, by author date in UTC.
  package private(set) var weeks = [Int](repeating: 0, count: weekCount)
  /// Commits dated after these weeks, by the Monday of their week in days since 1970.
  package private(set) var laterWeeks: [Int64: Int] = [:]
  /// Commits by day of the week in the author's time zone, Monday first.
  package private(set) var weekdays = [Int](repeating: 0, count: 7)
  /// Commits by hour in the author's time zone.
  package private(set) var hours = [Int](repeating: 0, count: 24)

  init(lastMonday: Int64) { self.lastMonday = lastMonday }

  /// Adds a commit.
  ///
  /// - Parameters:
  ///   - time: the author date, in seconds since 1970.
  ///   - zone: the author's time zone, in minutes east of UTC.
  @inline(__always) mutating func add(_ time: Int64, zone: Int64) {
    // Times are within the years 1 to 9999 and zones within 32 bits of minutes, so no sum overflows.
    let local = time + zone * 60
    let day = Self.floorDivide(local, Self.daySeconds)
    weekdays[Int(Self.weekday(day))] += 1
    hours[Int((local - day * Self.daySeconds) / 3600)] += 1
    let utcDay = Self.floorDivide(time, Self.daySeconds)
    let weeksAgo = Self.floorDivide(lastMonday + 6 - utcDay, 7)
    if weeksAgo < 0 {
      laterWeeks[lastMonday - 7 * weeksAgo, default: 0] += 1
    } else if weeksAgo < Int64(Self.weekCount) {
      weeks[Self.weekCount - 1 - Int(weeksAgo)] += 1
    }
  }

  /// Returns the Monday, in days since 1970, of the week of a time in seconds since 1970.
  package static func monday(of time: Int64) -> Int64 {
    let day = floorDivide(time, daySeconds)
    return day - weekday(day)
  }

  /// Returns the day of the week of a day since 1970-01-01 (a Thursday); Monday is 0.
  @inline(__always) static func weekday(_ day: Int64) -> Int64 { (day + 3) - floorDivide(day + 3, 7) * 7 }

  @inline(__always) static func floorDivide(_ value: Int64, _ divisor: Int64) -> Int64 {
    let quotient = value / divisor
    return value % divisor < 0 ? quotient - 1 : quotient
  }

  /// Returns the date of a day since 1970-01-01 in the proleptic Gregorian calendar, such as `2026-01-05`.
  package static func date(ofDay day: Int64) -> String {
    var (time, date) = (time_t(day * daySeconds), tm())
    gmtime_r(&time, &date)
    return [(date.tm_year + 1900, 4), (date.tm_mon + 1, 2), (date.tm_mday, 2)].map { number, width in
      let digits = String(number)
      return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }.joined(separator: "-")
  }
}

package struct AuthorStatistics: Sendable, Hashable {
  /// The name after the mailmap is applied, in UTF-8.
  package let name: [UInt8]
  /// The e-mail after the mailmap is applied.
  package let email: [UInt8]
  package var commits: Int
  /// The earliest author date, in seconds since 1970.
  package var firstAt: Int64
  /// The latest author date, in seconds since 1970.
  package var lastAt: Int64

  /// Whether the author is a program, as its name or address says.
  package var isBot: Bool {
    let name = String(decoding: name, as: UTF8.self).lowercased()
    let email = String(decoding: email, as: UTF8.self).lowercased()
    let local = email.prefix { $0 != "@" }
    // GitHub writes a number and a plus sign in front of a login.
    let rest = local.drop { $0.isASCII && $0.isNumber }
    let login = rest.first == "+" && rest.startIndex > local.startIndex ? rest.dropFirst() : local
    return name.hasSuffix("[bot]") || name.hasSuffix("(bot)") || Self.isBotLogin(name)
      || Self.botNames.contains(name) || email.contains("[bot]@") || login == "bot"
      || Self.isBotLogin(login) || email.hasSuffix("@weblate.org")
      // No surname is that long, but for those that end so.
      || name == login && name.hasSuffix("bot") && name.count > 8
        && !["talbot", "abbot", "cabot"].contains(where: name.hasSuffix)
  }

  private static func isBotLogin(_ text: some StringProtocol) -> Bool {
    ["bot", "robot"].contains { text.hasSuffix("-" + $0) || text.hasSuffix(" " + $0) }
  }

  /// Names of programs that end like those of people.
  private static let botNames: Set = [
    "allcontributors", "bors", "codecov", "copilot", "dependabot", "dependabot-preview", "depfu",
    "github action", "github actions", "github-actions", "greenkeeper", "greenkeeperio", "hosted weblate",
    "imgbot", "mergify", "pre-commit-ci", "renovate", "weblate", "web-flow",
  ]
}

extension CommitTally {
  /// Returns the authors as `git shortlog -sne` counts them: most commits first, then by the bytes of
  /// `Name <email>`.
  package func authors(_ mailmap: Mailmap) -> [AuthorStatistics] {
    var byKey: [[UInt8]: Int] = [:]
    var authors: [(key: [UInt8], statistics: AuthorStatistics)] = []
    for (number, record) in records.enumerated() where record.commits > 0 {
      let (name, email) = proper(text(of: number), mailmap)
      let key = name + [UInt8(ascii: " "), UInt8(ascii: "<")] + email
      if let known = byKey[key] {
        authors[known].statistics.commits += record.commits
        authors[known].statistics.firstAt = min(authors[known].statistics.firstAt, record.firstAt)
        authors[known].statistics.lastAt = max(authors[known].statistics.lastAt, record.lastAt)
      } else {
        byKey[key] = authors.count
        let statistics = AuthorStatistics(
          name: name, email: email, commits: record.commits, firstAt: record.firstAt, lastAt: record.lastAt)
        // The `>` matters for the order if one text is a prefix of another.
        authors.append((key + [UInt8(ascii: ">")], statistics))
      }
    }
    authors.sort { left, right in
      if left.statistics.commits != right.statistics.commits {
        return left.statistics.commits > right.statistics.commits
      }
      return left.key.lexicographicallyPrecedes(right.key)
    }
    return authors.map(\.statistics)
  }

  /// Returns the people among the authors: names with the same e-mail address are one, under the name with
  /// the most commits. The order is that of ``authors(_:)``.
  package func people(_ mailmap: Mailmap) -> [AuthorStatistics] {
    var byEmail: [[UInt8]: Int] = [:]
    var people: [AuthorStatistics] = []
    for author in authors(mailmap) {
      let email = author.email.map(lowercased)
      guard Self.isOfOnePerson(email) else {
        people.append(author)
        continue
      }
      if let known = byEmail[email] {
        people[known].commits += author.commits
        people[known].firstAt = min(people[known].firstAt, author.firstAt)
        people[known].lastAt = max(people[known].lastAt, author.lastAt)
      } else {
        byEmail[email] = people.count
        people.append(author)
      }
    }
    return people.enumerated().sorted { a, b in
      (b.element.commits, a.offset) < (a.element.commits, b.offset)
    }.map(\.element)
  }

  /// Whether an address, in lowercase, is not one that many people write in place of theirs.
  private static func isOfOnePerson(_ email: [UInt8]) -> Bool {
    guard let at = email.firstIndex(of: UInt8(ascii: "@")), at > 0, at < email.count - 1 else { return false }
    let text = String(decoding: email, as: UTF8.self)
    let shared = ["noreply@", "no-reply@", "none@", "nobody@", "unknown@", "you@example.", "root@localhost"]
    return !shared.contains(where: text.hasPrefix)
  }

  private func proper(_ text: [UInt8], _ mailmap: Mailmap) -> (name: [UInt8], email: [UInt8]) {
    let pair: ([UInt8], [UInt8]) = text.withUnsafeBytes { raw in
      guard let ident = Ident(CheckedBytes(raw)) else { return ([UInt8](raw), []) }
      return ([UInt8](raw[ident.name]), [UInt8](raw[ident.email]))
    }
    return mailmap.resolve(name: pair.0, email: pair.1)
  }
}
