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

  func search(_ call: Call, _ options: Options) -> FakeAnswer {
    let text = call.request.query("q") ?? ""
    guard text.contains(where: { !$0.isWhitespace }) else {
      return Self.invalid(["resource": "Search", "field": "q", "code": "missing"])
    }
    let query = FakeQuery(text)
    if query.textLength > Self.maximumQueryLength + 1 {
      return Self.invalid(
        [
          "message": "The search is longer than 256 characters.", "resource": "Search", "field": "q",
          "code": "invalid",
        ])
    }
    if query.operatorCount > Self.maximumOperators {
      return Self.invalid(
        [
          "message": "More than five AND / OR / NOT operators were used.", "resource": "Search", "field": "q",
          "code": "invalid",
        ])
    }
    if let problem = unknownScope(query, call, options) { return problem }
    let (page, size) = Self.paging(call.request)
    if (page - 1) * size >= Self.maximumResults {
      return .error(
        422, "Only the first 1000 search results are available", documentation: Self.searchDocumentation)
    }
    let found = options.repositories.filter { visible($0, call) && query.matches($0) }
    let sorted = order(found, by: call.request, query)
    let reachable = sorted.prefix(Self.maximumResults)
    let items = reachable.dropFirst((page - 1) * size).prefix(size)
    let links = links(call, options)
    var headers: [ScriptedResponse.Header] = [("Cache-Control", "no-cache")]
    if let link = Self.link(call, page: page, size: size, count: reachable.count) {
      headers.append(("Link", link))
    }
    return FakeAnswer(
      status: 200, headers: headers,
      json: [
        "total_count": .int(found.count), "incomplete_results": .bool(options.incompleteResults),
        "items": .array(items.map { $0.searchItem(links) }),
      ])
  }

  private static func invalid(_ error: FakeJSON) -> FakeAnswer {
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
    if accounts.contains(where: owners.contains) || names.contains(where: known.contains) { return nil }
    return Self.invalid(
      [
        "message": """
        The listed users and repositories cannot be searched either because the resources do not exist or \
        you do not have permission to view them.
        """, "resource": "Search", "field": "q", "code": "invalid",
      ])
  }

  private func order(_ found: [FakeRepository], by request: RecordedRequest, _ query: FakeQuery)
    -> [FakeRepository]
  {
    let key: (FakeRepository) -> Double
    var descending = request.query("order") != "asc"
    switch request.query("sort") {
    case "stars": key = { Double($0.stars) }
    case "forks": key = { Double($0.forks) }
    case "updated": key = { $0.updatedAt.timeIntervalSince1970 }
    case "help-wanted-issues": key = { Double($0.openIssues) }
    default:
      key = query.rank
      descending = true
    }
    return found.map { (value: key($0), repository: $0) }.sorted { left, right in
      if left.value != right.value { return descending ? left.value > right.value : left.value < right.value }
      return left.repository.id < right.repository.id
    }.map(\.repository)
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
