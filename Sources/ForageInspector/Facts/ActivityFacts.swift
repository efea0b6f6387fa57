import ForageGit

/// The distribution of commits over time in the form of the cache, which does not depend on the current week.
package struct ActivityFacts: Sendable, Hashable, Codable {
  /// The Monday of the last of ``weeks``, in days since 1970.
  private var lastMonday: Int64
  private var weeks: [Int]
  /// Commits dated after ``weeks``, by the Monday of their week in days since 1970.
  private var laterWeeks: [Int64: Int]
  private var weekdays: [Int]
  private var hours: [Int]

  /// Creates the cached form of a tally.
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
