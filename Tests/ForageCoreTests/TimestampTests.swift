import ForageCore
import Foundation
import TestSupport
import Testing

struct TimestampTests {
  @Test(
    arguments: [
      (0, "1970-01-01T00:00:00Z"), (-1, "1969-12-31T23:59:59Z"), (951_827_696, "2000-02-29T12:34:56Z"),
      (4_107_542_399, "2100-02-28T23:59:59Z"), (4_107_542_400, "2100-03-01T00:00:00Z"),
      (-62_167_219_200, "0000-01-01T00:00:00Z"), (253_402_300_799, "9999-12-31T23:59:59Z"),
      (1.999, "1970-01-01T00:00:01Z"), (-0.001, "1969-12-31T23:59:59Z"),
      (1e300, "9999-12-31T23:59:59Z"), (-1e300, "0000-01-01T00:00:00Z"), (.nan, "1970-01-01T00:00:00Z"),
    ] as [(Double, String)])
  func knownInstants(_ seconds: Double, _ expected: String) {
    #expect(Timestamp.text(Date(timeIntervalSince1970: seconds)) == expected)
  }

  /// The time of day alone would leave the day open where it is far away.
  @Test(
    arguments: [
      (30, "00:00:30 UTC"), (43_199, "11:59:59 UTC"), (43_200, "1970-01-01 12:00:00 UTC"),
      (86_400, "1970-01-02 00:00:00 UTC"),
    ] as [(Double, String)])
  func moments(_ seconds: Double, _ expected: String) {
    let now = Date(timeIntervalSince1970: 0)
    #expect(Timestamp.moment(now + seconds, now: now) == expected)
  }

  /// 1582-10-15, the first day of the Gregorian calendar.
  private let reform = -12_219_292_800

  @Test func agreesWithTheLibraryAndWithTheParser() {
    var random = SeededGenerator(seed: propertySeed())
    for _ in 0..<1000 {
      let seconds = Int.random(in: -62_135_596_800...253_402_300_799, using: &random)
      let date = Date(timeIntervalSince1970: Double(seconds))
      let text = Timestamp.text(date)
      #expect(DatePoint(text)?.start == date)
      // Before the reform the library's calendar is the Julian one, which ISO 8601 does not have.
      if seconds >= reform { #expect(text == date.formatted(.iso8601)) }
    }
  }
}
