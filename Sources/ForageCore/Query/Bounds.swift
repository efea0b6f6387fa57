public import ForageFoundation

/// An interval of ordered values, closed or open at each end, unbounded where an end is absent.
public struct Bounds<Value: Hashable & Sendable>: Hashable, Sendable {
  /// One end of an interval.
  public struct End: Hashable, Sendable {
    /// The value at the end.
    public var value: Value
    /// Whether the value itself belongs to the interval.
    public var isInclusive: Bool

    /// Creates an end.
    public init(_ value: Value, isInclusive: Bool) {
      self.value = value
      self.isInclusive = isInclusive
    }
  }

  /// The lower end, absent when unbounded.
  public var lower: End?
  /// The upper end, absent when unbounded.
  public var upper: End?

  /// Creates an interval.
  public init(lower: End?, upper: End?) {
    self.lower = lower
    self.upper = upper
  }

  /// The interval that contains only `value`.
  public static func exactly(_ value: Value) -> Bounds {
    Bounds(lower: End(value, isInclusive: true), upper: End(value, isInclusive: true))
  }
}

extension Bounds where Value: Comparable {
  /// Whether `value` lies within the interval.
  public func contains(_ value: Value) -> Bool {
    if let lower, lower.isInclusive ? value < lower.value : value <= lower.value { return false }
    if let upper, upper.isInclusive ? value > upper.value : value >= upper.value { return false }
    return true
  }
}

extension Bounds where Value == Int {
  /// Whether a number with decimals lies within the interval.
  func contains(_ number: Double) -> Bool {
    func end(_ end: End?) -> Bounds<Double>.End? {
      end.map { .init(Double($0.value), isInclusive: $0.isInclusive) }
    }
    return Bounds<Double>(lower: end(lower), upper: end(upper)).contains(number)
  }
}

extension Bounds {
  /// The interval in the notation of the query language: `N`, `>N`, `>=N`, `<N`, `<=N` or `A..B`.
  ///
  /// - Parameter text: Formats one value.
  func notation(_ text: (Value) -> String) -> String {
    switch (lower, upper) {
    case (let lower?, let upper?):
      lower.value == upper.value ? text(lower.value) : text(lower.value) + ".." + text(upper.value)
    case (let lower?, nil): (lower.isInclusive ? ">=" : ">") + text(lower.value)
    case (nil, let upper?): (upper.isInclusive ? "<=" : "<") + text(upper.value)
    case (nil, nil): "*..*"
    }
  }
}

/// A date or time in a query, with the time span that it covers.
///
/// `2024-01-15` covers the whole day in UTC; `2024-01-15T10:00:00Z` covers one second.
public struct DatePoint: Hashable, Sendable {
  /// The text as written, for example `2024-01-15` or `2024-01-15T10:00:00+02:00`.
  public let text: String
  /// The first instant of the span.
  public let start: Date
  /// The first instant after the span.
  public let end: Date

  /// Parses `YYYY-MM-DD`, optionally followed by `THH:MM`, `:SS`, and `Z` or `+HH:MM`.
  ///
  /// - Returns: `nil` for any other text and for dates that do not exist.
  public init?(_ text: some StringProtocol) {
    var scanner = DigitScanner(text.utf8)
    guard let year = scanner.number(digits: 4), scanner.skip("-"),
      let month = scanner.number(digits: 2), scanner.skip("-"),
      let day = scanner.number(digits: 2),
      let days = Self.daysSinceEpoch(year: year, month: month, day: day)
    else { return nil }
    var seconds = days * 86_400
    var length = 86_400
    if !scanner.isAtEnd {
      guard scanner.skip("T"), let time = Self.timeOfDay(&scanner) else { return nil }
      seconds += time.seconds
      length = time.length
    }
    self.text = String(text)
    start = Date(timeIntervalSince1970: Double(seconds))
    end = Date(timeIntervalSince1970: Double(seconds + length))
  }

  /// The instant of a text as in `init(_:)`, in which digits of a fraction may follow the seconds. The
  /// fraction is dropped.
  package static func instant(_ text: String) -> Date? {
    guard let dot = text.utf8.firstIndex(of: UInt8(ascii: ".")) else { return DatePoint(text)?.start }
    let rest = text[text.utf8.index(after: dot)...]
    let zone = rest.drop { $0.isASCII && $0.isNumber }
    return zone.startIndex == rest.startIndex ? nil : DatePoint(text[..<dot] + zone)?.start
  }

  /// The time as seconds since midnight UTC, and the length of its span in seconds.
  private static func timeOfDay(_ scanner: inout DigitScanner) -> (seconds: Int, length: Int)? {
    guard let hour = scanner.number(digits: 2), hour < 24, scanner.skip(":"),
      let minute = scanner.number(digits: 2), minute < 60
    else { return nil }
    var seconds = hour * 3600 + minute * 60
    var length = 60
    if scanner.skip(":") {
      guard let second = scanner.number(digits: 2), second < 60 else { return nil }
      seconds += second
      length = 1
    }
    if scanner.skip("Z") || scanner.isAtEnd { return scanner.isAtEnd ? (seconds, length) : nil }
    let sign = scanner.skip("+") ? 1 : scanner.skip("-") ? -1 : 0
    guard sign != 0, let hours = scanner.number(digits: 2), hours < 24 else { return nil }
    _ = scanner.skip(":")
    guard let minutes = scanner.number(digits: 2), minutes < 60, scanner.isAtEnd else { return nil }
    return (seconds - sign * (hours * 3600 + minutes * 60), length)
  }

  /// Days from 1970-01-01 to a date of the proleptic Gregorian calendar, `nil` when the date does not exist.
  ///
  /// Formula: Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms", `days_from_civil`.
  static func daysSinceEpoch(year: Int, month: Int, day: Int) -> Int? {
    guard (1...12).contains(month), day >= 1 else { return nil }
    let isLeap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0
    let lengths = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    guard day <= lengths[month - 1] else { return nil }
    let shifted = month <= 2 ? year - 1 : year
    let era = (shifted >= 0 ? shifted : shifted - 399) / 400
    let yearOfEra = shifted - era * 400
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * 146_097 + dayOfEra - 719_468
  }
}

extension Bounds where Value == DatePoint {
  /// Whether the instant lies within the interval. A day counts as a whole: `>2024-01-15` begins on the 16th.
  public func contains(_ date: Date) -> Bool {
    if let lower, date < (lower.isInclusive ? lower.value.start : lower.value.end) { return false }
    if let upper, date >= (upper.isInclusive ? upper.value.end : upper.value.start) { return false }
    return true
  }
}

/// Reads fixed-width decimal numbers and single characters from ASCII text.
private struct DigitScanner {
  private let bytes: [UInt8]
  private var position = 0

  init(_ bytes: some Sequence<UInt8>) { self.bytes = Array(bytes) }

  var isAtEnd: Bool { position == bytes.count }

  mutating func number(digits: Int) -> Int? {
    guard position + digits <= bytes.count else { return nil }
    var value = 0
    for byte in bytes[position..<position + digits] {
      guard (48...57).contains(byte) else { return nil }
      value = value * 10 + Int(byte - 48)
    }
    position += digits
    return value
  }

  mutating func skip(_ character: Unicode.Scalar) -> Bool {
    guard position < bytes.count, UInt32(bytes[position]) == character.value else { return false }
    position += 1
    return true
  }
}
