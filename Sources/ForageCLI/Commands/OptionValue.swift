import Forage
import ForageCore

/// Reads the texts of options; the error for an invalid one names valid values.
enum OptionValue {
  /// A whole number within bounds.
  ///
  /// - Parameter unit: What is counted, where the option does not say it.
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
  static func choice<Choice: RawRepresentable<String> & CaseIterable>(
    _ type: Choice.Type, _ text: String, of option: String
  ) throws -> Choice {
    if let choice = Choice(rawValue: text) { return choice }
    let names = Choice.allCases.map(\.rawValue)
    throw ForageError(
      "\(option) takes \(HumanFormat.alternatives(names)), not \"\(text)\"",
      hint: NearestName.hint(for: text, among: names) ?? "for example: \(option) \(names[0])")
  }

  /// Checks that an option is not given together with others.
  ///
  /// - Parameter others: The names of the others, and whether each is given.
  /// - Throws: `ForageError` that names the first one that is.
  static func exclude(_ option: String, _ others: [(name: String, isGiven: Bool)], hint: String) throws {
    guard let other = others.first(where: \.isGiven)?.name else { return }
    throw ForageError("\(option) and \(other) exclude each other", hint: hint)
  }

  private enum Order: String, CaseIterable {
    case asc, desc
  }

  /// The value of `--order`, `nil` without it.
  static func order(_ text: String?) throws -> SortOrder? {
    try text.map { try choice(Order.self, $0, of: "--order") == .asc ? .ascending : .descending }
  }

  /// The kinds of `--kind`, each once; `nil` where the option is not given.
  ///
  /// - Parameters:
  ///   - texts: As given, each possibly several kinds with commas.
  ///   - known: What there is.
  ///   - what: What is wanted of the kinds: `results`, or `a feed`.
  ///   - providers: The ids of the providers that have a kind, also of those that are not chosen.
  /// - Throws: `ForageError` for a kind that there is not.
  static func kinds(
    _ texts: [String], among known: [String], what: String, providers: (_ kind: String) -> [String]
  ) throws -> [ResultKind]? {
    if texts.isEmpty { return nil }
    var kinds: [ResultKind] = []
    for text in texts.flatMap({ $0.split(separator: ",").map { $0.trimmingWhitespace().lowercased() } }) {
      let other = KnownNames.kind(named: text, among: known + ResultKind.names)
      let name = known.contains(text) ? text : other ?? text
      try KnownNames.checkKind(name, among: known, what: what, providers: providers)
      if !kinds.contains(ResultKind(rawValue: name)) { kinds.append(ResultKind(rawValue: name)) }
    }
    guard !kinds.isEmpty else { throw ForageError("--kind names nothing", hint: KnownNames.kindsHint(known)) }
    return kinds
  }
}

/// The time limit of a command: the value of `--timeout`.
enum TimeLimit {
  /// The maximum in seconds: a day.
  static let maximumSeconds = 86_400.0

  /// The default as help texts name it.
  static let defaultText = "(default \(SearchOptions.defaultTimeout.components.seconds))"

  /// The limit as a duration.
  ///
  /// - Parameter text: Seconds, `nil` for the default.
  /// - Throws: `ForageError` for anything but a number above 0 and at most a day.
  static func duration(_ text: String?) throws -> Duration {
    guard let text else { return SearchOptions.defaultTimeout }
    guard let seconds = Double(text), seconds.isFinite, seconds > 0, seconds <= maximumSeconds else {
      throw ForageError(
        "--timeout takes seconds above 0, at most 86400, not \(text)", hint: "for example: --timeout 2.5")
    }
    return .milliseconds(max(1, Int(seconds * 1000)))
  }
}

/// How a command uses cached answers.
enum CacheChoice {
  /// The use of cached answers for the options.
  ///
  /// - Throws: `ForageError` for both options at once.
  static func use(offline: Bool, noCache: Bool) throws -> CacheMode {
    if offline {
      try OptionValue.exclude(
        "--offline", [("--no-cache", noCache)], hint: "--offline uses only the cache, --no-cache bypasses it")
    }
    return offline ? .offline : noCache ? .bypass : .normal
  }
}
