public import Foundation

extension FakeGitHub {
  /// When the star at a place of a list was given: an hour after the one before it.
  public static func starredAt(_ place: Int) -> Date {
    Date(timeIntervalSince1970: 1_750_000_000 + Double(place) * 3600)
  }

  /// `/user/starred`: list, check, add and remove; all need a token.
  func starring(_ call: Call, _ options: Options) -> FakeAnswer {
    guard call.token != nil else { return .error(401, "Requires authentication") }
    if call.parts.count == 2, call.request.method == "GET" {
      return starredList(options.starred, call, options)
    }
    guard call.parts.count == 4 else { return .notFound }
    let method = call.request.method
    let name = "\(call.parts[2])/\(call.parts[3])".lowercased()
    guard let found = options.repositories.first(where: { $0.fullName.lowercased() == name }) else {
      return renamed(name, call, options)
    }
    let has = options.starred.contains(found.fullName)
    switch method {
    case "GET": return has ? FakeAnswer(status: 204, json: nil) : .notFound
    case "PUT":
      // A body that is not announced at all is refused.
      guard call.request.header("content-length") == "0" else { return .error(411, "Length Required") }
      if !has { update { $0.starred.append(found.fullName) } }
      return FakeAnswer(status: 204, json: nil)
    case "DELETE":
      update { $0.starred.removeAll { $0 == found.fullName } }
      return FakeAnswer(status: 204, json: nil)
    default: return .notFound
    }
  }

  /// Reads of an old name are sent on with 301, writes with 307, which keeps the method.
  private func renamed(_ name: String, _ call: Call, _ options: Options) -> FakeAnswer {
    guard let id = options.renames.first(where: { $0.key.lowercased() == name })?.value,
      let now = options.repositories.first(where: { $0.id == id })
    else { return .notFound }
    let location = "\(call.api)/user/starred/\(now.fullName)"
    return FakeAnswer(
      status: call.request.method == "GET" ? 301 : 307, headers: [("Location", location)],
      json: [
        "message": "Moved Permanently", "url": .string(location),
        "documentation_url": "https://docs.github.com/v3/#http-redirects",
      ])
  }

  /// A list of stars, by the time of the star or of the last push, with its validator.
  func starredList(_ starred: [String], _ call: Call, _ options: Options) -> FakeAnswer {
    let links = links(call, options)
    let (page, size) = Self.paging(call.request)
    var known = starred.enumerated().compactMap { place, name -> (place: Int, repository: FakeRepository)? in
      options.repositories.first { $0.fullName == name && visible($0, call) }.map { (place, $0) }
    }
    if call.request.query("sort") == "updated" {
      let epoch = Date(timeIntervalSince1970: 0)
      known.sort { a, b in
        let (x, y) = (a.repository.pushedAt ?? epoch, b.repository.pushedAt ?? epoch)
        return x == y ? a.place < b.place : x < y
      }
    }
    if call.request.query("direction") != "asc" { known.reverse() }
    let isDated = (call.request.header("accept") ?? "").contains("star+json")
    let items = known.dropFirst((page - 1) * size).prefix(size).map { star -> FakeJSON in
      guard isDated else { return star.repository.listItem(links) }
      return [
        "starred_at": .string(UTCTime.iso(Self.starredAt(star.place))),
        "repo": star.repository.listItem(links),
      ]
    }
    var answer = FakeAnswer(status: 200, json: .array(Array(items)))
    let tag = Self.entityTag(answer.body)
    answer.headers = [("Cache-Control", "private, max-age=60, s-maxage=60"), ("ETag", tag)]
    if let link = Self.link(call, page: page, size: size, count: known.count) {
      answer.headers.append(("Link", link))
    }
    if call.request.header("if-none-match") == tag {
      answer.status = 304
      answer.body = []
    }
    return answer
  }
}
