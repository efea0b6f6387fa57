import TestSupport
import Testing

@testable import ForageGit

@Suite struct CommitTallyTests {
  /// Adds commits with author dates as in `author` lines.
  private func tally(_ dates: [String], lastWeek: Int64) throws -> CommitTimes {
    var tally = CommitTally(lastMonday: CommitTimes.monday(of: lastWeek))
    let id = String(repeating: "1", count: 40)
    for date in dates {
      let text = "tree \(id)\nauthor A <a@x> \(date)\ncommitter C <c@x> 1 +0000\n\nm\n"
      try Array(text.utf8).withUnsafeBytes {
        tally.add(CheckedBytes($0), try #require(CommitScan(CheckedBytes($0))))
      }
    }
    return tally.times
  }

  private func onlyIndex(_ counts: [Int]) -> Int? {
    counts.filter { $0 > 0 } == [1] ? counts.firstIndex(of: 1) : nil
  }

  /// 2024-01-01 was a Monday.
  @Test(arguments: [
    ("1704067200 +0000", 0, 0), ("1704067199 +0000", 6, 23), ("1704067199 +0001", 0, 0),
    ("1704067200 -0001", 6, 23), ("1704067200 +0530", 0, 5), ("1704067200 -0800", 6, 16),
    ("1704067200 +9999", 4, 4), ("1704067200", 0, 0), ("1704067200 nonsense", 0, 0),
    ("1704067200 +99999999999", 0, 0), ("0 +0000", 3, 0), ("0 -0100", 2, 23),
  ])
  func ownTime(date: String, weekday: Int, hour: Int) throws {
    let counted = try tally([date], lastWeek: 1_704_067_200)
    #expect(onlyIndex(counted.weekdays) == weekday && onlyIndex(counted.hours) == hour)
  }

  /// Any number as a time and as a zone: each commit is counted.
  @Test func hostileNumbers() throws {
    let dates = ["1704067200 +0100", "1704067200 -0100"].flatMap { HostileNumbers.variants(of: $0) }
    for lastWeek in [1_704_067_200, -62_135_596_800, 253_402_300_799] as [Int64] {
      let counted = try tally(dates, lastWeek: lastWeek)
      #expect(counted.weekdays.reduce(0, +) == dates.count && counted.hours.reduce(0, +) == dates.count)
    }
  }

  @Test func weeks() throws {
    let monday: Int64 = 1_704_067_200
    // Sunday of the last week, its Monday, the second before, the first of the 52, one before that, and one
    // after.
    let times = [
      monday + 7 * 86_400 - 1, monday, monday - 1, monday - 51 * 7 * 86_400, monday - 51 * 7 * 86_400 - 1,
      monday + 7 * 86_400,
    ]
    let counted = try tally(times.map { "\($0) +1200" }, lastWeek: monday + 3 * 86_400)
    #expect(counted.weeks.count == CommitTimes.weekCount && counted.weeks.reduce(0, +) == 4)
    #expect(counted.weeks[51] == 2 && counted.weeks[50] == 1 && counted.weeks[0] == 1)
    #expect(counted.laterWeeks == [counted.lastMonday + 7: 1])
    #expect(CommitTimes.date(ofDay: counted.lastMonday) == "2024-01-01")
  }

  /// The ends of what a date can be made of, moved by the largest zone.
  @Test func farTimes() throws {
    for date in ["253402300799 +2147483646", "-62135596800 -2147483646", "9999999999999999999999 +0000"] {
      let counted = try tally([date], lastWeek: 253_402_300_799)
      #expect(onlyIndex(counted.weekdays) != nil && onlyIndex(counted.hours) != nil)
    }
    #expect(CommitTimes.monday(of: -62_135_596_800) == -719_162)
  }

  @Test func datesOfDays() {
    let known: [(Int64, String)] = [
      (0, "1970-01-01"), (-1, "1969-12-31"), (19_782, "2024-02-29"), (11_016, "2000-02-29"),
      (47_540, "2100-02-28"), (47_541, "2100-03-01"), (-719_162, "0001-01-01"), (2_932_896, "9999-12-31"),
      (-719_468, "0000-03-01"),
    ]
    for (day, date) in known { #expect(CommitTimes.date(ofDay: day) == date) }
  }

  @Test func truncatedCommits() throws {
    let id = String(repeating: "1", count: 40)
    let text =
      "tree \(id)\nparent \(id)\nparent \(id)\nauthor A <a@x> 5 +0100\ncommitter C <c@x> 6 +0000\nencoding koi8-r\n\nm\n"
    let bytes = Array(text.utf8)
    let whole = try bytes.withUnsafeBytes { try #require(CommitScan(CheckedBytes($0))) }
    #expect(whole.parentCount == 2 && !whole.encoding.isEmpty && whole.authorZone == 60)
    for count in 0..<bytes.count {
      // Its positions are within what is there.
      let part = Array(bytes.prefix(count)).withUnsafeBytes { CommitScan(CheckedBytes($0)) }
      #expect((part != nil) == (count > 46))
      #expect((part?.parentCount ?? 0) <= 2)
      #expect(part.map { $0.author.upperBound <= count && $0.encoding.upperBound <= count } ?? true)
    }
  }
}
