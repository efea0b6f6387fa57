public import ForageCore
import ForageFoundation
import ForageHTTP

/// The notifications of the token's owner: threads of issues, pull requests, releases and others.
///
/// Source: GitHub's documentation "REST API endpoints for notifications".
struct GitHubNotifications: Sendable {
  static let kind = ResultKind.notification
  static let abilities = Abilities(
    fields: [.host, .repository, .reason, .unread, .updatedAt, .subject, .thread], needsToken: true,
    maximumPageSize: maximumPageSize, feed: feed)
  /// The list is in this order.
  private static let feed: Abilities.Feed = {
    var feed = Abilities.Feed(sorts: ["updated"])
    feed.onlyOrders = ["updated": .descending]
    return feed
  }()
  /// GitHub's maximum page size of this list.
  private static let maximumPageSize = 50

  let client: GitHubClient
  private static let what = "the list of your notifications"

  /// One page, the newest first, read ones too where they are asked for.
  func page(_ request: SearchRequest) async throws -> SearchPage {
    let token = try await client.requiredToken(for: Self.what)
    let place = client.url(["notifications"])
    let url =
      try request.cursor.map { link in
        guard let target = place.resolving(link), target.path.hasSuffix("/notifications") else {
          throw SearchError(.invalidCursor, "the cursor does not belong to this list of notifications")
        }
        return client.ownURL(target, at: place)
      }
      ?? place.appending(
        [],
        parameters: (request.includesRead ? [(name: "all", value: "true")] : [])
          + [(name: "per_page", value: String(min(request.pageSize, Self.maximumPageSize)))])
    do {
      let (items, response) = try await client.get(url, for: .ownLists, deadline: request.deadline) {
        $0.array?.prefix(SearchResponse.maximumItems).map(item)
      }
      return SearchPage(
        items: items.compactMap(\.self), next: response.link("next"),
        notes: await client.omissions(of: response),
        unreadable: items.count { $0 == nil }, failure: await client.limit(of: response),
        cache: response.cache)
    } catch var error as SearchError where [.forbidden, .notFound].contains(error.code) {
      error.hint = Self.rights(token)
      throw error
    }
  }

  static func rights(_ token: ForgeToken) -> String {
    "the token from \(token.source) needs the scope notifications (of a classic token; fine-grained ones cannot read notifications)"
  }

  /// A thread. Only its id, its title and its repository are required.
  ///
  /// Its id is that of the issue or pull request that it is about, so that this is opened and shown; of
  /// anything else it is one of its own.
  private func item(_ tree: JSONTree) -> SearchResult? {
    guard let thread = tree.text("id") ?? tree.number("id").map(String.init), let subject = tree["subject"],
      let title = subject.text("title"), let page = tree["repository"]?.text("html_url"),
      let repository = BelongingRepository(tree["repository"], page: page)
    else { return nil }
    // `https://api.github.com/repos/o/n/issues/5`; absent for discussions and runs of workflows.
    let parts = (subject.text("url") ?? "").split(separator: "/")
    let last = parts.last.map(String.init) ?? ""
    let place = parts.count > 1 ? parts[parts.count - 2] : ""
    let number = ["issues", "pulls"].contains(place) ? Int(last) : nil
    var result = SearchResult(
      id: number.map { "\(repository.id)#\($0)" } ?? "notification:\(repository.host):\(thread)",
      kind: Self.kind, title: title.isEmpty ? "untitled" : title)
    let path =
      switch place {
      case "issues": "/issues/\(last)"
      case "pulls": "/pull/\(last)"
      case "commits": "/commit/\(last)"
      case "releases": "/releases"
      default: Self.sections[subject.text("type") ?? ""] ?? ""
      }
    result.setPage(page + path)
    result.set(.host, repository.host)
    result.set(.repository, repository.name)
    result.set(.reason, tree.text("reason"))
    result.set(.unread, tree.flag("unread"))
    result.set(.updatedAt, tree.date("updated_at"))
    result.set(.thread, thread)
    var record: [String: FieldValue] = ["kind": .text(Self.name(subject.text("type") ?? ""))]
    record["number"] = number.map { .number($0) }
    result[.subject] = .record(record)
    return result
  }

  /// The pages of what has no address in the answer, below that of the repository, by the type of the
  /// subject.
  private static let sections = [
    "Discussion": "/discussions", "CheckSuite": "/actions", "WorkflowRun": "/actions",
    "RepositoryInvitation": "/invitations", "RepositoryAdvisory": "/security/advisories",
    "RepositoryVulnerabilityAlert": "/security/dependabot",
    "RepositoryDependabotAlertsThread": "/security/dependabot",
    "SecretScanningAlert": "/security/secret-scanning", "CodeScanningAlert": "/security/code-scanning",
  ]

  /// A kind of subjects as other results are called.
  private static func name(_ type: String) -> String {
    switch type {
    case "PullRequest": "pr"
    case "CheckSuite", "WorkflowRun": "run"
    default: type.lowercased()
    }
  }
}

extension GitHubProvider {
  /// Marks notifications as read, with one request that is not repeated.
  ///
  /// - Throws: `SearchError`, whose message says whether the outcome is unknown.
  public func markRead(_ what: ReadNotifications, deadline: ContinuousClock.Instant) async throws {
    let token = try await client.requiredToken(for: "marking notifications as read")
    try Task.checkCancellation()
    let (method, url, body): (String, HTTPURL, String) =
      switch what {
      case .thread(let id): ("PATCH", client.url(["notifications", "threads", id]), "")
      case .all(let time):
        ("PUT", client.url(["notifications"]), #"{"last_read_at":"\#(Timestamp.text(time))","read":true}"#)
      }
    var headers = client.headers(token, accept: GitHubClient.json)
    headers.append((name: "Content-Length", value: String(body.utf8.count)))
    if !body.isEmpty { headers.append((name: "Content-Type", value: "application/json")) }
    var request = HTTPRequest(method: method, url: url, headers: headers, deadline: deadline)
    request.body = Array(body.utf8)
    var errors = client.errors(token)
    errors.words = [
      .invalidQuery: RefusalWords("rejected the change", hint: "see: forage feed -k notification")
    ]
    errors.permissionHint = GitHubNotifications.rights(token)
    // The change may have been made whatever the response is.
    defer { client.forgetOwnLists(token) }
    let failure: SearchError
    do {
      let response = try await writing(token).send(request)
      // 202 says that there are many, which are marked one after the other; 304 that there was nothing to
      // change.
      if [200, 202, 204, 205, 304].contains(response.status) { return }
      failure = errors.error(response)
    } catch let error as HTTPError {
      failure = errors.error(error)
    }
    throw failure.markingRead
  }
}
