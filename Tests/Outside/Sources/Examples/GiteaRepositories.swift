import ForageCore
import ForageHTTP
import Foundation

/// The repositories of one Gitea or Forgejo server, written from the documentation alone.
struct GiteaRepositories: DetailsProvider {
  let info: ProviderInfo
  let kinds: [ResultKind: Abilities]

  private let server: HTTPURL
  private let token: String?
  private let transport: HTTPTransport

  /// The sort keys of Forage with those of the API.
  private static let sorts = ["stars": "stars", "forks": "forks", "updated": "updated", "created": "created"]
  /// The default of `MAX_RESPONSE_ITEMS`. A server with a smaller maximum shortens pages silently; see
  /// `Cursor`.
  private static let pageLimit = 50

  /// Creates a provider.
  ///
  /// - Parameters:
  ///   - server: The address of the server without `/api/v1`, for example `https://codeberg.org`.
  ///   - id: The provider's id; `nil` for one made of the address.
  ///   - name: The display name; `nil` for the host.
  ///   - token: An access token with the scope `read:repository`; `nil` for public repositories only.
  ///   - transport: Sends the requests, without redirects and retries.
  init(
    server: HTTPURL, id: String? = nil, name: String? = nil, token: String? = nil, transport: HTTPTransport
  ) {
    let derived =
      "gitea-" + server.authority.map { "abcdefghijklmnopqrstuvwxyz0123456789.-_".contains($0) ? $0 : "_" }
    info = ProviderInfo(
      id: id ?? String(derived.prefix(64)), name: name ?? server.authority, hosts: [server.authority])
    kinds = [
      .repo: Abilities(
        fields: [
          .description, .host, .owner, .name, .fullName, .avatarURL, .homepage, .language, .topics, .license,
          .stars,
          .forks, .subscribers, .openIssues, .sizeKB, .fork, .archived, .isPrivate, .template, .mirror,
          .defaultBranch,
          .createdAt, .updatedAt, .languages,
        ],
        // One word is sent, because the API does not say how it combines several.
        text: .inexact,
        // `archived` is a filter of the API. Of `fork`, only `fork:only` is: `mode=source` leaves out mirrors
        // too.
        qualifiers: ["archived": .exact, "fork": .inexact],
        sorts: Self.sorts.keys.sorted(),
        maximumPageSize: Self.pageLimit)
    ]
    self.server = server
    self.token = token
    let reading = transport.followingRedirects().retryingReads()
    self.transport = token.map { reading.masking([$0]) } ?? reading
  }

  // MARK: Search

  func search(_ request: SearchRequest) async throws -> SearchPage {
    guard request.kind == .repo else {
      throw SearchError(.unsupportedQuery, "\(info.name) is searched for repositories only")
    }
    let cursor = try Cursor(request.cursor, of: info.name)
    let filter = try Filter(request.query)
    if filter.isContradiction { return SearchPage(items: [], total: ResultTotal(0)) }

    let limit = max(1, min(request.pageSize, Self.pageLimit))
    var parameters = filter.parameters
    if let key = request.sort {
      guard let sort = Self.sorts[key] else {
        throw SearchError(.unsupportedQuery, "\(info.name) cannot sort by this key")
      }
      parameters += [("sort", sort), ("order", request.order.rawValue)]
    } else {
      // The API's own order is by name, which says nothing about quality.
      parameters += [("sort", "stars"), ("order", "desc")]
    }
    parameters += [("page", String(cursor.page)), ("limit", String(limit))]

    let response = try await send(["repos", "search"], parameters, deadline: request.deadline)
    guard response.status == 200 else { throw failure(response) }
    let body = try json(response)
    if body["ok"]?.bool == false {
      throw SearchError(
        .serverError, "\(info.name): " + (body["error"]?.string ?? "the search failed"),
        hint: "try again later")
    }
    guard let data = body["data"]?.array ?? (body["data"] == .null ? [] : nil) else {
      throw SearchError(unreadable: response, of: info.name, check: "check the address of the server")
    }

    let items = data.prefix(limit).compactMap(item)
    let seen = cursor.seen + data.count
    let total = response.header("X-Total-Count").flatMap { Int($0) }.flatMap { $0 >= 0 ? $0 : nil }
    // The server may shorten pages, and old ones compute `Link` wrongly, so that the total decides.
    let hasNext: Bool
    if data.isEmpty {
      hasNext = false
    } else if let total {
      hasNext = seen < total
    } else if let link = response.header("Link") {
      hasNext = link.contains("rel=\"next\"")
    } else {
      hasNext = true
    }
    return SearchPage(
      items: Array(items), next: hasNext ? Cursor(page: cursor.page + 1, seen: seen).text : nil,
      total: filter.isComplete ? total.map { ResultTotal(max($0, seen)) } : nil,
      unapplied: filter.unapplied,
      unreadable: min(data.count, limit) - items.count)
  }

  /// The page and the number of entries before it, as `3.100`.
  private struct Cursor {
    var page: Int
    var seen: Int

    init(page: Int, seen: Int) { (self.page, self.seen) = (page, seen) }

    init(_ text: String?, of name: String) throws {
      guard let text else {
        self.init(page: 1, seen: 0)
        return
      }
      let parts = text.split(separator: ".", omittingEmptySubsequences: false).map { Int($0) }
      guard parts.count == 2, let page = parts[0], let seen = parts[1], (2...1_000_000).contains(page),
        (1...1_000_000_000).contains(seen), text == "\(page).\(seen)"
      else { throw SearchError(.invalidCursor, "the cursor does not belong to \(name)", hint: "begin again") }
      self.init(page: page, seen: seen)
    }

    var text: String { "\(page).\(seen)" }
  }

  /// What the API applies of a query.
  private struct Filter {
    var parameters: [(name: String, value: String)] = []
    var unapplied: Set<String> = []
    /// Whether the API applies all of the query, so that its total is that of the query.
    var isComplete = true
    /// Whether no repository can match.
    var isContradiction = false

    init(_ query: QueryExpression?) throws {
      var words: [String] = []
      var terms = 0
      var archived: Set<Bool> = []
      var onlyForks = false
      for part in query?.negationNormalForm.conjuncts ?? [] {
        switch part {
        case .term(let term) where !term.isExpression:
          terms += 1
          words += term.text.split(whereSeparator: \.isWhitespace).map(String.init)
        case .not(.term(let term)) where !term.isExpression:
          isComplete = false
        case .qualifier(let qualifier):
          switch (qualifier.name, qualifier.value) {
          case ("archived", .boolean(let flag)): archived.insert(flag)
          case ("fork", .text("only")): onlyForks = true
          case ("fork", .text("true")): break  // forks too, which is no condition
          case ("fork", _): isComplete = false  // `mode=source` would lose mirrors
          default:
            unapplied.insert(qualifier.name)
            isComplete = false
          }
        case .not(.qualifier(let qualifier)):
          if qualifier.name == "archived", case .boolean(let flag) = qualifier.value {
            archived.insert(!flag)
          } else {
            if qualifier.name != "fork" { unapplied.insert(qualifier.name) }
            isComplete = false
          }
        default:
          throw SearchError(
            .unsupportedQuery, "alternatives and regular expressions are not supported",
            hint: "search for words")
        }
      }
      isContradiction = archived.count == 2
      if let word = words.max(by: { $0.count < $1.count }) {
        parameters += [("q", word), ("includeDesc", "true")]
        // Whether a server takes other characters literally is not documented.
        if terms > 1 || words.count > 1 || !word.allSatisfy({ $0.isLetter || $0.isNumber || $0 == "-" }) {
          isComplete = false
        }
      }
      if let flag = archived.first { parameters.append(("archived", String(flag))) }
      if onlyForks { parameters.append(("mode", "fork")) }
    }
  }

  // MARK: Details

  func details(of id: EntityReference, deadline: ContinuousClock.Instant) async throws -> EntityDetails? {
    guard id.subject == .repository else {
      throw SearchError(.unsupportedQuery, "\(info.name) has details of repositories only")
    }
    // A server below a path (`example.org/git`) has the path in its ids.
    var owner = id.owner.split(separator: "/").map(String.init)
    let base = server.path.split(separator: "/").map(String.init)
    guard id.host == server.authority, owner.starts(with: base) else { return nil }
    owner.removeFirst(base.count)
    guard owner.count == 1 else { return nil }
    // A reference made of a web address keeps its percent-encoding, which a name of Gitea cannot contain.
    let path = [
      "repos", owner[0].removingPercentEncoding ?? owner[0], id.name.removingPercentEncoding ?? id.name,
    ]
    guard !path.contains(where: { $0.isEmpty || $0.contains("/") || [".", ".."].contains($0) }) else {
      return nil
    }
    async let languages = languages(path, deadline: deadline)
    let response = try await send(path, [], deadline: deadline)
    if response.status == 404 { return nil }
    guard response.status == 200 else { throw failure(response) }
    guard var item = item(try json(response)) else {
      throw SearchError(unreadable: response, of: info.name, check: "check the address of the server")
    }
    switch await languages {
    case .success(let value):
      item.fields[.languages] = value
      return EntityDetails(item: item)
    case .failure(let error):
      return EntityDetails(item: item, missing: [MissingPart(.languages, error)])
    }
  }

  private func languages(
    _ path: [String], deadline: ContinuousClock.Instant
  ) async -> Result<FieldValue?, SearchError> {
    do throws(SearchError) {
      let response = try await send(path + ["languages"], [], deadline: deadline)
      guard response.status == 200 else { throw failure(response) }
      guard let members = try json(response).object else {
        throw SearchError(unreadable: response, of: info.name, check: "check the address of the server")
      }
      let languages = members.compactMap { name, value in
        value.integer.map { (name: name, bytes: max(0, $0)) }
      }
      .sorted { ($1.bytes, $0.name) < ($0.bytes, $1.name) }
      let sum = languages.reduce(0.0) { $0 + Double($1.bytes) }
      guard sum > 0 else { return .success(nil) }
      return .success(
        .items(
          languages.map {
            .record([
              "name": .text($0.name), "bytes": .number($0.bytes), "share": .fraction(Double($0.bytes) / sum),
            ])
          }))
    } catch {
      return .failure(error)
    }
  }

  // MARK: Items

  /// The result for a repository; `nil` if it cannot be read.
  private func item(_ json: JSONTree) -> SearchResult? {
    guard let owner = json["owner"]?["login"]?.string, let name = json["name"]?.string,
      let reference = EntityReference(
        server.authority + server.path.trimmingSuffix("/") + "/\(owner)/\(name)",
        defaultHost: server.authority),
      reference.subject == .repository
    else { return nil }
    let own = server.appending([owner, name]).text
    var item = SearchResult(
      // The host of `html_url` is the configured one, which need not be the one that is asked.
      id: reference.id, forgeID: json["id"]?.integer.map { "\(server.authority):\($0)" }, kind: .repo,
      title: "\(owner)/\(name)", url: Self.address(json["html_url"]) ?? own)
    item.set(.host, server.authority)
    item.set(.owner, owner)
    item.set(.name, name)
    item.set(.fullName, "\(owner)/\(name)")
    item.set(.description, json["description"]?.string)
    item.set(.avatarURL, Self.address(json["owner"]?["avatar_url"]))
    item.set(.homepage, Self.address(json["website"]))
    item.set(.language, json["language"]?.string)
    item.set(.topics, Self.texts(json["topics"]))
    item.set(.license, Self.texts(json["licenses"]).first)
    item.set(.stars, Self.count(json["stars_count"]))
    item.set(.forks, Self.count(json["forks_count"]))
    item.set(.subscribers, Self.count(json["watchers_count"]))
    // Forage counts pull requests as issues, Gitea does not.
    if let issues = Self.count(json["open_issues_count"]) {
      item.set(.openIssues, issues + (Self.count(json["open_pr_counter"]) ?? 0))
    }
    item.set(.sizeKB, Self.count(json["size"]))
    item.set(.fork, json["fork"]?.bool)
    item.set(.archived, json["archived"]?.bool)
    item.set(.isPrivate, json["private"]?.bool)
    item.set(.template, json["template"]?.bool)
    item.set(.mirror, json["mirror"]?.bool)
    item.set(.defaultBranch, json["default_branch"]?.string)
    item.set(.createdAt, Self.date(json["created_at"]))
    item.set(.updatedAt, Self.date(json["updated_at"]))
    // A migrated repository has the address too, but does not follow it.
    if json["mirror"]?.bool == true { item.relate(to: json["original_url"]?.string, .mirror) }
    return item
  }

  private static func texts(_ json: JSONTree?) -> [String] {
    (json?.array ?? []).compactMap(\.string).filter { !$0.isEmpty }
  }

  private static func count(_ json: JSONTree?) -> Int? { json?.integer.flatMap { $0 >= 0 ? $0 : nil } }

  /// An address that a program can open; other schemes and addresses with credentials are refused.
  private static func address(_ json: JSONTree?) -> String? {
    json?.string.flatMap { HTTPURL($0) == nil ? nil : $0 }
  }

  /// An absent time is in year 1 or the epoch.
  private static func date(_ json: JSONTree?) -> Date? {
    guard let text = json?.string, let date = try? Date(text, strategy: .iso8601) else { return nil }
    return date.timeIntervalSince1970 > 0 ? date : nil
  }

  // MARK: Requests

  private func send(
    _ path: [String], _ parameters: [(name: String, value: String)], deadline: ContinuousClock.Instant
  ) async throws(SearchError) -> HTTPResponse {
    var headers = [("Accept", "application/json"), ("User-Agent", "forage-gitea/1.0")]
    if let token { headers.append(("Authorization", "token \(token)")) }
    let url = server.appending(["api", "v1"] + path, parameters: parameters)
    let response: HTTPResponse
    do {
      response = try await transport.send(HTTPRequest(url: url, headers: headers, deadline: deadline))
    } catch let error as HTTPError {
      throw SearchError(
        error, of: info.name, network: "check the network", check: "check the address of the server")
    } catch {
      throw SearchError(.cancelled, "the request to \(info.name) was cancelled")
    }
    return response
  }

  private func json(_ response: HTTPResponse) throws(SearchError) -> JSONTree {
    guard let tree = try? JSONDecoder().decode(JSONTree.self, from: Data(response.body)) else {
      throw SearchError(unreadable: response, of: info.name, check: "check the address of the server")
    }
    return tree
  }

  /// The error for an answer that is no success.
  private func failure(_ response: HTTPResponse) -> SearchError {
    let body = try? JSONDecoder().decode(JSONTree.self, from: Data(response.body))
    let said = [body?["message"]?.string, body?["error"]?.string].lazy.compactMap(\.self).first {
      !$0.isEmpty
    }
    return SearchError(
      refusal: response, of: info.name, said: said, check: "check the address of the server")
  }
}

extension String {
  fileprivate func trimmingSuffix(_ suffix: String) -> String {
    hasSuffix(suffix) ? String(dropLast(suffix.count)) : self
  }
}
