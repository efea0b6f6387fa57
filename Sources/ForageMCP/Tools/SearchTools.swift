import ForageCore

/// `search` and `search_code`.
package enum SearchTools {
  /// Results of one call of `search` at most: more do not fit into an answer.
  private static let maximumResults = 100
  private static let standardResults = 10
  private static let standardFiles = 20
  /// Scalars of a description: enough to tell results apart.
  private static let descriptionLength = 200

  /// Searches every provider for things of some kinds.
  package static func search(_ run: @escaping CommandRunner) -> Tool {
    Tool(
      name: "search", title: "Search",
      summary:
        "Search GitHub, clones and other providers. GitHub query syntax, for example: http client language:swift stars:>100",
      parameters: [
        Parameter(name: "query", kind: .text, isRequired: true),
        Parameter(
          name: "kinds", kind: .texts,
          summary: "repo (default), code, issue, pr, commit, user, topic, story, question, package"),
        Parameter(name: "providers", kind: .texts, summary: "ids, default all enabled"),
        Parameter(name: "sort", kind: .text, summary: "stars, updated, …"),
        Parameter(name: "order", kind: .choice(["asc", "desc"])),
        Parameter(name: "limit", kind: .number(1...maximumResults)),
        Parameter(name: "cursor", kind: .text, summary: "next of an answer"),
        Parameter(name: "favorites", kind: .flag, summary: "only favorites"),
        Parameter(name: "offline", kind: .flag, summary: "only cached answers"),
      ],
      output: [("items", "array"), ("providers", "array"), ("next", "string"), ("truncated", "boolean")],
      effect: .reads(openWorld: true)
    ) { arguments throws(ToolFailure) in
      var command = ["search"]
      for kind in arguments.texts("kinds") { command.append("--kind=\(kind)") }
      for id in arguments.texts("providers") { command.append("--provider=\(id)") }
      if let sort = arguments.text("sort") { command.append("--sort=\(sort)") }
      if let order = arguments.text("order") { command.append("--order=\(order)") }
      if arguments.flag("favorites") { command.append("--favorites") }
      if arguments.flag("offline") { command.append("--offline") }
      return try await page(
        run, command, arguments, limit: arguments.number("limit") ?? standardResults,
        query: arguments.text("query") ?? "", list: "items", item: item)
    }
  }

  /// Searches the text of files.
  package static func searchCode(_ run: @escaping CommandRunner) -> Tool {
    Tool(
      name: "search_code", title: "Search code",
      summary:
        "Find lines of code in clones on this disk and on GitHub. The pattern is one exact phrase or one regular expression.",
      parameters: [
        Parameter(name: "pattern", kind: .text, isRequired: true),
        Parameter(name: "mode", kind: .choice(["literal", "regex"])),
        Parameter(name: "case", kind: .flag, summary: "match case"),
        Parameter(name: "repo", kind: .text, summary: "owner/name"),
        Parameter(name: "path", kind: .text),
        Parameter(name: "language", kind: .text),
        Parameter(name: "scope", kind: .choice(["local", "remote", "all"])),
        Parameter(name: "context", kind: .number(0...5), summary: "lines around"),
        Parameter(name: "limit", kind: .number(1...maximumResults)),
        Parameter(name: "cursor", kind: .text),
      ],
      output: [
        ("files", "array"), ("searched", "object"), ("providers", "array"), ("next", "string"),
        ("truncated", "boolean"),
      ],
      effect: .reads(openWorld: true)
    ) { arguments throws(ToolFailure) in
      var command = ["search", "--kind=code"]
      switch arguments.text("scope") {
      case "local": command.append("--provider=local")
      case "remote": command.append("--provider=github")
      default: break
      }
      if let context = arguments.number("context") { command.append("--context=\(context)") }
      return try await page(
        run, command, arguments, limit: arguments.number("limit") ?? standardFiles,
        query: try codeQuery(arguments), list: "files", item: file)
    }
  }

  /// The query for a pattern: quoted as a phrase, or between slashes as an expression.
  static func codeQuery(_ arguments: ToolArguments) throws(ToolFailure) -> String {
    let pattern = arguments.text("pattern") ?? ""
    guard !pattern.isEmpty, !pattern.contains(where: \.isNewline) else {
      throw ToolFailure("\"pattern\" is one line of text", hint: "search for a part that stands in one line")
    }
    var parts: [String]
    if arguments.text("mode") == "regex" {
      parts = ["/" + escapingSlashes(pattern) + "/"]
    } else {
      parts = [quoted(pattern)]
    }
    for (name, qualifier) in [("repo", "repo"), ("path", "path"), ("language", "language")] {
      if let value = arguments.text(name) { parts.append("\(qualifier):" + quoted(value)) }
    }
    if arguments.flag("case") { parts.append("case:yes") }
    return parts.joined(separator: " ")
  }

  private static func quoted(_ text: String) -> String {
    "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
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

  /// One page of a list that fits into the answer; where it does not, a shorter page with its own cursor.
  private static func page(
    _ run: CommandRunner, _ command: [String], _ arguments: ToolArguments, limit: Int, query: String,
    list: String, item: (JSONTree) -> JSONTree
  ) async throws(ToolFailure) -> JSONTree {
    func answer(_ count: Int) async throws(ToolFailure) -> CommandAnswer {
      var command = command + ["--format=json", "--limit=\(count)"]
      if let cursor = arguments.text("cursor") { command.append("--after=\(cursor)") }
      return try await CommandAnswer(run, command + ["--", query])
    }
    func frame(_ answer: CommandAnswer) -> [String: JSONTree] {
      var frame: [String: JSONTree] = [
        "complete": .bool(answer.isComplete), "providers": .array(answer.providers),
      ]
      frame["next"] = answer["next"]
      frame["searched"] = answer.searched
      return frame
    }
    var found = try await answer(limit)
    var items = (found["items"]?.array ?? []).map(item)
    let fitting = AnswerLimit.fitting(items, in: frame(found), maxChars: arguments.maxChars)
    let isCut = fitting < items.count
    if isCut {
      // What was read is cached; a shorter page has the cursor that continues behind it.
      found = try await answer(fitting)
      items = (found["items"]?.array ?? []).prefix(fitting).map(item)
    }
    var members = frame(found)
    members[list] = .array(items)
    if isCut { members["truncated"] = .bool(true) }
    return AnswerLimit.record(members, maxChars: arguments.maxChars)
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
  private static func file(_ item: JSONTree) -> JSONTree {
    var short: [String: JSONTree] = [:]
    short["repo"] = item["repository"]
    short["path"] = item["path"]
    short["ref"] = item["ref"]
    short["file"] = item["file"]
    let matches = item["matches"]?.array ?? item["fragments"]?.array ?? []
    short["matches"] = .array(
      matches.map { match in
        var line: [String: JSONTree] = [:]
        for name in ["line", "text"] { line[name] = match[name] }
        for name in ["before", "after"] where match[name]?.array?.isEmpty == false {
          line[name] = match[name]
        }
        return .object(line)
      })
    let more = (item["matchCount"]?.integer ?? matches.count) - matches.count
    if more > 0 { short["more"] = .integer(more) }
    return .object(short)
  }
}

extension CommandAnswer {
  /// What was searched in clones, added up over the providers that tell.
  var searched: JSONTree? {
    (members["providers"]?.array ?? []).lazy.compactMap { $0["searched"] }.first
  }
}
