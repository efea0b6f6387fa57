import ForageCore

extension GitHubKind {
  /// Topics. Source: GitHub's documentation "Searching topics".
  static let topics = GitHubKind(
    .topic, path: "topics", common: ["created"],
    own: [
      ("is", .words(["curated", "featured", "not-curated", "not-featured"]), nil),
      ("repositories", .number, .repositoryCount), ("topic", .text, .name),
    ],
    read: members, fields: [.host, .name, .description], required: ["name"], sorts: [],
    reachable: GitHubProvider.reachable, item: topic)

  private static let members = [
    ResponseField(.curated, "curated"), ResponseField(.featured, "featured"),
    ResponseField(.repositoryCount, "repository_count"), ResponseField(.createdAt, "created_at"),
    ResponseField(.updatedAt, "updated_at"),
  ]

  /// A topic. Only its name is required; it belongs to the server's host, as the response contains no
  /// address.
  @Sendable private static func topic(_ item: JSONTree, host: String) -> SearchResult? {
    guard let name = item.words("name"), name.lowercased().unicodeScalars.allSatisfy(canBeNamed) else {
      return nil
    }
    let topic = EntityReference(topic: name, on: host)
    var result = SearchResult(id: topic.id, kind: .topic, title: item.words("display_name") ?? name)
    result.setPage(topic.webAddress)
    result.read(members, from: item)
    result.set(.host, host)
    result.set(.name, name)
    result.set(.description, item.words("short_description") ?? item.text("description"))
    return result
  }

  /// Whether a character is allowed in a topic's name: no white space, control or invisible characters.
  private static func canBeNamed(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .spaceSeparator: false
    default: scalar != "/"
    }
  }
}
