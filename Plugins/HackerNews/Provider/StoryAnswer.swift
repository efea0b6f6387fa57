import ForageCore

/// A response of the API; any member may be absent or `null`.
struct StoryAnswer: Decodable, Sendable {
  /// The stories.
  var hits: [Hit]
  /// The total number of stories.
  var total: Int?
  /// The number of reachable pages at the requested page size.
  var pageCount: Int
  /// Whether the total is exact rather than estimated.
  var isExhaustive: Bool

  private enum CodingKeys: String, CodingKey {
    case hits, nbHits, nbPages, exhaustiveNbHits
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    hits = try container.decode([Hit].self, forKey: .hits)
    total = (try? container.decodeIfPresent(Int.self, forKey: .nbHits)).flatMap { $0 >= 0 ? $0 : nil }
    pageCount = (try? container.decodeIfPresent(Int.self, forKey: .nbPages)) ?? 0
    isExhaustive = (try? container.decodeIfPresent(Bool.self, forKey: .exhaustiveNbHits)) ?? true
  }

  /// A story.
  struct Hit: Decodable, Sendable {
    var objectID: String?
    var title: String?
    var url: String?
    var author: String?
    var points: Int?
    var comments: Int?
    var createdAt: Int?
    var text: String?

    private enum CodingKeys: String, CodingKey {
      case objectID, title, url, author, points
      case comments = "num_comments"
      case createdAt = "created_at_i"
      case text = "story_text"
    }

    init(from decoder: any Decoder) throws {
      // A member of another type must not invalidate the other stories.
      guard let container = try? decoder.container(keyedBy: CodingKeys.self) else { return }
      func value<Value: Decodable>(_ key: CodingKeys) -> Value? {
        try? container.decodeIfPresent(Value.self, forKey: key)
      }
      objectID = value(.objectID)
      title = value(.title)
      url = value(.url)
      author = value(.author)
      points = value(.points)
      comments = value(.comments)
      createdAt = value(.createdAt)
      text = value(.text)
    }
  }
}
