import Foundation

/// Times as GitHub writes and reads them, in UTC and the proleptic Gregorian calendar.
///
/// Day arithmetic after Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms".
enum UTCTime {
  /// `2011-06-25T05:58:18Z`.
  static func iso(_ date: Date) -> String {
    let parts = split(date)
    return "\(pad(parts.year, 4))-\(pad(parts.month))-\(pad(parts.day))T\(clock(parts.second))Z"
  }

  /// `Sat, 25 Jun 2011 05:58:18 GMT` (RFC 9110, section 5.6.7).
  static func http(_ date: Date) -> String {
    let days = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
    let months = [
      "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
    let parts = split(date)
    let weekday = days[((parts.dayNumber % 7) + 7) % 7]
    let month = months[parts.month - 1]
    return "\(weekday), \(pad(parts.day)) \(month) \(pad(parts.year, 4)) \(clock(parts.second)) GMT"
  }

  /// The half-open span of seconds since 1970 that a search date means: a day, or a second of it.
  ///
  /// - Parameter text: `YYYY-MM-DD`, or with `THH:MM:SS` and `Z` or `+HH:MM`.
  static func span(_ text: Substring) -> Range<Double>? {
    let halves = text.split(separator: "T", maxSplits: 1, omittingEmptySubsequences: false)
    let date = halves[0].split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
    guard date.count == 3, let year = date[0], let month = date[1], let day = date[2],
      (1...12).contains(month), (1...31).contains(day)
    else { return nil }
    let start = Double(dayNumber(year: year, month: month, day: day)) * 86_400
    guard halves.count == 2 else { return start..<(start + 86_400) }
    var time = halves[1]
    var offset = 0
    if time.hasSuffix("Z") {
      time = time.dropLast()
    } else if let sign = time.lastIndex(where: { $0 == "+" || $0 == "-" }) {
      let zone = time[time.index(after: sign)...].filter { $0 != ":" }
      guard zone.count == 4, let number = Int(zone) else { return nil }
      offset = (number / 100 * 3600 + number % 100 * 60) * (time[sign] == "-" ? -1 : 1)
      time = time[..<sign]
    }
    let clock = time.split(separator: ":", omittingEmptySubsequences: false).map { Int($0) }
    guard (2...3).contains(clock.count), let hour = clock[0], let minute = clock[1] else { return nil }
    let second = clock.count == 3 ? clock[2] : 0
    guard let second, (0..<24).contains(hour), (0..<60).contains(minute), (0...60).contains(second) else {
      return nil
    }
    let moment = start + Double(hour * 3600 + minute * 60 + second - offset)
    return moment..<(moment + 1)
  }

  private static func split(_ date: Date) -> (year: Int, month: Int, day: Int, second: Int, dayNumber: Int) {
    let total = Int(date.timeIntervalSince1970.rounded(.down))
    let dayNumber = Int((Double(total) / 86_400).rounded(.down))
    let shifted = dayNumber + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let marchMonth = (5 * dayOfYear + 2) / 153
    let month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
    let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    return (year, month, dayOfYear - (153 * marchMonth + 2) / 5 + 1, total - dayNumber * 86_400, dayNumber)
  }

  private static func dayNumber(year: Int, month: Int, day: Int) -> Int {
    let year = month <= 2 ? year - 1 : year
    let era = (year >= 0 ? year : year - 399) / 400
    let yearOfEra = year - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }

  private static func clock(_ second: Int) -> String {
    "\(pad(second / 3600)):\(pad(second / 60 % 60)):\(pad(second % 60))"
  }

  private static func pad(_ number: Int, _ width: Int = 2) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }
}
