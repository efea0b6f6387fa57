import Foundation
import Testing

@testable import ForageCLI

struct HumaneTests {
  @Test(
    arguments: [
      (0, "0"), (950, "950"), (999, "999"), (1000, "1.0k"), (8149, "8.1k"), (9999, "9.9k"), (12_345, "12k"),
      (999_999, "999k"), (1_200_000, "1.2M"), (999_999_999, "999M"), (2_500_000_000, "2.5G"),
      (-1500, "-1.5k"),
    ] as [(Int, String)])
  func count(_ number: Int, _ text: String) { #expect(HumanFormat.count(number) == text) }

  @Test(
    arguments: [
      (0, "0"), (12, "12"), (950, "950"), (3412, "3,412"), (25_000, "25,000"), (100_000, "100,000"),
      (1_234_567, "1,234,567"), (-3412, "-3,412"),
    ] as [(Int, String)])
  func grouped(_ number: Int, _ text: String) { #expect(HumanFormat.grouped(number) == text) }

  @Test(
    arguments: [
      (0, "0 B"), (999, "999 B"), (1000, "1.0 kB"), (48_000_000, "48 MB"), (307_000_000, "307 MB"),
      (1_500_000_000, "1.5 GB"),
    ] as [(Int, String)])
  func bytes(_ number: Int, _ text: String) { #expect(HumanFormat.bytes(number) == text) }

  @Test(
    arguments: [
      (-50, "now"), (0, "now"), (59, "now"), (60, "1m ago"), (3599, "59m ago"), (3600, "1h ago"),
      (86_399, "23h ago"), (86_400, "1d ago"), (30 * 86_400, "30d ago"), (31 * 86_400, "1mo ago"),
      (365 * 86_400, "11mo ago"), (366 * 86_400, "1y ago"), (20 * 31_557_600, "20y ago"),
    ] as [(Int, String)])
  func age(_ seconds: Int, _ text: String) {
    #expect(HumanFormat.age(Capture.now.addingTimeInterval(Double(-seconds)), now: Capture.now) == text)
  }

  @Test(
    arguments: [
      (-5, "0 s"), (0, "0 s"), (0.2, "1 s"), (12, "12 s"), (59.5, "1 min"), (60, "1 min"),
      (125, "2 min 5 s"), (3600, "1 h"), (3780, "1 h 3 min"), (86_400, "24 h"), (1e30, "277777 h 46 min"),
    ] as [(Double, String)])
  func wait(_ seconds: Double, _ text: String) {
    #expect(HumanFormat.wait(.seconds(min(seconds, 1e15))) == text)
  }

  @Test func moments() {
    let end = Capture.now.addingTimeInterval(3725)
    #expect(HumanFormat.moment(end, now: Capture.now) == "01:02:05 UTC (in 1 h 2 min)")
  }

  @Test func strangeDates() {
    #expect(HumanFormat.age(.distantPast, now: Capture.now).hasSuffix("y ago"))
    #expect(HumanFormat.age(.distantFuture, now: Capture.now) == "now")
  }

  @Test(
    arguments: [
      (0, "1970-01-01T00:00:00Z"), (1_767_225_600, "2026-01-01T00:00:00Z"),
      (951_782_400, "2000-02-29T00:00:00Z"),
      (-1, "1969-12-31T23:59:59Z"),
    ] as [(Double, String)])
  func timestamp(_ seconds: Double, _ text: String) {
    #expect(HumanFormat.timestamp(Date(timeIntervalSince1970: seconds)) == text)
  }

  @Test func fractionsOfSecondsAreCut() {
    #expect(HumanFormat.timestamp(Date(timeIntervalSince1970: 0.75)) == "1970-01-01T00:00:00Z")
  }

  @Test(
    arguments: [
      (0, "0 ms"), (214, "214 ms"), (999, "999 ms"), (1000, "1.0 s"), (3299, "3.2 s"), (61_050, "61.0 s"),
    ] as [(Int, String)])
  func duration(_ milliseconds: Int, _ text: String) {
    #expect(HumanFormat.duration(.milliseconds(milliseconds)) == text)
  }

  @Test func plural() {
    #expect([0, 1, 2].map { HumanFormat.plural($0, "clone") } == ["0 clones", "1 clone", "2 clones"])
  }

  @Test(arguments: [
    (0.0, "0.0000"), (0.016393, "0.0164"), (1.0, "1.0000"), (2.5, "2.5000"), (0.00004, "0.0000"),
  ])
  func fraction(_ value: Double, _ text: String) { #expect(SearchRendering.fraction(value) == text) }
}
