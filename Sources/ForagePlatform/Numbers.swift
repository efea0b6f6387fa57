/// The limits of a kind of number.
package protocol NumberLimits: Sendable {
  static var limits: ClosedRange<Int> { get }
}

/// A whole number from outside: from an answer of a server, a message of a plugin, a file or a command line.
///
/// It is always within its limits: a number above them becomes the largest one, and a number below them is
/// none. Its arithmetic stays within the limits, too, so that no number from outside can end the program.
package struct LimitedNumber<Kind: NumberLimits>: Hashable, Sendable {
  /// The number, within the limits.
  package let value: Int

  /// The largest number.
  package static var max: Self { Self(nearest: Kind.limits.upperBound) }

  /// Creates the number that is nearest to another one.
  package init(nearest number: some BinaryInteger) {
    let (low, high) = (Kind.limits.lowerBound, Kind.limits.upperBound)
    value = number < low ? low : number > high ? high : Int(number)
  }

  /// Creates the number of a whole one, or the largest number; `nil` for a number below the limits.
  package init?(_ number: some BinaryInteger) {
    guard number >= Kind.limits.lowerBound else { return nil }
    self.init(nearest: number)
  }

  /// Creates the number of a text of digits, or the largest number; `nil` for any other text, and for a
  /// number below the limits.
  package init?(_ text: some StringProtocol) {
    let text = String(text)
    guard !text.isEmpty, text.utf8.allSatisfy({ (48...57).contains($0) }) else { return nil }
    self.init(Int(text) ?? .max)
  }
}

extension LimitedNumber: Comparable, CustomStringConvertible, ExpressibleByIntegerLiteral {
  package init(integerLiteral number: Int) { self.init(nearest: number) }

  package var description: String { String(value) }

  package static func < (left: Self, right: Self) -> Bool { left.value < right.value }
}

extension LimitedNumber {
  package static func + (left: Self, right: Int) -> Self {
    let (sum, isOutside) = left.value.addingReportingOverflow(right)
    return Self(nearest: isOutside ? right < 0 ? .min : .max : sum)
  }

  package static func - (left: Self, right: Int) -> Self {
    let (difference, isOutside) = left.value.subtractingReportingOverflow(right)
    return Self(nearest: isOutside ? right < 0 ? .max : .min : difference)
  }

  package static func * (left: Self, right: Int) -> Self {
    let (product, isOutside) = left.value.multipliedReportingOverflow(by: right)
    return Self(nearest: isOutside ? right < 0 ? .min : .max : product)
  }

  package static func + (left: Self, right: Self) -> Self { left + right.value }

  package static func - (left: Self, right: Self) -> Self { left - right.value }
}

/// The limits of ``Count``.
package enum CountLimits: NumberLimits {
  package static var limits: ClosedRange<Int> { 0...Int.max }
}

/// The limits of ``LineNumber``.
package enum LineLimits: NumberLimits {
  package static var limits: ClosedRange<Int> { 1...Int(Int32.max) }
}

/// The limits of ``Offset``.
package enum OffsetLimits: NumberLimits {
  package static var limits: ClosedRange<Int> { 0...Int(Int32.max) }
}

/// How many there are: results, files, bytes, requests.
package typealias Count = LimitedNumber<CountLimits>
/// A line of a file, or a column of a line, from 1. No editor opens one above 2^31 - 1.
package typealias LineNumber = LimitedNumber<LineLimits>
/// How many elements are before a place in a list or a text. Nothing that is read has more than 2^31 - 1, so
/// that sums and products of two values are within 64 bits.
package typealias Offset = LimitedNumber<OffsetLimits>

extension FixedWidthInteger {
  /// Creates the whole number that is nearest to another one towards 0, or the largest or smallest one; 0 for
  /// what is no number.
  package init(nearest number: Double) {
    self = Self(exactly: number.rounded(.towardZero)) ?? (number < 0 ? .min : number > 0 ? .max : 0)
  }
}

extension Duration {
  /// In whole milliseconds, rounded up: who waits so long does not wake too early.
  package var millisecondsRoundedUp: Int { Int(nearest: (self / .milliseconds(1)).rounded(.up)) }
}
