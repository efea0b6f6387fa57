package import ForageFoundation
import ForagePlatform

/// Writes numbers and times for people, and for programs.
package enum HumanFormat {
  /// A rounded count in at most four characters: 950, 8.1k, 12k, 1.2M.
  package static func count(_ number: Int) -> String {
    guard number.magnitude >= 1000 else { return String(number) }
    let sign = number < 0 ? "-" : ""
    let steps: [(size: UInt, unit: String)] = [
      (1000, "k"), (1_000_000, "M"), (1_000_000_000, "G"), (1_000_000_000_000, "T"),
    ]
    for (size, unit) in steps {
      let tenths = (number.magnitude + size / 20) / (size / 10)
      if tenths < 100 {
        let decimal = tenths % 10 == 0 ? "" : ".\(tenths % 10)"
        return sign + "\(tenths / 10)\(decimal)\(unit)"
      }
      let whole = (number.magnitude + size / 2) / size
      // What rounds to 1000 belongs to the next unit: 999,950 is 1M.
      if whole < 1000 || unit == steps.last?.unit { return sign + "\(whole)\(unit)" }
    }
    return String(number)
  }

  /// An exact count with its thousands set apart: 950, 3,412.
  package static func grouped(_ number: Int) -> String {
    guard number.magnitude >= 1000 else { return String(number) }
    let digits = Array(String(number.magnitude))
    let groups = stride(from: digits.count % 3 - 3, to: digits.count, by: 3).map { start in
      String(digits[max(0, start)..<start + 3])
    }
    return (number < 0 ? "-" : "") + groups.filter { !$0.isEmpty }.joined(separator: ",")
  }

  /// A number with at most two decimals, unless they would be zeros: 0.5, 12, 0.004, 1e+300.
  package static func decimal(_ number: Double) -> String {
    if number == 0 { return "0" }
    let rounded = (number * 100).rounded() / 100
    let text = (rounded.isFinite && rounded != 0 ? rounded : number).description
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }

  /// Names to choose from: `a, b or c`.
  package static func alternatives(_ names: [String]) -> String {
    (names.count > 1 ? names.dropLast().joined(separator: ", ") + " or " : "") + (names.last ?? "")
  }

  /// A size in bytes: 512 B, 1.4 MB (powers of 1000, as file managers and GitHub show).
  package static func bytes(_ number: Int) -> String {
    guard number >= 1000 else { return "\(number) B" }
    let text = count(number)
    return "\(text.dropLast()) \(text.suffix(1))B"
  }

  /// A time relative to now: now, 5m ago, 3h ago, 2d ago, 5mo ago, 3y ago, in 5m, in 3h.
  ///
  /// A time before 1971, which is hardly ever meant, and one that is more than a day ahead are written as
  /// dates.
  package static func age(_ date: Date, now: Date) -> String {
    let seconds = now.timeIntervalSince(date)
    guard date.timeIntervalSince1970 >= firstMeantTime, seconds > -86_400, seconds < 1e12 else {
      return day(date)
    }
    let steps: [(length: Int, unit: String)] = [
      (31_557_600, "y"), (2_629_800, "mo"), (86_400, "d"), (3600, "h"), (60, "m"),
    ]
    let distance = Int(abs(seconds))
    for (length, unit) in steps where distance >= length {
      return seconds < 0 ? "in \(distance / length)\(unit)" : "\(distance / length)\(unit) ago"
    }
    return "now"
  }

  /// 1971-01-01: times before it come from clocks and fields that were never set.
  private static let firstMeantTime = 31_536_000.0

  /// The day of a time in UTC: 2026-01-05.
  package static func day(_ date: Date) -> String { String(Timestamp.text(date).prefix(10)) }

  /// A duration in the unit that suits it: 214 ms, 3.2 s.
  package static func duration(_ duration: Duration) -> String {
    let milliseconds = duration.milliseconds
    guard milliseconds >= 1000 else { return "\(milliseconds) ms" }
    let tenths = (milliseconds + 50) / 100
    return "\(tenths / 10).\(tenths % 10) s"
  }

  /// A time to wait, in whole seconds rounded up: 12 s, 2 min 5 s, 1 h 3 min.
  package static func wait(_ duration: Duration) -> String { wait(seconds: duration / .seconds(1)) }

  /// The longest time to wait in seconds; what is longer is written as this.
  private static let longestWait = 1e9

  private static func wait(seconds: Double) -> String {
    let seconds = Int(nearest: min(max(0, seconds - 0.001), longestWait).rounded(.up))
    let (hours, minutes) = (seconds / 3600, seconds / 60 % 60)
    if hours > 0 { return "\(hours) h" + (minutes > 0 ? " \(minutes) min" : "") }
    if minutes > 0 { return "\(minutes) min" + (seconds % 60 > 0 ? " \(seconds % 60) s" : "") }
    return "\(seconds) s"
  }

  /// How long something took or lies back, in one unit rounded down: 40 s, 11 min, 3 h, 2 d.
  package static func span(_ duration: Duration) -> String {
    let seconds = max(0, Int(duration.components.seconds))
    let units = [(86_400, "d"), (3600, "h"), (60, "min")]
    for (length, unit) in units where seconds >= length { return "\(seconds / length) \(unit)" }
    return "\(seconds) s"
  }

  /// A future time: 10:00:00 UTC (in 2 min 5 s).
  package static func moment(_ date: Date, now: Date) -> String {
    "\(Timestamp.moment(date, now: now)) (in \(wait(seconds: date.timeIntervalSince(now))))"
  }

  /// `1 clone`, `2,000 clones`.
  package static func plural(_ number: Int, _ word: String) -> String { plural(number, word, word + "s") }

  /// `1 repository`, `2 repositories`.
  package static func plural(_ number: Int, _ word: String, _ words: String) -> String {
    "\(grouped(number)) \(number == 1 ? word : words)"
  }
}

extension Duration {
  /// Whole milliseconds.
  package var milliseconds: Int {
    Int(
      nearest: Double(components.seconds) * 1000
        + Double(components.attoseconds / 1_000_000_000_000_000))
  }
}
