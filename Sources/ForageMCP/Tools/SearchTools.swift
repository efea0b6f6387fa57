import Forage
import ForageCore
import ForagePlatform

enum SearchTools {
  /// Results of one call of `search` at most: more do not fit into an answer.
  private static let maximumResults = 100
  private static let standardResults = 10
  private static let standardFiles = 20
  /// Scalars of a description: enough to tell results apart.
  private static let descriptionLength = 200

  /// The names of the kinds that can be searched for: notifications are only listed.
  private static let kinds = ResultKind.names.filter { $0 != ResultKind.notification.rawValue }

  static let search = Tool(
    name: "search", title: "Search",
    summary:
      "Search GitHub, clones and more. GitHub syntax, such as: http client language:swift stars:>100",
    parameters: [
      Parameter(name: "query", kind: .text, isRequired: true),
      Parameter(
        name: "kinds", kind: .texts,
        summary: kinds.map { $0 == ResultKind.repo.rawValue ? "\($0) (default)" : $0 }
          .joined(separator: ", ")),
      Parameter(name: "providers", kind: .texts, summary: "ids"),
      Parameter(name: "sort", kind: .text, summary: "stars, updated, …"),
      Parameter(name: "order", kind: .choice(["asc", "desc"])),
      Parameter(name: "limit", kind: .number(1...maximumResults)),
      Parameter(name: "cursor", kind: .text, summary: "next"),
      Parameter(name: "favorites", kind: .flag, summary: "only these"),
      Parameter(name: "offline", kind: .flag, summary: "only cached"),
    ],
    output: [("items", "array"), ("next", "string")],
    effect: .reads(openWorld: true)
  ) { forage, arguments, lists in
    var options = SearchOptions()
    options.kinds = arguments.texts("kinds").map { ResultKind(rawValue: $0.lowercased()) }
    options.providers = arguments.texts("providers")
    options.sort = arguments.text("sort")
    options.order = arguments.text("order").flatMap(SortOrder.init)
    options.onlyFavorites = arguments.flag("favorites")
    options.cache = arguments.flag("offline") ? .offline : .normal
    options.limit = arguments.number("limit") ?? standardResults
    return try await page(
      forage, lists, arguments.text("query") ?? "", options, arguments, list: "items", item: item)
  }

  static let searchCode = Tool(
    name: "search_code", title: "Search code",
    summary:
      "Find an exact phrase, an expression, or what defines or uses a name, in lines of clones (HEAD) and forges. Give read the ref of a match.",
    parameters: [
      Parameter(name: "pattern", kind: .text, isRequired: true),
      Parameter(name: "mode", kind: .choice(["literal", "regex", "definitions", "uses"])),
      Parameter(name: "case", kind: .flag, summary: "match case"),
      Parameter(name: "repo", kind: .text), Parameter(name: "path", kind: .text),
      Parameter(name: "language", kind: .text),
      Parameter(name: "scope", kind: .choice(["local", "remote", "all"])),
      Parameter(name: "context", kind: .number(0...5), summary: "lines around"),
      Parameter(name: "limit", kind: .number(1...maximumResults)),
      Parameter(name: "cursor", kind: .text),
    ],
    output: [("files", "array"), ("searched", "object"), ("next", "string")],
    effect: .reads(openWorld: true)
  ) { forage, arguments, lists in
    var options = SearchOptions()
    options.kinds = [.code]
    if arguments.text("scope") == "local" { options.providers = [BuiltInProvider.clonesID] }
    options.matches.contextLines = arguments.number("context") ?? 0
    options.limit = arguments.number("limit") ?? standardFiles
    return try await page(
      forage, lists, try codeQuery(arguments), options, arguments, list: "files", item: file,
      narrowed: narrowed)
  }

  /// The commits of a clone, newest first.
  ///
  /// - Parameter file: A path that they touch; `nil` for all.
  static func commits(_ forage: Forage, _ arguments: ToolArguments, _ lists: OpenLists, file: String?)
    async throws -> JSONTree
  {
    let (repo, path) = try arguments.place(forage)
    // A list without commits would say that there are none.
    if let repo { _ = try await RecordTools.clonePath(of: repo, forage) }
    var parts = [
      QueryParser.grouped(arguments.text("query") ?? ""), "repo:" + QueryTerm.quoted(repo ?? path ?? ""),
    ]
    if let file { parts.append("path:" + QueryTerm.quoted(file)) }
    if let ref = arguments.text("ref") { parts.append("ref:" + QueryTerm.quoted(ref)) }
    var options = SearchOptions()
    options.kinds = [.commit]
    options.providers = [BuiltInProvider.clonesID]
    options.limit = arguments.number("limit") ?? standardFiles
    return try await page(
      forage, lists, parts.joined(separator: " "), options, arguments, list: "commits", item: commit)
  }

  private static func commit(_ item: JSONTree) -> JSONTree {
    var short: [String: JSONTree] = ["subject": item["title"] ?? .null]
    for name in ["sha", "author", "authoredAt"] { short[name] = item[name] }
    return .object(short)
  }

  /// The query for a pattern: quoted as a phrase, or between slashes as an expression.
  static func codeQuery(_ arguments: ToolArguments) throws(ToolFailure) -> String {
    let pattern = arguments.text("pattern") ?? ""
    guard !pattern.isEmpty, !pattern.contains(where: \.isNewline) else {
      throw ToolFailure("\"pattern\" is one line of text", hint: "search for a part that stands in one line")
    }
    var parts: [String]
    if arguments.text("mode") == "regex" {
      if let problem = SearchRunner.problem(in: pattern) {
        var failure = ToolFailure(
          "the regular expression is not valid: \(problem.message) (at offset \(problem.offset))",
          hint: "write \\ before a character that stands for itself, or leave \"mode\" out")
        failure.offset = problem.offset
        throw failure
      }
      parts = ["/" + escapingSlashes(pattern) + "/"]
    } else if let qualifier = ["definitions": "symbol", "uses": "uses"][arguments.text("mode") ?? ""] {
      guard pattern.unicodeScalars.allSatisfy({ !$0.properties.isWhitespace }) else {
        throw ToolFailure(
          "\"pattern\" is one name in this mode", hint: "give the last part of a name, such as parse")
      }
      parts = ["\(qualifier):" + QueryTerm.quoted(pattern)]
    } else {
      parts = [QueryTerm.quoted(pattern)]
    }
    for name in ["repo", "path", "language"] {
      if let value = arguments.text(name) { parts.append("\(name):" + QueryTerm.quoted(value)) }
    }
    if arguments.flag("case") { parts.append("case:yes") }
    return parts.joined(separator: " ")
  }

  /// The expression with its slashes escaped, those that are escaped already left alone.
  private static func escapingSlashes(_ pattern: String) -> String {
    var result = ""
    var isEscaped = false
    for character in pattern {
      if character == "/", !isEscaped { result += "\\" }
      result.append(character)
      isEscaped = character == "\\" && !isEscaped
    }
    return result
  }

  /// One page of a list that fits into the answer; the cursor continues after it.
  private static func page(
    _ forage: Forage, _ lists: OpenLists, _ query: String, _ options: SearchOptions,
    _ arguments: ToolArguments, list: String,
    item: (JSONTree) -> JSONTree, narrowed: ((JSONTree, Int) -> JSONTree)? = nil
  ) async throws -> JSONTree {
    let search = list + arguments.search
    var number: Int?
    let found: SearchReport
    if let cursor = arguments.text("cursor") {
      (number, found) = try await lists.part(at: cursor, of: search, limit: options.limit)
      try checkAnswer(found, named: [])
      found.remember()
    } else {
      found = try await report(forage, query, options, arguments)
    }
    let items = found.items.map { item(SearchJSON.item($0, explains: false)) }
    var members: [String: JSONTree] = [
      "complete": .bool(found.isComplete), "providers": found.outcomes.summary,
    ]
    members["searched"] = found.outcomes.lazy.compactMap(\.coverage).first.map(SearchJSON.searched)
    // A cursor has this length at most.
    members["next"] = .string(lists.cursor(of: .max, at: SearchOptions.maximumLimit))
    let fitting = ResponseLimit.fitting(items, in: members, maxChars: arguments.maxChars)
    members["next"] = nil
    if found.hasMore || fitting < items.count {
      let list = if let number { number } else { await lists.open(found, of: search, forage) }
      members["next"] = .string(lists.cursor(of: list, at: found.offset + fitting))
    }
    members[list] = .array(Array(items.prefix(fitting)))
    if fitting < items.count { members["truncated"] = .bool(true) }
    if fitting == 1, let narrowed, let first = found.items.first,
      !ResponseLimit.fits(members, maxChars: arguments.maxChars)
    {
      members[list] = .array([narrowed(SearchJSON.item(first, explains: false), arguments.maxChars / 4)])
      members["truncated"] = .bool(true)
    }
    return ResponseLimit.record(members, maxChars: arguments.maxChars)
  }

  /// Searches.
  ///
  /// - Throws: `ToolFailure` where nothing could be answered, and where a name is that of no clone;
  ///   `ForageError` for an order that contradicts the query or has no key.
  private static func report(
    _ forage: Forage, _ query: String, _ options: SearchOptions, _ arguments: ToolArguments
  ) async throws -> SearchReport {
    let remote = { (settings: Settings, requestOptions: RequestOptions) throws -> ProviderChoice in
      try ProviderChoice(names: [], registry: forage.registry(settings, requestOptions)) {
        $0 != BuiltInProvider.clonesID && forage.isEnabled($0, settings)
      }
    }
    var options = options
    options.seesOnlyCatalogue = true
    let runner = try SearchRunner(
      options, forage, choose: arguments.text("scope") == "remote" ? remote : nil)
    let search = try runner.search(query)
    try runner.checkOrder(of: search.query, search.kinds)
    let report = try await runner.run(search)
    try checkAnswer(report, named: runner.choice.named)
    // An empty list would say that the clone has nothing of the kind.
    if report.items.isEmpty, report.isOfClonesAlone,
      report.outcomes.allSatisfy({ $0.state.isAnswer || $0.state.isExcluded })
    {
      let unknown = runner.unknownNames(in: report.search.query, isLocal: true, decidesAll: true)
      guard unknown.isEmpty else {
        throw ToolFailure(
          "nothing found", hint: unknown.joined(separator: "; "), providers: report.outcomes)
      }
    }
    report.remember()
    return report
  }

  /// Fails where nothing could be answered. Where some provider has answered, that another one failed is
  /// data.
  private static func checkAnswer(_ report: SearchReport, named: Set<String>) throws(ToolFailure) {
    guard !report.outcomes.isEmpty, !report.outcomes.contains(where: \.state.isAnswer) else { return }
    let failure = report.result.failure(named: named)
    let reasons = report.outcomes.compactMap { outcome in outcome.error.map { "\(outcome.id): \($0.message)" }
    }
    let isEmpty = report.outcomes.contains {
      $0.id == BuiltInProvider.clonesID && $0.error?.code == .nothingToAsk
    }
    let clones = isEmpty ? "to search clones, \(Remedy.addCloneFolder.advice)" : nil
    let hints = [failure?.hint, clones].compactMap(\.self).filter { !$0.isEmpty }
    throw ToolFailure(
      failure?.message ?? "no provider can search for this: " + reasons.joined(separator: "; "),
      hint: hints.isEmpty ? "name another repository, or clone this one" : hints.joined(separator: "; "),
      providers: report.outcomes)
  }

  /// A result of `search`: what tells it from others.
  private static func item(_ item: JSONTree) -> JSONTree {
    var short: [String: JSONTree] = [:]
    for name in ["id", "kind", "title", "url", "stars", "language", "updatedAt", "path", "state", "version"] {
      short[name] = item[name]
    }
    short["description"] = item["description"]?.string.map { text in
      let scalars = text.unicodeScalars
      return .string(
        scalars.count > descriptionLength
          ? String(String.UnicodeScalarView(scalars.prefix(descriptionLength - 1))) + "…" : text)
    }
    short["sources"] = .array((item["sources"]?.array ?? []).compactMap { $0["provider"] })
    return .object(short)
  }

  /// A file of `search_code`: its lines, and how many more there are.
  fileprivate static func file(_ item: JSONTree) -> JSONTree {
    var short: [String: JSONTree] = [:]
    short["repo"] = item["repository"]
    short["path"] = item["path"]
    // The commit, because branches move, and clones of one repository differ. A file of the work tree has
    // none.
    short["ref"] = item["commit"] ?? (item["file"] == nil ? item["ref"] : nil)
    short["file"] = item["file"]
    short["encoding"] = item["encoding"]
    let matches = item["matches"]?.array ?? (item["fragments"]?.array ?? []).flatMap(lines)
    short["matches"] = .array(
      matches.map { match in
        var line: [String: JSONTree] = [:]
        for name in ["line", "text", "symbol", "symbolKind"] { line[name] = match[name] }
        for name in ["before", "after"] where match[name]?.array?.isEmpty == false {
          line[name] = match[name]
        }
        return .object(line)
      })
    let more = (item["matchCount"]?.count ?? 0) - matches.count
    if more > 0 { short["more"] = .integer(more.value) }
    if item["matches"] == nil { short["truncated"] = item["truncated"] }
    return .object(short)
  }
}

extension SearchTools {
  /// The matching lines of a fragment; the fragment where they are not known.
  private static func lines(of fragment: JSONTree) -> [JSONTree] {
    guard let text = fragment["text"]?.string, let first = fragment["line"]?.lineNumber else {
      return [fragment]
    }
    let scalars = text.unicodeScalars
    let rows = scalars.split(separator: "\n", omittingEmptySubsequences: false)
    let places = (fragment["matches"]?.array ?? []).compactMap { $0.array?.first?.offset }
    let found = Set(places.map { place in scalars.prefix(place.value).count { $0 == "\n" } }).sorted()
    guard !found.isEmpty else { return [fragment] }
    return found.map { place in
      let row = rows[place].last == "\r" ? rows[place].dropLast() : rows[place]
      return .object(["line": .integer((first + place).value), "text": .string(String(row))])
    }
  }

  /// A file that is too long for an answer: its first match, cut around the text that matches.
  ///
  /// - Parameter length: Characters of the line.
  static func narrowed(_ item: JSONTree, _ length: Int) -> JSONTree {
    guard var short = file(item).object, let first = item["matches"]?.array?.first,
      let text = first["text"]?.string
    else { return file(item) }
    let scalars = Array(text.unicodeScalars)
    let place = first["ranges"]?.array?.first?.array?.first?.offset ?? 0
    let start = min((place - length / 4).value, max(0, scalars.count - length))
    let shown = scalars[start..<min(start + length, scalars.count)]
    var line = ["line": first["line"] ?? .null]
    for name in ["symbol", "symbolKind"] { line[name] = first[name] }
    line["text"] = .string(
      (start > 0 ? "…" : "") + String(String.UnicodeScalarView(shown))
        + (shown.endIndex < scalars.count ? "…" : ""))
    short["matches"] = .array([.object(line)])
    let more = (item["matchCount"]?.count ?? 1) - 1
    short["more"] = more > 0 ? .integer(more.value) : nil
    return .object(short)
  }
}

extension [ProviderOutcome] {
  /// Each provider's state, with the reason and the wait where it failed.
  var summary: JSONTree {
    .array(
      map { outcome in
        var short: [String: JSONTree] = [
          "id": .string(outcome.id), "state": .string(outcome.state.rawValue),
        ]
        if !outcome.state.isExcluded, let error = outcome.error {
          short["error"] = .string(error.message)
          short["retryAfterMs"] = error.retryAfterMilliseconds.map(JSONTree.integer)
        } else if let note = outcome.notes.first(where: { $0.isMissing && $0.code != .stale }) {
          short["error"] = .string(note.message)
        }
        return .object(short)
      })
  }
}
