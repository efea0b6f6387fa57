import ForageCore
import TestSupport

extension FakeAPI {
  /// GitLab's `GET /api/v4/projects` without a token: only the simple fields, links and totals in header
  /// fields.
  static let gitlab = FakeAPI(path: "/api/v4/projects") { request, things in
    let (page, size) = (number(request, "page", 1), min(100, number(request, "per_page", 20)))
    guard
      ["id", "name", "path", "created_at", "updated_at", "star_count", "last_activity_at"].contains(
        request.query("order_by") ?? "id")
    else {
      return .json(status: 400, body: #"{"error":"order_by does not have a valid value"}"#)
    }
    var found = things.filter { $0.has((request.query("search") ?? "").split(separator: " ")) }
    if let topics = request.query("topic") {
      found = found.filter { thing in
        topics.split(separator: ",").allSatisfy { thing.tags.contains(String($0)) }
      }
    }
    if let language = request.query("with_programming_language") {
      found = found.filter { $0.language.lowercased() == language.lowercased() }
    }
    if let flag = request.query("archived") { found = found.filter { $0.isArchived == (flag == "true") } }
    if let after = request.query("last_activity_after") {
      found = found.filter { FakeThing.iso($0.updated) > after }
    }
    if let before = request.query("last_activity_before") {
      found = found.filter { FakeThing.iso($0.updated) < before }
    }
    let isAscending = request.query("sort") == "asc"
    found = sorted(found, isAscending) { thing in
      switch request.query("order_by") {
      case "star_count": thing.stars
      case "last_activity_at": thing.updated
      default: thing.created
      }
    }
    let rows = Self.page(found, from: (page - 1) * size, size).map { thing -> JSONTree in
      .object([
        "id": .integer(thing.number), "description": thing.number % 7 == 0 ? .null : .string(thing.text),
        "name": .string(thing.name),
        "path": .string(thing.name), "path_with_namespace": .string(thing.owner + "/" + thing.name),
        "created_at": .string(FakeThing.iso(thing.created)), "default_branch": .string("main"),
        "tag_list": texts(thing.tags),
        "topics": texts(thing.tags), "web_url": .string("https://gitlab.com/\(thing.owner)/\(thing.name)"),
        "avatar_url": .null,
        "forks_count": .integer(thing.stars / 9), "star_count": .integer(thing.stars),
        "archived": .bool(thing.isArchived),
        "last_activity_at": .string(FakeThing.iso(thing.updated)),
        "namespace": .object(["full_path": .string(thing.owner), "avatar_url": .null]),
      ])
    }
    let isLast = page * size >= found.count
    let others = request.queryItems.filter { $0.name != "page" }.map {
      "\($0.name)=\(PercentEncoding.encode($0.value))"
    }
    let next = "\(request.origin)\(request.path)?\((others + ["page=\(page + 1)"]).joined(separator: "&"))"
    let first = "<\(request.origin)\(request.path)?page=1>; rel=\"first\""
    return .json(
      headers: [
        ("Link", isLast ? first : "<\(next)>; rel=\"next\", \(first)"), ("X-Total", "\(found.count)"),
        ("X-Next-Page", isLast ? "" : "\(page + 1)"),
      ], body: json(.array(rows)))
  }

  /// Forgejo's `GET /api/v1/repos/search`: the text is looked for as a whole, alphabetically unless sorted.
  static let codeberg = FakeAPI(path: "/api/v1/repos/search") { request, things in
    let (page, size) = (number(request, "page", 1), min(50, number(request, "limit", 50)))
    let sort = request.query("sort") ?? "alpha"
    guard ["alpha", "created", "updated", "size", "stars", "forks", "id"].contains(sort) else {
      return .json(
        status: 422, body: #"{"message":"Invalid sort mode: \"x\"","url":"https://codeberg.org/api/swagger"}"#
      )
    }
    let text = (request.query("q") ?? "").lowercased()
    var found = things.filter { thing in
      text.isEmpty || thing.name.contains(text)
        || request.query("includeDesc") == "true" && thing.text.lowercased().contains(text)
    }
    if let flag = request.query("archived") { found = found.filter { $0.isArchived == (flag == "true") } }
    if let flag = request.query("template") { found = found.filter { _ in flag == "false" } }
    found = sorted(found, request.query("order") != "desc") { thing in
      switch sort {
      case "stars": thing.stars
      case "forks": thing.stars / 9
      case "updated": thing.updated
      case "created": thing.created
      case "size": thing.number * 3
      default: thing.number
      }
    }
    let rows = Self.page(found, from: (page - 1) * size, size).map { thing -> JSONTree in
      .object([
        "id": .integer(thing.number),
        "owner": .object([
          "login": .string(thing.owner), "avatar_url": .string("https://codeberg.org/avatars/0"),
        ]),
        "name": .string(thing.name), "full_name": .string(thing.owner + "/" + thing.name),
        "description": .string(thing.text),
        "fork": .bool(false), "mirror": .bool(thing.number % 5 == 0), "template": .bool(false),
        "archived": .bool(thing.isArchived),
        "private": .bool(false), "language": .string(thing.number % 4 == 0 ? "" : thing.language),
        "html_url": .string("https://codeberg.org/\(thing.owner)/\(thing.name)"),
        "original_url": .string(
          thing.number % 5 == 0 ? "https://github.com/\(thing.owner)/\(thing.name)" : ""),
        "website": .string(""),
        "stars_count": .integer(thing.stars), "forks_count": .integer(thing.stars / 9),
        "watchers_count": .integer(1),
        "open_issues_count": .integer(0), "size": .integer(thing.number * 3),
        "default_branch": .string("main"), "avatar_url": .string(""),
        "created_at": .string(FakeThing.iso(thing.created)),
        "updated_at": .string(FakeThing.iso(thing.updated)),
        "topics": thing.number % 3 == 0 ? .null : texts(thing.tags),
        "licenses": thing.number % 2 == 0 ? .array([.string("MIT")]) : .null,
      ])
    }
    let others = request.queryItems.filter { $0.name != "page" }.map {
      "\($0.name)=\(PercentEncoding.encode($0.value))"
    }
    let next = "\(request.origin)\(request.path)?\((others + ["page=\(page + 1)"]).joined(separator: "&"))"
    let isLast = page * size >= found.count
    return .json(
      headers: (isLast ? [] : [("Link", "<\(next)>; rel=\"next\",<\(next)>; rel=\"last\"")]) + [
        ("X-Total-Count", "\(found.count)")
      ],
      body: json(.object(["ok": .bool(true), "data": .array(rows)])))
  }
}
