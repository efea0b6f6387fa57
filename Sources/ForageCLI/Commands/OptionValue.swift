import Forage
import ForageCore

/// Reads the texts of options; the error for an invalid one names valid values.
enum OptionValue {
  /// A whole number within bounds.
  ///
  /// - Parameter unit: What is counted, where the option does not say it.
  /// - Throws: `ForageError` for anything else.
  static func number(_ text: String, _ range: ClosedRange<Int>, of option: String, unit: String? = nil) throws
    -> Int
  {
    guard let number = Int(text), range.contains(number) else {
      throw ForageError(
        "\(option) takes a number \(unit.map { "of \($0) " } ?? "")from \(range.lowerBound) to \(range.upperBound), not \(text)",
        hint: "for example: \(option) \(min(100, range.upperBound))")
    }
    return number
  }

  /// One of a few words.
  ///
  /// - Throws: `ForageError` for anything else.
  static func choice<Choice: RawRepresentable<String> & CaseIterable>(
    _ type: Choice.Type, _ text: String, of option: String
  ) throws -> Choice {
    if let choice = Choice(rawValue: text) { return choice }
    let names = Choice.allCases.map(\.rawValue)
    let nearest = other(text, among: names) ?? Suggestion.of(text, among: names)
    throw ForageError(
      "\(option) takes \(Self.alternatives(names)), not \"\(text)\"",
      hint: nearest.map { "did you mean \($0)?" } ?? "for example: \(option) \(names[0])")
  }

  /// The kinds of `--kind`, each once; `nil` where the option is not given.
  ///
  /// - Parameters:
  ///   - texts: As given, each possibly several kinds with commas.
  ///   - known: What there is.
  ///   - what: What is wanted of the kinds: `results`, or `a feed`.
  /// - Throws: `ForageError` for a kind that there is not.
  static func kinds(_ texts: [String], among known: [String], what: String) throws -> [ResultKind]? {
    if texts.isEmpty { return nil }
    var kinds: [ResultKind] = []
    for name in texts.flatMap({ $0.split(separator: ",").map { $0.trimmingWhitespace().lowercased() } }) {
      try KnownNames.checkKind(name, among: known, what: what)
      if !kinds.contains(ResultKind(rawValue: name)) { kinds.append(ResultKind(rawValue: name)) }
    }
    guard !kinds.isEmpty else { throw ForageError("--kind names nothing", hint: KnownNames.kindsHint(known)) }
    return kinds
  }

  /// Values of other programs, with ours for the same.
  private static let others = [
    "md": "markdown", "jsonl": "ndjson", "text": "table", "plain": "tsv", "yes": "always", "on": "always",
    "true": "always", "no": "never", "off": "never", "false": "never", "up": "asc", "down": "desc",
  ]

  private static func other(_ text: String, among names: [String]) -> String? {
    others[text.lowercased()].flatMap { names.contains($0) ? $0 : nil }
  }

  /// `a, b or c`.
  private static func alternatives(_ names: [String]) -> String {
    names.dropLast().joined(separator: ", ") + " or " + (names.last ?? "")
  }
}
