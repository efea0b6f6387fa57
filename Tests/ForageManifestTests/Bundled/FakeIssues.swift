import ForageCore
import Foundation
import TestSupport

/// The issues of invented things: those of an owner are in one repository, `OWNER/app`; every third one is a
/// merge or pull request.
extension FakeThing {
  var isRequest: Bool { number.isMultiple(of: 3) }
  var isOpen: Bool { !number.isMultiple(of: 4) }
  var isMerged: Bool { isRequest && number.isMultiple(of: 8) }
}

extension FakeAPI {
  /// GitLab's lists of issues, merge requests and topics, and single issues and merge requests.
  static func gitlabKinds(
    _ request: RecordedRequest, _ things: [FakeThing], site: String = "https://gitlab.com"
  ) -> ScriptedResponse? {
    let parts = decoded(request).dropFirst(2)
    guard request.path.hasPrefix("/api/v4/"), let last = parts.last else { return nil }
    if parts == ["topics"] {
      let names = ["c", "parsing", "swift"].filter { $0.contains(request.query("search") ?? "") }
      return list(request, names, size: "per_page", total: "X-Total") {
        ["id": .integer(1), "name": .string($0), "title": .string($0), "avatar_url": .null]
      }
    }
    let isRequests = parts.contains("merge_requests")
    guard isRequests || parts.contains("issues") else { return nil }
    var found = things.filter { $0.isRequest == isRequests }
    if parts.first == "projects" { found = found.filter { $0.owner + "/app" == parts.dropFirst().first } }
    if parts.first == "groups" { found = found.filter { $0.owner == parts.dropFirst().first } }
    if let number = Int(last) {
      return found.first { $0.number == number }.map { .json(body: json(.object(gitlabRow($0, site)))) }
        ?? .json(status: 404, body: #"{"message":"404 Not found"}"#)
    }
    found = found.filter { $0.has((request.query("search") ?? "").split(separator: " ")) }
    switch request.query("state") {
    case "opened": found = found.filter(\.isOpen)
    case "closed": found = found.filter { !$0.isOpen && !$0.isMerged }
    default: break
    }
    for label in request.query("labels")?.split(separator: ",") ?? [] {
      found = found.filter { $0.tags.contains(String(label)) }
    }
    for label in request.query("not[labels]")?.split(separator: ",") ?? [] {
      found = found.filter { !$0.tags.contains(String(label)) }
    }
    if let author = request.query("not[author_username]") { found = found.filter { $0.owner != author } }
    if let author = request.query("author_username") { found = found.filter { $0.owner == author } }
    let isAscending = request.query("sort") == "asc"
    let byCreation = request.query("order_by") == "created_at"
    found = sorted(found, isAscending) { byCreation ? $0.created : $0.updated }
    return list(request, found, size: "per_page", total: "X-Total") { gitlabRow($0, site) }
  }

  private static func gitlabRow(_ thing: FakeThing, _ site: String) -> [String: JSONTree] {
    let place = "\(site)/\(thing.owner)/app/-/" + (thing.isRequest ? "merge_requests" : "issues")
    var row: [String: JSONTree] = [
      "id": .integer(1000 + thing.number), "iid": .integer(thing.number), "title": .string(thing.name),
      "description": .string(thing.text),
      "state": .string(thing.isOpen ? "opened" : thing.isMerged ? "merged" : "closed"),
      "created_at": .string(FakeThing.iso(thing.created)),
      "updated_at": .string(FakeThing.iso(thing.updated)), "labels": texts(thing.tags),
      "assignees": .array([]),
      "milestone": .null, "author": .object(["username": .string(thing.owner), "avatar_url": .null]),
      "user_notes_count": .integer(thing.answers), "web_url": .string("\(place)/\(thing.number)"),
    ]
    if thing.isRequest {
      row["draft"] = .bool(false)
      row["merged_at"] = thing.isMerged ? .string(FakeThing.iso(thing.updated)) : .null
    }
    return row
  }

  /// Gitea's list of issues and pull requests, which is one, those of users and topics, and a single issue.
  static func giteaKinds(
    _ request: RecordedRequest, _ things: [FakeThing], site: String = "https://codeberg.org"
  ) -> ScriptedResponse? {
    let parts = Array(decoded(request).dropFirst(2))
    guard request.path.hasPrefix("/api/v1/"), let last = parts.last else { return nil }
    let text = (request.query("q") ?? "").lowercased()
    if parts == ["topics", "search"] {
      return list(
        request, ["c", "parsing", "swift"].filter { $0.contains(text) }, size: "limit", inside: "topics"
      ) { ["id": .integer(1), "topic_name": .string($0), "repo_count": .integer(3)] }
    }
    if parts == ["users", "search"] {
      return list(request, ["ada", "bao"].filter { $0.contains(text) }, size: "limit", inside: "data") {
        ["id": .integer(1), "login": .string($0), "full_name": .string(""), "followers_count": .integer(2)]
      }
    }
    guard parts.first == "repos", parts.contains("issues") else { return nil }
    var found = things
    if parts[1] != "issues" { found = found.filter { $0.owner == parts[1] && parts[2] == "app" } }
    if let number = Int(last) {
      return found.first { $0.number == number }.map { .json(body: json(.object(giteaRow($0, site)))) }
        ?? .json(status: 404, body: #"{"message":"issue does not exist"}"#)
    }
    found = found.filter { $0.has(text.split(separator: " ")) }
    switch request.query("state") ?? "open" {
    case "open": found = found.filter(\.isOpen)
    case "closed": found = found.filter { !$0.isOpen }
    default: break
    }
    if let type = request.query("type") { found = found.filter { $0.isRequest == (type == "pulls") } }
    if let owner = request.query("owner") { found = found.filter { $0.owner == owner } }
    if let labels = request.query("labels")?.split(separator: ",").map(String.init) {
      found = found.filter { thing in labels.contains { thing.tags.contains($0) } }
    }
    return list(request, found.sorted { $0.created > $1.created }, size: "limit") { giteaRow($0, site) }
  }

  private static func giteaRow(_ thing: FakeThing, _ site: String) -> [String: JSONTree] {
    let place = "\(site)/\(thing.owner)/app/" + (thing.isRequest ? "pulls" : "issues")
    return [
      "id": .integer(2000 + thing.number), "number": .integer(thing.number), "title": .string(thing.name),
      "body": .string(thing.text), "state": .string(thing.isOpen ? "open" : "closed"),
      "user": .object(["login": .string(thing.owner), "avatar_url": .string("")]),
      "labels": .array(thing.tags.map { .object(["name": .string($0)]) }), "assignees": .null,
      "milestone": .null, "comments": .integer(thing.answers), "is_locked": .bool(false),
      "created_at": .string(FakeThing.iso(thing.created)),
      "updated_at": .string(FakeThing.iso(thing.updated)), "closed_at": .null,
      "html_url": .string("\(place)/\(thing.number)"),
      "pull_request": thing.isRequest
        ? .object([
          "merged": .bool(thing.isMerged), "draft": .bool(false),
          "merged_at": thing.isMerged ? .string(FakeThing.iso(thing.updated)) : .null,
        ]) : .null,
      "repository": .object(["full_name": .string(thing.owner + "/app")]),
    ]
  }

  /// The segments of the path, decoded.
  private static func decoded(_ request: RecordedRequest) -> [String] {
    request.path.split(separator: "/").map { String($0).removingPercentEncoding ?? String($0) }
  }

  /// A page of a list, with links and the total in header fields.
  private static func list<Row>(
    _ request: RecordedRequest, _ rows: [Row], size name: String, total: String = "X-Total-Count",
    inside member: String? = nil, _ make: (Row) -> [String: JSONTree]
  ) -> ScriptedResponse {
    let (page, size) = (number(request, "page", 1), max(1, number(request, name, 20)))
    let shown = rows.dropFirst((page - 1) * size).prefix(size).map { JSONTree.object(make($0)) }
    let others = request.queryItems.filter { $0.name != "page" }.map {
      "\($0.name)=\(PercentEncoding.encode($0.value))"
    }
    let next = "\(request.origin)\(request.path)?\((others + ["page=\(page + 1)"]).joined(separator: "&"))"
    let hasLinks = !request.path.hasSuffix("/topics/search")
    let links = hasLinks && page * size < rows.count ? [("Link", "<\(next)>; rel=\"next\"")] : []
    let body = JSONTree.array(shown)
    return .json(
      headers: links + [(total, "\(rows.count)")],
      body: json(member.map { .object([$0: body]) } ?? body))
  }
}
