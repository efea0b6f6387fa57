import ForageCore

extension GitHubKind {
  /// Topics. Source: GitHub's documentation "Searching topics".
  static let topics = GitHubKind(
    .topic, path: "topics", reading: TopicResponse.self, common: ["created"],
    own: [
      ("is", .words(["curated", "featured", "not-curated", "not-featured"]), nil),
      ("repositories", .number, .repositoryCount), ("topic", .text, .name),
    ],
    fields: [
      .host, .name, .description, .curated, .featured, .repositoryCount, .createdAt, .updatedAt,
    ],
    sorts: [])
}

/// A topic of a response. Only its name is required.
struct TopicResponse: GitHubItem {
  var name: String
  var displayName: String?
  var shortDescription: String?
  var description: String?
  var isCurated: Bool?
  var isFeatured: Bool?
  var repositories: Int?
  var createdAt: String?
  var updatedAt: String?

  init(from decoder: any Decoder) throws {
    let object = try AnswerObject(from: decoder)
    name = try object.required("name", object.text("name"))
    displayName = object.text("display_name")
    shortDescription = object.text("short_description")
    description = object.text("description")
    isCurated = object.flag("curated")
    isFeatured = object.flag("featured")
    repositories = object.number("repository_count")
    createdAt = object.text("created_at")
    updatedAt = object.text("updated_at")
  }

  /// The response contains no address, so the topic belongs to the server's host.
  func result(on host: String) -> SearchResult? {
    let key = name.lowercased()
    guard !key.isEmpty, key.unicodeScalars.allSatisfy(Self.canBeNamed) else { return nil }
    let title = [displayName, name].lazy.compactMap(\.self).first { !$0.isEmpty } ?? name
    var item = SearchResult(id: "\(host)/topics/\(key)", kind: .topic, title: title)
    item.setPage("https://\(host)/topics/\(PercentEncoding.encode(key))")
    item.set(.host, host)
    item.set(.name, name)
    item.set(.description, [shortDescription, description].lazy.compactMap(\.self).first { !$0.isEmpty })
    item.set(.curated, isCurated)
    item.set(.featured, isFeatured)
    item.set(.repositoryCount, repositories)
    item.set(.createdAt, GitHubTime.date(createdAt))
    item.set(.updatedAt, GitHubTime.date(updatedAt))
    return item
  }

  /// Whether a character is allowed in a topic's name: no white space, control or invisible characters.
  private static func canBeNamed(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .spaceSeparator: false
    default: scalar != "/"
    }
  }
}
