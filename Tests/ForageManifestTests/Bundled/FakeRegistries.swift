import ForageCore
import TestSupport

extension FakeAPI {
  /// The Stack Exchange API's `/search/advanced`, and `/questions` for its feed.
  static let stackoverflow = FakeAPI(path: "/2.3/search/advanced") { request, things in
    questions(request, things)
  }
  static let hotQuestions = FakeAPI(path: "/2.3/questions") { request, things in questions(request, things) }

  private static func questions(_ request: RecordedRequest, _ things: [FakeThing]) -> ScriptedResponse {
    func failure(_ id: Int, _ name: String, _ message: String) -> ScriptedResponse {
      .json(status: 400, body: #"{"error_id":\#(id),"error_name":"\#(name)","error_message":"\#(message)"}"#)
    }
    guard request.query("site") == "stackoverflow" else {
      return failure(400, "bad_parameter", "site is required")
    }
    let (page, size) = (number(request, "page", 1), number(request, "pagesize", 30))
    guard (1...100).contains(size), page >= 1 else { return failure(400, "bad_parameter", "pagesize") }
    let words = (request.query("q") ?? "").replacing("\"", with: "").split(separator: " ")
    var found = things.filter { $0.has(words) }
    if let tags = request.query("tagged")?.split(separator: ";").map(String.init) {
      found = found.filter { !Set($0.tags).isDisjoint(with: tags) }
    }
    if let tags = request.query("nottagged")?.split(separator: ";").map(String.init) {
      found = found.filter { Set($0.tags).isDisjoint(with: tags) }
    }
    if let flag = request.query("accepted") { found = found.filter { $0.isAccepted == (flag == "true") } }
    if let least = request.query("answers").flatMap({ Int($0) }) {
      found = found.filter { $0.answers >= least }
    }
    if let from = request.query("fromdate").flatMap({ Int($0) }) {
      found = found.filter { $0.created >= from }
    }
    if let to = request.query("todate").flatMap({ Int($0) }) { found = found.filter { $0.created <= to } }
    found = sorted(found, request.query("order") == "asc") { thing in
      switch request.query("sort") {
      case "votes": thing.stars
      case "creation": thing.created
      case "activity": thing.updated
      default: -thing.number
      }
    }
    let rows = Self.page(found, from: (page - 1) * size, size).map { thing -> JSONTree in
      var members: [String: JSONTree] = [
        "question_id": .integer(thing.number),
        "title": .string("What&#39;s a &quot;\(thing.name)&quot;: \(thing.text)?"),
        "link": .string("https://stackoverflow.com/questions/\(thing.number)/x"), "tags": texts(thing.tags),
        "score": .integer(thing.stars),
        "view_count": .integer(thing.stars * 3), "answer_count": .integer(thing.answers),
        "is_answered": .bool(thing.isAccepted),
        "creation_date": .integer(thing.created), "last_activity_date": .integer(thing.updated),
        "owner": .object([
          "display_name": .string(thing.owner + " &amp; co"), "user_type": .string("registered"),
        ]),
      ]
      if thing.isAccepted { members["accepted_answer_id"] = .integer(thing.number + 1) }
      return .object(members)
    }
    return .json(
      body: json(
        .object([
          "items": .array(rows), "has_more": .bool(page * size < found.count), "quota_max": .integer(300),
          "quota_remaining": .integer(-1),
        ])))
  }

  /// crates.io's `GET /api/v1/crates`.
  static let crates = FakeAPI(path: "/api/v1/crates") { request, things in
    let (page, size) = (number(request, "page", 1), number(request, "per_page", 10))
    guard (1...100).contains(size) else {
      return .json(status: 400, body: #"{"errors":[{"detail":"cannot request more than 100 items"}]}"#)
    }
    guard page <= 200 else {
      return .json(
        status: 400, body: #"{"errors":[{"detail":"Page 201 is unavailable for performance reasons."}]}"#)
    }
    var found = things.filter { $0.has((request.query("q") ?? "").split(separator: " ")) }
    if let keyword = request.query("keyword") { found = found.filter { $0.tags.contains(keyword) } }
    let rows = Self.page(found, from: (page - 1) * size, size).map { thing -> JSONTree in
      .object([
        "id": .string(thing.name), "name": .string(thing.name), "description": .string(thing.text + "\n"),
        "keywords": texts(thing.tags),
        "max_stable_version": thing.number % 3 == 0 ? .null : .string("1.\(thing.number).0"),
        "newest_version": .string("2.0.0-rc.1"),
        "max_version": .string("2.0.0-rc.1"), "downloads": .integer(thing.stars * 100),
        "recent_downloads": .null, "homepage": .null,
        "documentation": .null, "created_at": .string(FakeThing.iso(thing.created)),
        "updated_at": .string(FakeThing.iso(thing.updated).replacing("Z", with: ".123456+00:00")),
        "repository": thing.number % 4 == 0
          ? .null : .string("https://github.com/\(thing.owner)/\(thing.name)"),
      ])
    }
    let next: JSONTree = page * size < found.count ? .string("?page=\(page + 1)") : .null
    return .json(
      body: json(
        .object([
          "crates": .array(rows), "meta": .object(["total": .integer(found.count), "next_page": next]),
        ])))
  }

  /// The npm registry's `GET /-/v1/search`.
  static let npm = FakeAPI(path: "/-/v1/search") { request, things in
    let words = (request.query("text") ?? "").split(separator: " ")
    var found = things.filter { $0.has(words.filter { !$0.contains(":") }) }
    for word in words where word.hasPrefix("keywords:") {
      found = found.filter { $0.tags.contains(String(word.dropFirst(9))) }
    }
    let rows = Self.page(found, from: number(request, "from", 0), min(250, number(request, "size", 20))).map {
      thing -> JSONTree in
      .object([
        "package": .object([
          "name": .string("@\(thing.owner)/\(thing.name)"), "version": .string("1.\(thing.number).0"),
          "description": .string(thing.text),
          "keywords": texts(thing.tags), "date": .string(FakeThing.iso(thing.updated)),
          "publisher": .object(["username": .string(thing.owner)]),
          "links": .object(
            thing.number % 2 == 0
              ? [
                "npm": .string("https://www.npmjs.com/package/@\(thing.owner)/\(thing.name)"),
                "repository": .string("git+https://github.com/\(thing.owner)/\(thing.name).git"),
              ]
              : [:]),
        ]), "searchScore": .double(0.5),
      ])
    }
    return .json(
      body: json(.object(["objects": .array(rows), "total": .integer(found.count), "time": .string("now")])))
  }
}
