package import ForageFoundation
import ForagePlatform

/// Formats instants for machine-readable output.
package enum Timestamp {
  /// Formats an instant in RFC 3339 in UTC with whole seconds, for example `2024-01-15T10:00:00Z`.
  ///
  /// The library's formatter is avoided, because it loads calendars and the time zone, which costs start-up
  /// time. Formula: Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms", `civil_from_days`.
  package static func text(_ date: Date) -> String {
    let seconds = Int(nearest: min(max(date.timeIntervalSince1970.rounded(.down), earliest), latest))
    let secondOfDay = (seconds % 86_400 + 86_400) % 86_400
    let shifted = (seconds - secondOfDay) / 86_400 + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let month = (5 * dayOfYear + 2) / 153
    let day = dayOfYear - (153 * month + 2) / 5 + 1
    let year = yearOfEra + era * 400 + (month >= 10 ? 1 : 0)
    return String(unsafeUninitializedCapacity: length) { bytes in
      func write(_ number: Int, at place: Int) {
        bytes[place] = zero + UInt8(number / 10)
        bytes[place + 1] = zero + UInt8(number % 10)
      }
      write(year / 100, at: 0)
      write(year % 100, at: 2)
      bytes[4] = UInt8(ascii: "-")
      write(month < 10 ? month + 3 : month - 9, at: 5)
      bytes[7] = UInt8(ascii: "-")
      write(day, at: 8)
      bytes[10] = UInt8(ascii: "T")
      write(secondOfDay / 3600, at: 11)
      bytes[13] = UInt8(ascii: ":")
      write(secondOfDay / 60 % 60, at: 14)
      bytes[16] = UInt8(ascii: ":")
      write(secondOfDay % 60, at: 17)
      bytes[19] = UInt8(ascii: "Z")
      return length
    }
  }

  /// The length of `0000-01-01T00:00:00Z` in bytes.
  private static let length = 20
  private static let zero = UInt8(ascii: "0")

  /// Formats a future instant in UTC: `10:00:00 UTC`, or `2024-01-16 10:00:00 UTC` if the time of day alone
  /// would leave the day open.
  package static func moment(_ date: Date, now: Date) -> String {
    let whole = text(date)
    // The ten characters of the date, the T, and the eight of the time.
    let time = String(whole.dropFirst(11).prefix(8)) + " UTC"
    return date.timeIntervalSince(now) < halfDay ? time : whole.prefix(10) + " " + time
  }

  private static let halfDay = 43_200.0

  /// 0000-01-01T00:00:00Z: RFC 3339 years have four digits.
  private static let earliest = -62_167_219_200.0
  /// 9999-12-31T23:59:59Z.
  private static let latest = 253_402_300_799.0
}
