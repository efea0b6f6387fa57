import ForageCore

/// Reads the texts of options; a mistake is told with what would do.
enum OptionValue {
  /// A whole number within bounds.
  ///
  /// - Throws: `CommandError` for anything else.
  static func number(_ text: String, _ range: ClosedRange<Int>, of option: String) throws -> Int {
    guard let number = Int(text), range.contains(number) else {
      throw CommandError(
        "\(option) takes a number from \(range.lowerBound) to \(range.upperBound), not \(text)",
        hint: "for example: \(option) \(min(100, range.upperBound))")
    }
    return number
  }

  /// One of a few words.
  ///
  /// - Throws: `CommandError` for anything else.
  static func choice<Choice: RawRepresentable<String> & CaseIterable>(
    _ type: Choice.Type, _ text: String, of option: String
  ) throws -> Choice {
    if let choice = Choice(rawValue: text) { return choice }
    let names = Choice.allCases.map(\.rawValue)
    let nearest = NearestName.of(text, among: names)
    throw CommandError(
      "\(option) takes \(Self.alternatives(names)), not \"\(text)\"",
      hint: nearest.map { "did you mean \($0)?" } ?? "for example: \(option) \(names[0])")
  }

  /// `a, b or c`.
  private static func alternatives(_ names: [String]) -> String {
    names.dropLast().joined(separator: ", ") + " or " + (names.last ?? "")
  }
}
