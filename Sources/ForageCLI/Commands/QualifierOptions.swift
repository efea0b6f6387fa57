import ArgumentParser
import Forage
import ForageCore

/// The options that stand for qualifiers; each is the same as the qualifier in the query.
struct QualifierOptions: ParsableArguments {
  @Option(.repo) var repo: [String] = []
  @Option(.language) var language: [String] = []
  @Option(.owner) var owner: [String] = []
  @Option(.topic) var topic: [String] = []
  @Option(.license) var license: [String] = []
  @Option(.stars) var stars: [String] = []
  @Option(.created) var created: [String] = []
  @Option(.updated) var updated: [String] = []
  @Option(.archived) var archived: [String] = []
  @Option(.state) var state: [String] = []
  @Option(.label) var label: [String] = []
  @Option(.author) var author: [String] = []
  @Option(.assignee) var assignee: [String] = []
  @Option(.involves) var involves: [String] = []
  @Option(.filename) var filename: [String] = []
  @Option(.extension) var `extension`: [String] = []
  @Option(.match) var match: [String] = []

  /// The options that the parser does not know, as `NAME=VALUE`; `NAME` alone for one without its value.
  @Option(name: .customLong(ProgramArguments.qualifierName), help: .private)
  var further: [String] = []
}

/// The options of everyday use.
extension SearchQualifier {
  static let repo = SearchQualifier(
    "repo", letter: "R", at: \.repo, .any, "owner/name", in: "issues prs commits code",
    "Search in a repository, . for this clone (repeatable).")
  static let language = SearchQualifier(
    "language", at: \.language, .any, "language", in: "repos issues prs code",
    "Filter by programming language (repeatable: any).")
  static let owner = SearchQualifier(
    "owner", at: \.owner, .any, "name", in: "repos issues prs commits code",
    "Filter by user or organization (repeatable: any).")
  static let topic = SearchQualifier(
    "topic", at: \.topic, .all, "topic", in: "repos", "Filter by topic (repeatable: all must match).")
  static let license = SearchQualifier(
    "license", at: \.license, .any, "key", in: "repos",
    "Filter by license, for example mit (repeatable: any).")
  static let stars = SearchQualifier(
    "stars", at: \.stars, .one, "number", in: "repos", "Filter by number of stars: 10, >10, 10..50.")
  static let created = SearchQualifier(
    "created", at: \.created, .one, "date", in: "repos issues prs",
    "Filter by creation date: 2024-01-31, >=2024-01-31.")
  static let updated = SearchQualifier(
    "updated", at: \.updated, .one, "date", in: "repos issues prs", "Filter by date of the last update.")
  static let archived = SearchQualifier(
    "archived", at: \.archived, .truth, "true|false", choices: ["true", "false"], in: "repos issues prs",
    "Filter by archived state. (true without a value)")
  static let state = SearchQualifier(
    "state", at: \.state, .any, "state", choices: ["open", "closed", "merged"], in: "issues prs",
    "Filter issues by state: open, closed or merged.")
  static let label = SearchQualifier(
    "label", at: \.label, .all, "label", in: "issues prs",
    "Filter issues by label (repeatable: all must match).")
  static let author = SearchQualifier(
    "author", at: \.author, .any, "login", in: "issues prs commits",
    "Filter issues or commits by author (repeatable: any)."
  )
  static let assignee = SearchQualifier(
    "assignee", at: \.assignee, .any, "login", in: "issues prs",
    "Filter issues by assignee (repeatable: any).")
  static let involves = SearchQualifier(
    "involves", at: \.involves, .any, "login", in: "issues prs",
    "Filter issues by an involved user (repeatable: any).")
  static let filename = SearchQualifier(
    "filename", at: \.filename, .anyWithCommas, "name", in: "code",
    "Filter code by file name (repeatable: any).")
  static let `extension` = SearchQualifier(
    "extension", at: \.extension, .anyWithCommas, "extension", in: "code",
    "Filter code by file extension (repeatable: any).")
  static let match = SearchQualifier(
    "match", at: \.match, as: "in", .any, "field", choices: fields.flatMap(\.names),
    in: "repos issues prs code",
    "Match words only in a field (repeatable: any).")

  /// The fields of `in:` by kind of result; other kinds may have any.
  static let fields: [(kind: ResultKind, names: [String])] = [
    (.repo, ["name", "description", "readme", "topics"]), (.issue, ["title", "body", "comments"]),
    (.code, ["file", "path"]), (.user, ["login", "name", "email"]),
  ]

  /// Every option, in the order of their conditions in the query.
  static let table: [SearchQualifier] =
    [
      repo, language, owner, license, stars, created, updated, archived, state, author, assignee, involves,
      filename, `extension`, topic, label,
    ] + further + [match]
}

extension QualifierOptions {
  /// The values of an option as they were given, `nil` for one without its value.
  private func given(_ option: SearchQualifier) -> [String?] {
    if let values = option.values { return values(self) }
    return further.filter { Self.name(ofFurther: $0) == option.name }
      .map { $0 == option.name ? nil : String($0.dropFirst(option.name.count + 1)) }
  }

  private static func name(ofFurther text: String) -> String { String(text.prefix { $0 != "=" }) }

  /// Whether one of the options is given.
  var areGiven: Bool { SearchQualifier.table.contains { !given($0).isEmpty } }

  /// Checks `--match` against the kinds that are searched for.
  ///
  /// - Throws: `ForageError` for a field that none of them has.
  func checkMatch(_ kinds: [ResultKind]) throws {
    let known = SearchQualifier.fields.filter { kinds.contains($0.kind) }
    guard known.count == kinds.count else { return }
    let names = known.flatMap(\.names)
    for field in Self.list(match) where !field.isEmpty && !names.contains(field.lowercased()) {
      throw ForageError(
        "--match: there is no field \"\(field)\" of \(kinds.map(\.rawValue).joined(separator: ", "))",
        hint: NearestName.hint(for: field, among: names)
          ?? known.map { "\($0.kind.rawValue) has: " + $0.names.joined(separator: ", ") }
          .joined(separator: "; "))
    }
  }

  /// The conditions of the options, in the order of the table.
  ///
  /// - Parameter search: The search of gh whose meaning of the options holds, `nil` for ours.
  /// - Throws: `ForageError` for an option without a value and for an unknown value, `QueryError` for another
  ///   value that the qualifier does not take.
  func conditions(_ runner: SearchRunner, for search: GhSearch? = nil) throws -> [QueryExpression] {
    var conditions = try SearchQualifier.table.flatMap { option in
      let values = try values(of: option, runner)
      let found = try values.compactMap { try condition(option, $0, search, runner.parser) }
      switch option.value {
      case .any, .anyWithCommas: return QueryExpression.any(found).map { [$0] } ?? []
      case .one, .all, .truth, .flag: return found
      }
    }
    if search == .issues, !further.contains(where: { $0.hasPrefix("include-prs=") }) {
      conditions.append(try runner.parser.parse("is:issue").root)
    }
    return conditions
  }

  /// The values of an option, each a part of the condition.
  ///
  /// - Throws: `ForageError` for an option without a value, and for a name that cannot be one.
  private func values(of option: SearchQualifier, _ runner: SearchRunner) throws -> [String] {
    let given = given(option).map { $0 ?? "" }
    let values: [String]
    switch option.value {
    case .any, .all: values = Self.list(given)
    case .one, .anyWithCommas, .truth, .flag: values = given
    }
    guard values.allSatisfy({ $0.contains { !$0.isWhitespace } }) else {
      throw ArgumentMistake.missing(
        "--\(option.name)", option.isFlag ? "true|false" : option.valueName,
        option.name == SearchQualifier.match.name ? [] : option.choices, help: "see: forage search --help")
    }
    switch option.name {
    case SearchQualifier.owner.name:
      for owner in values where owner.contains(where: \.isWhitespace) {
        throw ForageError(
          "--owner takes names without spaces, not \"\(owner)\"",
          hint: "for example: --owner apple,swiftlang")
      }
      return values
    case SearchQualifier.repo.name: return try values.map { try Self.repository($0, runner) }
    case SearchQualifier.match.name where values.allSatisfy { $0.allSatisfy(\.isLetter) } && !values.isEmpty:
      return [values.joined(separator: ",")]
    default: return values
    }
  }

  /// The condition of a value, `nil` for none.
  private func condition(
    _ option: SearchQualifier, _ value: String, _ search: GhSearch?, _ parser: QueryParser
  ) throws -> QueryExpression? {
    var value = value
    if option.isFlag {
      guard let isOn = Self.truth(value) else {
        throw ForageError(
          "--\(option.name) takes true or false, not \"\(value)\"",
          hint: "for example: --\(option.name)=false")
      }
      value = isOn ? "true" : "false"
      if case .flag(let on, let off) = option.value {
        guard let word = isOn ? on : off else { return nil }
        value = word
      }
    } else if option.name != SearchQualifier.match.name, !option.choices.isEmpty {
      try Self.checkChoice(value, of: option)
    }
    let name = option.qualifier(for: value, in: search)
    // The parser takes commas of a value in quotes for a part of it.
    let isList = option.name == SearchQualifier.match.name && value.contains(",")
    func parsed(_ value: String) throws(QueryError) -> QueryExpression {
      let text = option.beginning + value
      return try parser.parse(name + ":" + (isList ? text : QueryTerm.quoted(text))).root
    }
    do throws(QueryError) {
      let found = try parsed(value)
      guard case .term = found else { return found }
    } catch {
      if let days = Self.days(value), let found = try? QueryExpression.all(days.map(parsed)) { return found }
      // The place is that in what was typed.
      let typed = "--\(option.name) \(value)"
      let end = typed.unicodeScalars.count
      throw QueryError(
        message: error.message, hint: error.hint, query: typed,
        range: (end - value.unicodeScalars.count)..<end)
    }
    // The parser takes a qualifier that it does not know for a word.
    throw ForageError(
      "--\(option.name): no chosen provider has \(name):",
      hint: "leave it out, or choose others with --provider")
  }

  /// - Throws: `ForageError` for a value that the option does not have.
  private static func checkChoice(_ value: String, of option: SearchQualifier) throws {
    guard !option.choices.contains(value.lowercased()) else { return }
    throw ForageError(
      "--\(option.name) takes \(HumanFormat.alternatives(option.choices)), not \"\(value)\"",
      hint: NearestName.of(value, among: option.choices).map { "did you mean \($0)?" }
        ?? "for example: --\(option.name) \(option.choices[0])")
  }

  /// Whether a text is true or false, as gh reads it; `nil` for any other text.
  private static func truth(_ text: String) -> Bool? {
    ["true": true, "t": true, "1": true, "false": false, "f": false, "0": false][text.lowercased()]
  }

  /// A year or a month as dates with days, a value for each condition; `nil` for anything else.
  static func days(_ value: String) -> [String]? {
    guard let match = value.wholeMatch(of: /([<>]?=?)(\d{4})(?:-(\d\d))?/)?.output, let year = Int(match.2)
    else { return nil }
    let month = match.3.flatMap { Int($0) }
    func day(_ year: Int, _ month: Int) -> String { "\(year)-" + (month < 10 ? "0" : "") + "\(month)-01" }
    let first = day(year, month ?? 1)
    let next = month.map { $0 < 12 ? day(year, $0 + 1) : day(year + 1, 1) } ?? day(year + 1, 1)
    switch match.1 {
    case ">": return [">=" + next]
    case ">=": return [">=" + first]
    case "<": return ["<" + first]
    case "<=": return ["<" + next]
    default: return [">=" + first, "<" + next]
    }
  }

  /// The name of a repository, also for its address as it is copied from a browser or from git.
  ///
  /// - Throws: `ForageError` for a text that names none.
  private static func repository(_ text: String, _ runner: SearchRunner) throws -> String {
    let isURL = text.contains("://") || text.contains("@") && text.contains(":")
    let name = isURL ? RepositoryIdentity.canonical(text) ?? text : text
    if name == "." || isRepository(name) { return name }
    let known = runner.repositories(named: name)
    if known.count == 1 || runner.searchesOnlyClones && runner.hasClones(named: name) { return name }
    throw ForageError(
      "--repo takes owner/name, not \"\(name)\"",
      hint: known.isEmpty
        ? "for example: --repo apple/swift-nio"
        : "clones with this name: \(known.joined(separator: ", "))")
  }

  /// Whether a text is `owner/name` or `host/owner/name`, or the path of a clone.
  private static func isRepository(_ text: String) -> Bool {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    return text.hasPrefix("/")
      || parts.count > 1 && parts.allSatisfy { !$0.isEmpty && !$0.contains(where: \.isWhitespace) }
  }

  /// The values of an option that takes several, with commas or repeated.
  private static func list(_ values: [String]) -> [String] {
    values.flatMap { $0.split(separator: ",", omittingEmptySubsequences: false) }.map {
      $0.trimmingWhitespace()
    }
  }
}
