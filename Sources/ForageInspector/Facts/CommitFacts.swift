import ForageFoundation
import ForageGit

/// Facts that depend only on the commits reachable from `HEAD` and on the mailmap, and so can be cached.
package struct CommitFacts: Sendable, Hashable, Codable {
  /// Each fact is nil when it was not requested.
  package var commits: InspectionReport.Commits?
  package var authors: [InspectionReport.Author]?
  package var busFactor: Int?
  package var activity: ActivityFacts?
  package var signedShare: Double?

  /// The sections in the order of the report.
  static let order: [InspectionSection] = [
    .commits, .authors, .authorCount, .busFactor, .activity, .signedShare,
  ]
  static let sections = Set(order)

  package init() {}

  package func covers(_ sections: Set<InspectionSection>) -> Bool { missing(sections).isEmpty }

  func missing(_ sections: Set<InspectionSection>) -> Set<InspectionSection> {
    var missing = sections.intersection(Self.sections)
    if commits != nil { missing.remove(.commits) }
    if authors != nil { missing.subtract([.authors, .authorCount]) }
    if busFactor != nil { missing.remove(.busFactor) }
    if activity != nil { missing.remove(.activity) }
    if signedShare != nil { missing.remove(.signedShare) }
    return missing
  }
}

extension CommitFacts {
  /// The number of newest commits that ``signedShare`` covers.
  private static let signedSample = 100

  /// Creates the facts of a branch without commits.
  init(unbornFor sections: Set<InspectionSection>) {
    if sections.contains(.commits) { commits = .init(count: 0, merges: 0, first: nil, last: nil) }
    if !sections.isDisjoint(with: [.authors, .authorCount]) { authors = [] }
    if sections.contains(.busFactor) { busFactor = 0 }
  }

  /// Computes the facts that `sections` need and that are not there yet.
  ///
  /// - Parameter graph: all commits reachable from `tip`; with a tally if ``needsTally(_:)``.
  mutating func add(
    _ sections: Set<InspectionSection>, _ graph: inout CommitGraph, _ tip: ObjectID,
    _ repository: GitRepository
  ) throws(GitError) {
    let missing = missing(sections)
    let needsNames = Self.needsAuthors(missing) || missing.contains(.commits)
    let mailmap = needsNames ? repository.mailmap() : Mailmap()
    if missing.contains(.commits) {
      let first: InspectionReport.Commit? =
        if let id = try graph.first() {
          Self.commit(try repository.commit(id), mailmap, hasSubject: false)
        } else { nil }
      let last = Self.commit(try repository.commit(tip), mailmap, hasSubject: true)
      commits = .init(count: graph.commitCount, merges: graph.mergeCount, first: first, last: last)
    }
    if Self.needsAuthors(missing) {
      let statistics = graph.tally?.authors(mailmap) ?? []
      busFactor = Self.busFactor(statistics.lazy.map(\.commits), of: graph.commitCount)
      authors = statistics.map { author in
        InspectionReport.Author(
          name: String(decoding: author.name, as: UTF8.self),
          email: String(decoding: author.email, as: UTF8.self),
          commits: author.commits, share: share(author.commits, of: graph.commitCount),
          firstAt: Self.date(author.firstAt), lastAt: Self.date(author.lastAt))
      }
    }
    if missing.contains(.activity), let tally = graph.tally { activity = ActivityFacts(tally) }
    if missing.contains(.signedShare) { _ = try addSigned(&graph, repository) }
  }

  /// Computes the share of signed commits; returns whether all commits that it needs could be read.
  ///
  /// - Parameter graph: a walked graph, or one that loads commits when they are needed.
  mutating func addSigned(
    _ graph: inout CommitGraph, _ repository: GitRepository
  ) throws(GitError) -> Bool {
    let newest = try graph.newest(Self.signedSample)
    var signed = 0
    for id in newest.ids where try repository.isSigned(id) { signed += 1 }
    signedShare = share(signed, of: newest.ids.count)
    return newest.isWhole
  }

  /// Whether sections need the author lines of all commits.
  static func needsTally(_ sections: Set<InspectionSection>) -> Bool {
    needsAuthors(sections) || sections.contains(.activity)
  }

  private static func needsAuthors(_ sections: Set<InspectionSection>) -> Bool {
    !sections.isDisjoint(with: [.authors, .authorCount, .busFactor])
  }

  /// Returns the size of the smallest set of authors who together made at least half of the commits.
  ///
  /// - Parameters:
  ///   - counts: commits of each author, highest first.
  ///   - total: the number of commits; a damaged commit may have no author.
  static func busFactor(_ counts: some Collection<Int>, of total: Int) -> Int {
    var sum = 0
    var authors = 0
    for count in counts where sum < total - sum {
      sum += count
      authors += 1
    }
    return authors
  }

  private static func commit(
    _ commit: Commit, _ mailmap: Mailmap, hasSubject: Bool
  ) -> InspectionReport.Commit {
    let name = mailmap.resolve(name: commit.authorName, email: commit.authorEmail).name
    return .init(
      commit: commit.id.hex, author: String(decoding: name, as: UTF8.self),
      authoredAt: date(commit.authoredAt),
      subject: hasSubject && !commit.subject.isEmpty ? commit.subject : nil)
  }

  private static func date(_ seconds: Int64) -> Date { Date(timeIntervalSince1970: Double(seconds)) }
}

/// The distribution of commits over time in the form of the cache, which does not depend on the current week.
package struct ActivityFacts: Sendable, Hashable, Codable {
  /// The Monday of the last of ``weeks``, in days since 1970.
  private var lastMonday: Int64
  private var weeks: [Int]
  /// Commits dated after ``weeks``, by the Monday of their week in days since 1970.
  private var laterWeeks: [Int64: Int]
  private var weekdays: [Int]
  private var hours: [Int]

  init(_ tally: CommitTally) {
    lastMonday = tally.lastMonday
    weeks = tally.weeks
    laterWeeks = tally.laterWeeks
    weekdays = tally.weekdays
    hours = tally.hours
  }

  /// Whether the weeks up to that of a Monday are known; false before the week of the tally.
  func covers(_ monday: Int64) -> Bool { monday >= lastMonday }

  /// Returns the activity with the weeks up to that of a Monday, in days since 1970.
  func activity(until monday: Int64) -> InspectionReport.Activity {
    let first = lastMonday - Int64(7 * (weeks.count - 1))
    let starts = weeks.indices.map { monday - Int64(7 * (weeks.count - 1 - $0)) }
    return InspectionReport.Activity(
      weeks: starts.map { start in
        .init(
          start: CommitTally.date(ofDay: start),
          commits: start > lastMonday ? laterWeeks[start] ?? 0 : weeks[Int((start - first) / 7)])
      },
      weekdays: weekdays, hours: hours)
  }
}
