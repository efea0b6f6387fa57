import ArgumentParser
import Forage
import ForageCore

/// The qualifiers of everyday use as options; each is the same as the qualifier in the query.
struct QualifierOptions: ParsableArguments {
  @Option(
    name: .letter("R"),
    help: ArgumentHelp(
      "Search in a repository, . for the clone here (repeatable: any).", valueName: "owner/name"),
    completion: Completion.reference)
  var repo: [String] = []

  @Option(help: ArgumentHelp("Filter by programming language (repeatable: any).", valueName: "language"))
  var language: [String] = []

  @Option(help: ArgumentHelp("Filter by owner: a user or organization (repeatable: any).", valueName: "name"))
  var owner: [String] = []

  @Option(help: ArgumentHelp("Filter by topic (repeatable: all must match).", valueName: "topic"))
  var topic: [String] = []

  @Option(help: ArgumentHelp("Filter by license, for example mit (repeatable: any).", valueName: "key"))
  var license: [String] = []

  @Option(help: ArgumentHelp("Filter by number of stars: 10, >10, 10..50.", valueName: "number"))
  var stars: [String] = []

  @Option(help: ArgumentHelp("Filter by creation date: 2024-01-31, >=2024-01-31.", valueName: "date"))
  var created: [String] = []

  @Option(help: ArgumentHelp("Filter by date of the last update.", valueName: "date"))
  var updated: [String] = []

  @Option(
    help: ArgumentHelp("Filter by archived state. (true without a value)", valueName: "true|false"),
    completion: .list(["true", "false"]))
  var archived: String?

  @Option(
    help: ArgumentHelp("Filter issues by state: open, closed or merged.", valueName: "state"),
    completion: .list(State.allCases.map(\.rawValue)))
  var state: [String] = []

  private enum State: String, CaseIterable {
    case open, closed, merged
  }

  @Option(help: ArgumentHelp("Filter issues by label (repeatable: all must match).", valueName: "label"))
  var label: [String] = []

  @Option(help: ArgumentHelp("Filter issues or commits by author (repeatable: any).", valueName: "login"))
  var author: [String] = []

  @Option(help: ArgumentHelp("Filter issues by assignee (repeatable: any).", valueName: "login"))
  var assignee: [String] = []

  @Option(help: ArgumentHelp("Filter issues by involvement of a user (repeatable: any).", valueName: "login"))
  var involves: [String] = []

  @Option(help: ArgumentHelp("Filter code by file name (repeatable: any).", valueName: "name"))
  var filename: [String] = []

  @Option(help: ArgumentHelp("Filter code by file extension (repeatable: any).", valueName: "extension"))
  var `extension`: [String] = []

  @Option(
    help: ArgumentHelp(
      "Match words only in a field, for example name (repeatable: any).", valueName: "field"),
    completion: Completion.list(of: QualifierOptions.fields.flatMap(\.names)))
  var match: [String] = []

  /// The fields of `in:` by kind of result; other kinds may have any.
  private static let fields: [(kind: ResultKind, names: [String])] = [
    (.repo, ["name", "description", "readme", "topics"]), (.issue, ["title", "body", "comments"]),
    (.code, ["file", "path"]), (.user, ["login", "name", "email"]),
  ]

  /// Checks `--match` against the kinds that are searched for.
  ///
  /// - Throws: `ForageError` for a field that none of them has.
  func checkMatch(_ kinds: [ResultKind]) throws {
    let known = Self.fields.filter { kinds.contains($0.kind) }
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

  /// How the values of an option are combined: results match any of them, or all.
  private enum Combination {
    case any, all
  }

  /// The values of the options that have the name of a qualifier, in the order of the options.
  private var given: [(name: String, values: [String], combination: Combination)] {
    // Names of files may have commas.
    [
      ("language", Self.list(language), .any), ("owner", Self.list(owner), .any),
      ("license", Self.list(license), .any), ("stars", stars, .all), ("created", created, .all),
      ("updated", updated, .all), ("archived", archived.map { [$0] } ?? [], .all),
      ("state", Self.list(state), .any), ("author", Self.list(author), .any),
      ("assignee", Self.list(assignee), .any), ("involves", Self.list(involves), .any),
      ("filename", filename, .any), ("extension", Self.list(`extension`), .any),
      ("topic", Self.list(topic), .all), ("label", Self.list(label), .all),
    ]
  }

  /// The conditions of the options.
  ///
  /// - Throws: `ForageError` for an option without a value and for an unknown state, `QueryError` for another value that
  ///   the qualifier does not take.
  func conditions(_ runner: SearchRunner) throws -> [QueryExpression] {
    let parser = runner.parser
    func condition(_ option: String, _ name: String, _ value: String) throws -> QueryExpression {
      guard value.contains(where: { !$0.isWhitespace }) else {
        throw ForageError(
          "--\(option) has no value", hint: "write it after the option, or leave the option out")
      }
      do throws(QueryError) {
        return try parser.parse(name + ":" + QueryTerm.quoted(value)).root
      } catch {
        if option == "state" { _ = try OptionValue.choice(State.self, value, of: "--state") }
        // The place is that in what was typed.
        let typed = "--\(option) \(value)"
        let end = typed.unicodeScalars.count
        throw QueryError(
          message: error.message, hint: error.hint, query: typed,
          range: (end - value.unicodeScalars.count)..<end)
      }
    }
    for owner in Self.list(owner) where owner.contains(where: \.isWhitespace) {
      throw ForageError(
        "--owner takes names without spaces, not \"\(owner)\"", hint: "for example: --owner apple,swiftlang")
    }
    let repositories = try Self.list(repo).map { text in
      // A URL, as it is copied from a browser or from git.
      let isURL = text.contains("://") || text.contains("@") && text.contains(":")
      let name = isURL ? RepositoryIdentity.canonical(text) ?? text : text
      guard name.isEmpty || name == "." || Self.isRepository(name) || runner.clones(named: name).count == 1
      else {
        let known = runner.clones(named: name)
        throw ForageError(
          "--repo takes owner/name, not \"\(name)\"",
          hint: known.isEmpty
            ? "for example: --repo apple/swift-nio"
            : "clones with this name: \(known.joined(separator: ", "))")
      }
      return try condition("repo", "repo", name)
    }
    let others = try given.flatMap { name, values, combination in
      let conditions = try values.map { value in
        // For gh it is a state, for GitHub's search syntax it is not.
        let isMerged = name == "state" && value.lowercased() == "merged"
        return try condition(name, isMerged ? "is" : name, value)
      }
      return combination == .all ? conditions : QueryExpression.any(conditions).map { [$0] } ?? []
    }
    let fields = Self.list(match)
    var places = try fields.map { try condition("match", "in", $0) }
    if places.count > 1, fields.allSatisfy({ $0.allSatisfy(\.isLetter) }) {
      places = [try parser.parse("in:" + fields.joined(separator: ",")).root]
    }
    return (QueryExpression.any(repositories).map { [$0] } ?? []) + others + places
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
