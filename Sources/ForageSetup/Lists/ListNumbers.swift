import ForageCore

/// Numbers of a list on a command line: `3` or `5-7`.
package struct ListNumbers {
  /// More digits than any list has.
  private static let maximumDigits = 9

  /// As written.
  package let text: String
  /// The numbers, from 1.
  package let range: ClosedRange<Int>

  /// Reads numbers.
  ///
  /// - Returns: `nil` for a text that is neither a number nor a range.
  /// - Throws: `ForageError` for 0, and for a range that runs backwards.
  package init?(_ text: String) throws {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard (1...2).contains(parts.count), parts.allSatisfy(Self.isNumber) else { return nil }
    let numbers = parts.compactMap { Int($0) }
    guard let first = numbers.first, let last = numbers.last, first > 0, first <= last else {
      throw ForageError(
        "\(text) is not a number of a list",
        hint: "numbers count from 1; a range begins with the smaller one: 5-7")
    }
    self.text = text
    range = first...last
  }

  private static func isNumber(_ text: Substring) -> Bool {
    (1...maximumDigits).contains(text.utf8.count) && text.utf8.allSatisfy { (48...57).contains($0) }
  }
}
