import Foundation

/// A stand-in for the search API of Hacker News: the lists by relevance and by date, with tags, numeric
/// filters and pages.
///
/// Words match by their beginnings in title, address, author and text, all of them; a phrase in quotes as it
/// stands, and what follows a minus sign must not occur. Pages end at the thousandth story, as there.
public struct FakeHackerNews: Sendable {
  /// A story; what is `nil` is left out of the answer, or `null` in the older form.
  public struct Story: Sendable {
    public var id: Int
    public var title: String
    public var url: String?
    public var author: String
    public var points: Int?
    public var comments: Int?
    public var createdAt: Int
    public var text: String?
    public var isOnFrontPage = false

    public init(
      id: Int, title: String, url: String? = nil, author: String = "ada", points: Int? = 1,
      comments: Int? = 0,
      createdAt: Int = 1_700_000_000, text: String? = nil, isOnFrontPage: Bool = false
    ) {
      self.id = id
      self.title = title
      self.url = url
      self.author = author
      self.points = points
      self.comments = comments
      self.createdAt = createdAt
      self.text = text
      self.isOnFrontPage = isOnFrontPage
    }
  }

  /// Stories of one query that its pages reach.
  public static let reachable = 1000

  /// What there is.
  public var stories: [Story]
  /// Whether absent members are `null` and times have milliseconds, as they were years ago.
  public var isOldForm = false

  public init(_ stories: [Story], isOldForm: Bool = false) {
    self.stories = stories
    self.isOldForm = isOldForm
  }

  /// Stories with everything that varies, the same for every call.
  public static func sample(count: Int) -> FakeHackerNews {
    FakeHackerNews(
      (0..<count).map { n in
        Story(
          id: 1000 + n, title: "Show parser number \(n)",
          url: n % 3 == 0 ? nil : "https://github.com/owner/name\(n)",
          author: ["ada", "bao", "chidi"][n % 3], points: (n * 37) % 101, comments: (n * 13) % 57,
          createdAt: 1_500_000_000 + n * 86_400, text: n % 3 == 0 ? "Why &amp; how<p>I did it" : nil,
          isOnFrontPage: n < 30)
      })
  }

  /// Answers one request.
  public func answer(_ request: RecordedRequest) -> ScriptedResponse {
    guard ["/api/v1/search", "/api/v1/search_by_date"].contains(request.path) else {
      return .json(status: 404, body: #"{"message":"no such path","status":404}"#)
    }
    let size = Int(request.query("hitsPerPage") ?? "20") ?? 20
    let page = Int(request.query("page") ?? "0") ?? 0
    guard let found = found(request) else {
      return .json(status: 400, body: #"{"message":"invalid numeric filter","status":400}"#)
    }
    let reached = found.prefix(Self.reachable)
    let hits = reached.dropFirst(page * size).prefix(size).map(object)
    let body: [String: Any] = [
      "hits": hits, "nbHits": found.count, "page": page, "hitsPerPage": size,
      "nbPages": (reached.count + size - 1) / max(1, size), "exhaustiveNbHits": true,
      "query": request.query("query") ?? "",
    ]
    guard let data = try? JSONSerialization.data(withJSONObject: body) else { return .status(500) }
    return .json(body: String(decoding: data, as: UTF8.self))
  }

  private func found(_ request: RecordedRequest) -> [Story]? {
    var found = stories
    for tag in (request.query("tags") ?? "").split(separator: ",") {
      if tag == "front_page" { found = found.filter(\.isOnFrontPage) }
      if tag.hasPrefix("author_") { found = found.filter { $0.author == tag.dropFirst(7) } }
    }
    for filter in (request.query("numericFilters") ?? "").split(separator: ",") {
      guard let test = Self.test(filter) else { return nil }
      found = found.filter(test)
    }
    for (text, isWanted) in Self.conditions(request.query("query") ?? "") {
      found = found.filter { Self.matches($0, text) == isWanted }
    }
    if request.path.hasSuffix("by_date") { return found.sorted { $0.createdAt > $1.createdAt } }
    return found.sorted {
      ($0.points ?? 0, $0.comments ?? 0, $0.id) > ($1.points ?? 0, $1.comments ?? 0, $1.id)
    }
  }

  private static func test(_ filter: Substring) -> (@Sendable (Story) -> Bool)? {
    let name = filter.prefix { $0.isLetter || $0 == "_" }
    let operation = filter.dropFirst(name.count).prefix { "<>=".contains($0) }
    guard let number = Int(filter.dropFirst(name.count + operation.count)) else { return nil }
    let read: @Sendable (Story) -> Int?
    switch name {
    case "points": read = { $0.points }
    case "num_comments": read = { $0.comments }
    case "created_at_i": read = { $0.createdAt }
    default: return nil
    }
    switch operation {
    case "<": return { read($0).map { $0 < number } ?? false }
    case "<=": return { read($0).map { $0 <= number } ?? false }
    case "=": return { read($0) == number }
    case ">=": return { read($0).map { $0 >= number } ?? false }
    case ">": return { read($0).map { $0 > number } ?? false }
    default: return nil
    }
  }

  private static func conditions(_ query: String) -> [(text: String, isWanted: Bool)] {
    var (conditions, word, isQuoted): ([(String, Bool)], String, Bool) = ([], "", false)
    func end() {
      let isNegated = word.hasPrefix("-")
      let text = isNegated ? String(word.dropFirst()) : word
      if !text.isEmpty { conditions.append((text.lowercased(), !isNegated)) }
      word = ""
    }
    for character in query {
      if character == "\"" {
        isQuoted.toggle()
      } else if character == " ", !isQuoted {
        end()
      } else {
        word.append(character)
      }
    }
    end()
    return conditions
  }

  private static func matches(_ story: Story, _ text: String) -> Bool {
    [story.title, story.url, story.author, story.text].contains { $0?.lowercased().contains(text) ?? false }
  }

  private func object(_ story: Story) -> [String: Any] {
    var object: [String: Any] = [
      "objectID": String(story.id), "title": story.title, "author": story.author,
      "created_at_i": story.createdAt,
      "_tags": ["story", "author_\(story.author)", "story_\(story.id)"],
    ]
    let time = Date(timeIntervalSince1970: Double(story.createdAt)).ISO8601Format()
    object["created_at"] = isOldForm ? time.replacingOccurrences(of: "Z", with: ".000Z") : time
    let members: [(String, Any?)] = [
      ("url", story.url), ("points", story.points), ("num_comments", story.comments),
      ("story_text", story.text),
    ]
    for (name, value) in members {
      if let value { object[name] = value } else if isOldForm { object[name] = NSNull() }
    }
    return object
  }
}
