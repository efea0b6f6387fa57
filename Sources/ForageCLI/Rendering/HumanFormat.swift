import ForageCore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Numbers and times the way people read them, and the way programs do.
enum HumanFormat {
  /// A count in at most five characters: 950, 8.1k, 12k, 1.2M.
  static func count(_ number: Int) -> String {
    let steps: [(size: UInt, unit: String)] = [(1_000_000_000, "G"), (1_000_000, "M"), (1000, "k")]
    let sign = number < 0 ? "-" : ""
    for (size, unit) in steps where number.magnitude >= size {
      // Cut, not rounded, so that 999,999 is not 1000k.
      let tenths = number.magnitude % size * 10 / size
      let whole = number.magnitude / size
      return sign + (whole < 10 ? "\(whole).\(tenths)\(unit)" : "\(whole)\(unit)")
    }
    return String(number)
  }

  /// An exact count with its thousands set apart: 950, 3,412.
  static func grouped(_ number: Int) -> String {
    let digits = Array(String(number.magnitude))
    let groups = stride(from: digits.count % 3 - 3, to: digits.count, by: 3).map { start in
      String(digits[max(0, start)..<start + 3])
    }
    return (number < 0 ? "-" : "") + groups.filter { !$0.isEmpty }.joined(separator: ",")
  }

  /// A size in bytes: 512 B, 1.4 MB (powers of 1000, as file managers and GitHub show).
  static func bytes(_ number: Int) -> String {
    guard number >= 1000 else { return "\(number) B" }
    let text = count(number)
    return "\(text.dropLast()) \(text.suffix(1))B"
  }

  /// How long ago something was: now, 5m ago, 3h ago, 2d ago, 5mo ago, 3y ago; the future counts as now.
  static func age(_ date: Date, now: Date) -> String {
    let seconds = Int(max(0, min(now.timeIntervalSince(date), 1e12)))
    let steps: [(length: Int, unit: String)] = [
      (31_557_600, "y"), (2_629_800, "mo"), (86_400, "d"), (3600, "h"), (60, "m"),
    ]
    for (length, unit) in steps where seconds >= length { return "\(seconds / length)\(unit) ago" }
    return "now"
  }

  /// RFC 3339 in UTC with whole seconds.
  static func timestamp(_ date: Date) -> String { Timestamp.text(date) }

  /// A duration in the unit that suits it: 214 ms, 3.2 s.
  static func duration(_ duration: Duration) -> String {
    let milliseconds = duration.milliseconds
    return milliseconds < 1000
      ? "\(milliseconds) ms" : "\(milliseconds / 1000).\(milliseconds % 1000 / 100) s"
  }

  /// A time to wait, in whole seconds rounded up: 12 s, 2 min 5 s, 1 h 3 min.
  static func wait(_ duration: Duration) -> String {
    // Hours of more digits than these are no time that anybody waits.
    let seconds = Int(min(max(0, duration / .seconds(1) - 0.001), 1e9).rounded(.up))
    let (hours, minutes) = (seconds / 3600, seconds / 60 % 60)
    if hours > 0 { return "\(hours) h" + (minutes > 0 ? " \(minutes) min" : "") }
    if minutes > 0 { return "\(minutes) min" + (seconds % 60 > 0 ? " \(seconds % 60) s" : "") }
    return "\(seconds) s"
  }

  /// A moment to come, within a day: 10:00:00 UTC (in 2 min 5 s).
  static func moment(_ date: Date, now: Date) -> String {
    "\(Timestamp.timeOfDay(date)) (in \(wait(.seconds(date.timeIntervalSince(now)))))"
  }

  /// `1 clone`, `2 clones`.
  static func plural(_ number: Int, _ word: String) -> String { plural(number, word, word + "s") }

  /// `1 repository`, `2 repositories`.
  static func plural(_ number: Int, _ word: String, _ words: String) -> String {
    "\(number) \(number == 1 ? word : words)"
  }
}

extension Duration {
  /// Whole milliseconds.
  var milliseconds: Int {
    Int(components.seconds) * 1000 + Int(components.attoseconds / 1_000_000_000_000_000)
  }
}
