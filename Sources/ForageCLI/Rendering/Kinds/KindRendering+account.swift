import ForageCore

extension KindRendering {
  /// Accounts. For programs: login, name, description, type, followers, address, providers.
  static let user = KindRendering(
    columns: [
      Column("LOGIN", .title, fifths: 2) { item, _ in item.result[.login]?.text ?? item.result.title },
      Column("NAME", dropOrder: 1, isFlexible: true) { item, _ in about(item.result) },
      Column("TYPE", .language, dropOrder: 3, maximum: 16) { item, _ in item.result.text(.accountType) },
      .count("FOLLOWERS", .followers, .stars, dropOrder: 2), .from(dropOrder: 4),
    ],
    fields: [
      Field("Login") { $0.result[.login]?.text ?? $0.result.title }, .text("Name", .name),
      .text("Description", .description), .text("Type", .accountType), .number("Followers", .followers),
      .address, .from,
    ], text: about)

  /// Topics. For programs: name, description, address, providers.
  static let topic = KindRendering(
    columns: [
      Column("TOPIC", .title, fifths: 2) { item, _ in topicName(item.result) },
      Column("DESCRIPTION", dropOrder: 1, isFlexible: true) { item, _ in item.result.text(.description) },
      .from(dropOrder: 2),
    ],
    fields: [
      Field("Topic") { topicName($0.result) }, .text("Description", .description), .address, .from,
    ], name: topicName)

  /// The name that repositories carry; the title may be spelled for people.
  @Sendable private static func topicName(_ result: SearchResult) -> String {
    result[.name]?.text ?? result.title
  }

  /// The display name and the description of an account.
  @Sendable private static func about(_ result: SearchResult) -> String {
    [result.text(.name), result.text(.description)].filter { !$0.isEmpty }.joined(separator: ": ")
  }
}
