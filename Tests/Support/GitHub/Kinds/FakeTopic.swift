public import Foundation

/// A topic that `FakeGitHub` knows.
public struct FakeTopic: Sendable, Hashable {
  /// The name in lower case.
  public var name: String
  /// The name as people write it; nil where nobody has written about the topic.
  public var displayName: String?
  /// A sentence.
  public var shortDescription: String?
  /// A paragraph.
  public var description: String?
  /// True when somebody has written about it.
  public var isCurated = false
  /// True when it is among the chosen ones.
  public var isFeatured = false
  /// How many repositories carry it; the answer does not say.
  public var repositories = 0
  /// When it was made.
  public var createdAt = Date(timeIntervalSince1970: 1_480_000_000)
  /// When anything about it changed.
  public var updatedAt = Date(timeIntervalSince1970: 1_700_000_000)

  /// Makes a topic that has nothing but its name.
  public init(name: String) { self.name = name }
}

extension FakeSearch where Item == FakeTopic {
  /// `GET /search/topics`, which knows no sort.
  static let topics = FakeSearch(
    qualifiers: ["is", "repositories", "created", "topic"],
    scopes: ["text"],
    texts: { topic in
      [topic.name, topic.displayName, topic.shortDescription, topic.description].compactMap(\.self).map {
        ("text", $0)
      }
    },
    satisfies: { topic, name, value in
      switch (name, value.lowercased()) {
      case ("is", "curated"): topic.isCurated
      case ("is", "not-curated"): !topic.isCurated
      case ("is", "featured"): topic.isFeatured
      case ("is", "not-featured"): !topic.isFeatured
      case ("repositories", _): FakeQuery.number(value, topic.repositories)
      case ("created", _): FakeQuery.date(value, topic.createdAt)
      case ("topic", let wanted): topic.name == wanted
      default: true
      }
    },
    json: { topic, _ in
      [
        "name": .string(topic.name), "display_name": .optional(topic.displayName),
        "short_description": .optional(topic.shortDescription), "description": .optional(topic.description),
        "created_by": nil, "released": nil, "created_at": .string(UTCTime.iso(topic.createdAt)),
        "updated_at": .string(UTCTime.iso(topic.updatedAt)), "featured": .bool(topic.isFeatured),
        "curated": .bool(topic.isCurated), "score": 1.0,
      ]
    })
}
