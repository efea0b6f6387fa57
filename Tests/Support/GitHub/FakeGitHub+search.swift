import Foundation

extension FakeGitHub {
  /// No query gives more than this many results.
  public static let maximumResults = 1000
  /// The most items on a page.
  public static let maximumPageSize = 100
  private static let defaultPageSize = 30
  private static let maximumQueryLength = 256
  private static let maximumOperators = 5
  private static let searchDocumentation = "https://docs.github.com/v3/search/"

  /// The answer of one search.
  ///
  /// - Parameters:
  ///   - kind: how it looks.
  ///   - items: what it looks through, best first where words do not rank.
  func search<Item: Sendable>(_ call: Call, _ options: Options, _ kind: FakeSearch<Item>, in items: [Item])
    -> FakeAnswer
  {
    let text = call.request.query("q") ?? ""
    guard text.contains(where: { !$0.isWhitespace }) else {
      return Self.invalid(["resource": "Search", "field": "q", "code": "missing"])
    }
    let query = FakeQuery(text, known: kind.qualifiers)
    if let problem = tooLarge(query) ?? kind.problem(query).map(Self.invalid) { return problem }
    if kind.repository != nil, let problem = unknownScope(query, call, options) { return problem }
    let (page, size) = Self.paging(call.request)
    if (page - 1) * size >= Self.maximumResults {
      return .error(
        422, "Only the first 1000 search results are available", documentation: Self.searchDocumentation)
    }
    let scopes = query.scopes(else: kind.scopes)
    let hidden = Set(options.repositories.filter { !visible($0, call) }.map(\.fullName))
    let found = items.filter { item in
      if let name = kind.repository?(item), hidden.contains(name) { return false }
      let texts = kind.texts(item).filter { scopes.contains($0.scope) }.map { $0.text.lowercased() }
      return query.matches(
        has: { word in texts.contains { $0.contains(word) } }, satisfies: { kind.satisfies(item, $0, $1) })
        && kind.always(item, query)
    }
    let reachable = kind.sorted(found, by: call.request, query).prefix(Self.maximumResults)
    let shown = reachable.dropFirst((page - 1) * size).prefix(size)
    let links = links(call, options)
    var headers: [ScriptedResponse.Header] = [("Cache-Control", "no-cache")]
    if let link = Self.link(call, page: page, size: size, count: reachable.count) {
      headers.append(("Link", link))
    }
    let body: FakeJSON = [
      "total_count": .int(found.count), "incomplete_results": .bool(options.incompleteResults),
      "items": .array(shown.map { kind.json($0, FakeRendering(call, options, links, query)) }),
    ]
    let faults = FakeSchema.faults(of: body, endpoint: call.path)
    guard faults.isEmpty else {
      // Whatever test asks must notice that the server no longer answers like the real one.
      return .error(500, "this server has drifted: \(faults.joined(separator: "; "))")
    }
    return FakeAnswer(status: 200, headers: headers, json: body)
  }

  private func tooLarge(_ query: FakeQuery) -> FakeAnswer? {
    var message: String?
    if query.textLength > Self.maximumQueryLength + 1 {
      message = "The search is longer than 256 characters."
    } else if query.operatorCount > Self.maximumOperators {
      message = "More than five AND / OR / NOT operators were used."
    }
    return message.map {
      Self.invalid(["message": .string($0), "resource": "Search", "field": "q", "code": "invalid"])
    }
  }

  static func invalid(_ error: FakeJSON) -> FakeAnswer {
    .error(422, "Validation Failed", errors: [error], documentation: searchDocumentation)
  }

  /// A search within accounts or repositories of which none exists (or is visible) is refused.
  private func unknownScope(_ query: FakeQuery, _ call: Call, _ options: Options) -> FakeAnswer? {
    let accounts = query.values(of: ["user", "org"]).filter { $0 != "@me" }.map { $0.lowercased() }
    let names = query.values(of: ["repo"]).map { $0.lowercased() }
    guard !accounts.isEmpty || !names.isEmpty else { return nil }
    let seen = options.repositories.filter { visible($0, call) }
    let owners = Set(seen.map { $0.owner.lowercased() }).union(options.accounts.map { $0.lowercased() })
    let known = Set(seen.map { $0.fullName.lowercased() })
    let found = accounts.map(owners.contains) + names.map(known.contains)
    if options.refusesUnknownScopes ? !found.contains(false) : found.contains(true) { return nil }
    return Self.invalid(
      [
        "message": """
        The listed users and repositories cannot be searched either because the resources do not exist or \
        you do not have permission to view them.
        """, "resource": "Search", "field": "q", "code": "invalid",
      ])
  }

  /// Page (from 1) and page size as GitHub reads them: nonsense means the default.
  static func paging(_ request: RecordedRequest) -> (page: Int, size: Int) {
    let page = request.query("page").flatMap(Int.init) ?? 1
    let size = request.query("per_page").flatMap(Int.init) ?? defaultPageSize
    // A page far beyond any result stands for all such pages, so that no product overflows.
    return (min(max(page, 1), 1_000_000), size < 1 ? defaultPageSize : min(size, maximumPageSize))
  }

  /// The `Link` header: the same URL with another `page`, which is replaced in place or added at the end.
  static func link(_ call: Call, page: Int, size: Int, count: Int) -> String? {
    let last = max(1, (count + size - 1) / size)
    guard last > 1 else { return nil }
    var relations: [(String, Int)] = []
    if page > 1 { relations.append(("prev", min(page - 1, last))) }
    if page < last { relations += [("next", page + 1), ("last", last)] }
    if page > 1 { relations.append(("first", 1)) }
    return relations.map { "<\(url(call, page: $0.1))>; rel=\"\($0.0)\"" }.joined(separator: ", ")
  }

  private static func url(_ call: Call, page: Int) -> String {
    let target = call.request.target
    let query = target.firstIndex(of: "?").map { target[target.index(after: $0)...] } ?? ""
    var pairs = query.split(separator: "&").map(String.init)
    if let index = pairs.firstIndex(where: { $0.hasPrefix("page=") }) {
      pairs[index] = "page=\(page)"
    } else {
      pairs.append("page=\(page)")
    }
    return "\(call.request.origin)\(call.request.path)?\(pairs.joined(separator: "&"))"
  }
}
