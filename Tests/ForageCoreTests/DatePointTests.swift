import ForageCore
import Foundation
import TestSupport
import Testing

@Suite struct DatePointTests {
  @Test(
    arguments: [
      ("2024-01-15", 1_705_276_800, 86_400), ("1970-01-01", 0, 86_400), ("1969-12-31", -86_400, 86_400),
      ("2024-02-29", 1_709_164_800, 86_400), ("2000-02-29", 951_782_400, 86_400),
      ("2024-01-15T10:00", 1_705_312_800, 60), ("2024-01-15T10:00Z", 1_705_312_800, 60),
      ("2024-01-15T10:00:00", 1_705_312_800, 1), ("2024-01-15T10:00:00Z", 1_705_312_800, 1),
      ("2024-01-15T10:00:00+02:00", 1_705_305_600, 1), ("2024-01-15T10:00:00+0200", 1_705_305_600, 1),
      ("2024-01-15T10:00-05:30", 1_705_332_600, 60), ("2024-01-15T10:00:00+00:00", 1_705_312_800, 1),
      ("2024-01-15T23:59:59Z", 1_705_363_199, 1),
    ] as [(String, Double, Double)])
  func spans(text: String, start: Double, length: Double) throws {
    let point = try #require(DatePoint(text))
    #expect(point.text == text)
    #expect(point.start.timeIntervalSince1970 == start)
    #expect(point.end.timeIntervalSince1970 == start + length)
  }

  @Test(arguments: [
    "", "2024", "2024-01", "2024-1-15", "24-01-15", "2024/01/15", "2024-00-10", "2024-13-01", "2024-01-00",
    "2024-01-32", "2024-04-31", "2023-02-29", "1900-02-29", "2024-02-30", "2024-01-15T", "2024-01-15T10",
    "2024-01-15T24:00", "2024-01-15T10:60", "2024-01-15T10:00:60", "2024-01-15T1:00", "2024-01-15 10:00",
    "2024-01-15T10:00:00.5Z", "2024-01-15Z", "2024-01-15T10:00ZZ", "2024-01-15T10:00+2:00",
    "2024-01-15T10:00+02", "2024-01-15T10:00+24:00", "2024-01-15T10:00+02:60", "2024-01-15T10:00*02:00",
    " 2024-01-15", "2024-01-15 ", "２０２４-01-15", "-024-01-15", "+024-01-15", "today",
  ])
  func noDate(text: String) { #expect(DatePoint(text) == nil) }

  @Test func everyDayFollowsTheOneBefore() {
    let beginning = 946_684_800.0
    var expected = beginning
    for year in 2000...2101 {
      for month in 1...12 {
        for day in 1...31 {
          let two = { (number: Int) in number < 10 ? "0\(number)" : "\(number)" }
          guard let point = DatePoint("\(year)-\(two(month))-\(two(day))") else { continue }
          #expect(point.start.timeIntervalSince1970 == expected)
          expected += 86_400
        }
      }
    }
    // 102 years with 25 leap days: 2100 has none.
    #expect(expected == beginning + Double(102 * 365 + 25) * 86_400)
  }
}

@Suite struct BoundsTests {
  @Test(arguments: [
    ("5", [false, true, false]), (">5", [false, false, true]), (">=5", [false, true, true]),
    ("<5", [true, false, false]), ("<=5", [true, true, false]), ("5..6", [false, true, true]),
    ("4..5", [true, true, false]), ("5..*", [false, true, true]), ("*..5", [true, true, false]),
  ])
  func numbers(notation: String, holds: [Bool]) throws {
    guard case .qualifier(let qualifier) = try parsed("stars:\(notation)"),
      case .number(let bounds) = qualifier.value
    else {
      Issue.record("no number")
      return
    }
    #expect([4, 5, 6].map(bounds.contains) == holds)
  }

  @Test func unboundedHoldsAll() {
    let all = Bounds<Int>(lower: nil, upper: nil)
    #expect([Int.min, 0, .max].allSatisfy(all.contains))
    #expect(!Bounds<Int>.closed(6, 5).contains(5))
  }

  /// The last second before a day, its first, its last, and the first after it.
  private static let around = [1_705_276_799, 1_705_276_800, 1_705_363_199, 1_705_363_200].map {
    Date(timeIntervalSince1970: $0)
  }

  @Test(arguments: [
    ("2024-01-15", [false, true, true, false]), (">2024-01-15", [false, false, false, true]),
    (">=2024-01-15", [false, true, true, true]), ("<2024-01-15", [true, false, false, false]),
    ("<=2024-01-15", [true, true, true, false]), ("2024-01-15..2024-01-15", [false, true, true, false]),
    ("2024-01-15..2024-01-16", [false, true, true, true]),
    ("2024-01-14..2024-01-15", [true, true, true, false]),
    ("2024-01-15..*", [false, true, true, true]), ("*..2024-01-15", [true, true, true, false]),
    (">2024-01-15T00:00:00Z", [false, false, true, true]),
    (">=2024-01-15T00:00:00Z", [false, true, true, true]),
    ("<=2024-01-15T00:00:00Z", [true, true, false, false]),
    ("2024-01-15T00:00", [false, true, false, false]),
    (">=2024-01-15T01:00:00+01:00", [false, true, true, true]),
    ("<2024-01-15T23:59:59Z", [true, true, false, false]),
    ("2024-01-15T12:00..2024-01-15", [false, false, true, false]),
  ])
  func days(notation: String, holds: [Bool]) throws {
    guard case .qualifier(let qualifier) = try parsed("created:\(notation)"),
      case .date(let bounds) = qualifier.value
    else {
      Issue.record("no date")
      return
    }
    #expect(Self.around.map { bounds.contains($0) } == holds)
  }

  @Test func fractionsOfASecondBelongToTheirDay() throws {
    let day = Bounds<DatePoint>.exactly(try #require(DatePoint("2024-01-15")))
    #expect(day.contains(Date(timeIntervalSince1970: 1_705_363_199.75)))
    #expect(!day.contains(Date(timeIntervalSince1970: 1_705_276_799.75)))
  }

  /// Exactly one of `<`, the day itself and `>` holds, and `<=` and `>=` are their opposites.
  @Test func comparisonsPartitionTime() throws {
    var random = SeededGenerator(seed: propertySeed())
    let day = try #require(DatePoint("2024-01-15"))
    for _ in 0..<1_000 {
      let offset = Double.random(in: -200_000...200_000, using: &random)
      let instant = Date(timeIntervalSince1970: 1_705_320_000 + offset)
      let before = Bounds.upTo(day, isInclusive: false).contains(instant)
      let on = Bounds.exactly(day).contains(instant)
      let after = Bounds.from(day, isInclusive: false).contains(instant)
      #expect([before, on, after].filter { $0 }.count == 1)
      #expect(Bounds.upTo(day).contains(instant) == !after)
      #expect(Bounds.from(day).contains(instant) == !before)
    }
  }
}
