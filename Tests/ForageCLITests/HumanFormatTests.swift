import ForageCore
import Foundation
import Testing

@testable import ForageCLI

struct HumaneTests {
  @Test(
    arguments: [
      (0, "0"), (950, "950"), (999, "999"), (1000, "1k"), (1049, "1k"), (1050, "1.1k"), (8149, "8.1k"),
      (8150, "8.2k"), (9949, "9.9k"), (9950, "10k"), (9999, "10k"), (12_345, "12k"), (12_500, "13k"),
      (999_499, "999k"), (999_500, "1M"), (999_950, "1M"), (1_200_000, "1.2M"), (999_999_999, "1G"),
      (2_500_000_000, "2.5G"), (7_000_000_000_000, "7T"), (-1500, "-1.5k"), (-999_999, "-1M"),
    ] as [(Int, String)])
  func count(_ number: Int, _ text: String) { #expect(HumanFormat.count(number) == text) }

  @Test(
    arguments: [
      (0, "0 s"), (59, "59 s"), (60, "1 min"), (663, "11 min"), (3599, "59 min"), (3600, "1 h"),
      (86_399, "23 h"), (200_000, "2 d"),
    ] as [(Int, String)])
  func span(_ seconds: Int, _ text: String) {
    #expect(HumanFormat.span(.milliseconds(seconds * 1000 + 900)) == text)
  }

  @Test(
    arguments: [
      (0, "0"), (12, "12"), (950, "950"), (3412, "3,412"), (25_000, "25,000"), (100_000, "100,000"),
      (1_234_567, "1,234,567"), (-3412, "-3,412"),
    ] as [(Int, String)])
  func grouped(_ number: Int, _ text: String) { #expect(HumanFormat.grouped(number) == text) }

  @Test(
    arguments: [
      (0, "0 B"), (999, "999 B"), (1000, "1 kB"), (999_999, "1 MB"), (48_000_000, "48 MB"),
      (307_000_000, "307 MB"),
      (1_500_000_000, "1.5 GB"),
    ] as [(Int, String)])
  func bytes(_ number: Int, _ text: String) { #expect(HumanFormat.bytes(number) == text) }

  @Test(
    arguments: [
      (-50, "now"), (-60, "in 1m"), (-7200, "in 2h"), (-86_399, "in 23h"), (-86_400, "2026-01-02"),
      (-3 * 31_557_600, "2028-12-31"), (0, "now"), (59, "now"), (60, "1m ago"), (3599, "59m ago"),
      (3600, "1h ago"),
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
    let day = Capture.now.addingTimeInterval(86_400)
    #expect(HumanFormat.moment(day, now: Capture.now) == "2026-01-02 00:00:00 UTC (in 24 h)")
  }

  /// A time that was never set, or comes from a wrong clock, is written as it is.
  @Test func strangeDates() {
    func age(_ seconds: Double) -> String {
      HumanFormat.age(Date(timeIntervalSince1970: seconds), now: Capture.now)
    }
    #expect(age(0) == "1970-01-01" && age(-1) == "1969-12-31" && age(31_535_999) == "1970-12-31")
    #expect(age(31_536_000) == "55y ago")
    #expect(age(-62_135_596_800) == "0001-01-01")
    #expect(HumanFormat.age(.distantFuture, now: Capture.now) == "4001-01-01")
    #expect(age(1e300) == "9999-12-31" && age(-1e300) == "0000-01-01")
  }

  @Test(
    arguments: [
      (0.314, "31.4 %"), (1, "100.0 %"), (0.0005, "0.1 %"), (0.0004, "<0.1 %"), (0, "<0.1 %"),
      (-1, "<0.1 %"), (2, "100.0 %"), (.nan, "<0.1 %"),
    ] as [(Double, String)])
  func percent(_ share: Double, _ text: String) { #expect(InspectRendering.percent(share) == text) }

  @Test(
    arguments: [
      (0, "0 ms"), (214, "214 ms"), (999, "999 ms"), (1000, "1.0 s"), (3249, "3.2 s"), (3299, "3.3 s"),
      (61_050, "61.1 s"),
    ] as [(Int, String)])
  func duration(_ milliseconds: Int, _ text: String) {
    #expect(HumanFormat.duration(.milliseconds(milliseconds)) == text)
  }

  @Test func plural() {
    #expect([0, 1, 2].map { HumanFormat.plural($0, "clone") } == ["0 clones", "1 clone", "2 clones"])
    #expect(HumanFormat.plural(1294, "file") == "1,294 files")
    #expect(HumanFormat.plural(81_966, "repository", "repositories") == "81,966 repositories")
  }

  @Test(arguments: [
    (0.0, "0.0000"), (0.016393, "0.0164"), (1.0, "1.0000"), (2.5, "2.5000"), (0.00004, "0.0000"),
  ])
  func fraction(_ value: Double, _ text: String) { #expect(SearchRendering.fraction(value) == text) }

  @Test(
    arguments: [
      (0.5, "0.5"), (12, "12"), (0, "0"), (-0.0, "0"), (0.004, "0.004"), (-2.349, "-2.35"), (1e300, "1e+300"),
    ] as [(Double, String)])
  func decimals(_ number: Double, _ text: String) { #expect(HumanFormat.decimal(number) == text) }
}
