import ForagePlatform
import Testing

/// Numbers from outside stay within their limits, whatever is computed with them.
struct LimitedNumberTests {
  private static let numbers = [Int.min, .min + 1, -1, 0, 1, 2, 1 << 31, .max - 1, .max]

  private func check<Kind>(_ type: LimitedNumber<Kind>.Type) {
    let limits = Kind.limits
    for number in Self.numbers {
      let made = LimitedNumber<Kind>(number)
      #expect((made == nil) == (number < limits.lowerBound), "\(number)")
      let left = LimitedNumber<Kind>(nearest: number)
      #expect(left.value == min(max(number, limits.lowerBound), limits.upperBound))
      for right in Self.numbers {
        // In 128 bits no sum and no product of two numbers of 64 bits is too large.
        let (x, y) = (Int128(left.value), Int128(right))
        for (found, exact) in [(left + right, x + y), (left - right, x - y), (left * right, x * y)] {
          #expect(found == LimitedNumber<Kind>(nearest: exact), "\(left) \(right)")
        }
      }
    }
  }

  @Test func arithmeticStaysWithinTheLimits() {
    check(Count.self)
    check(LineNumber.self)
    check(Offset.self)
  }

  @Test(
    arguments: [
      ("0", 0), ("7", 7), ("007", 7), ("18446744073709551616", .max), ("", nil), ("-1", nil), ("+1", nil),
      ("1.5", nil), ("1e3", nil), ("x", nil), (" 1", nil), ("٣", nil),
    ] as [(String, Int?)])
  func texts(_ text: String, _ value: Int?) {
    #expect(Count(text)?.value == value)
    let line = value.flatMap { $0 < 1 ? nil : min($0, Int(Int32.max)) }
    #expect(LineNumber(text)?.value == line)
  }

  @Test(
    arguments: [
      (0, 0), (1.9, 1), (-1.9, -1), (1e19, .max), (-1e19, .min), (.infinity, .max), (-.infinity, .min),
      (.nan, 0), (.leastNonzeroMagnitude, 0), (0x1p63, .max), (-0x1p63, .min),
    ] as [(Double, Int)])
  func fractions(_ number: Double, _ nearest: Int) {
    #expect(Int(nearest: number) == nearest)
  }
}
