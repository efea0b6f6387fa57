import Forage
import ForageCore
import ForageFoundation
import ForagePlatform

extension KindRendering {
  /// Accounts.
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
    ],
    manual: "login, name, description, type, followers, URL, providers",
    facts: [
      .text("Name", .name), .text("Type", .accountType), .text("About", .description),
      .text("Company", "company"), .text("Location", .location), .text("Homepage", .homepage),
      .counts([
        (.repositoryCount, "repository", "repositories"), (.followers, "follower", "followers"),
        ("following", "followed", "followed"),
      ]),
      .age("Created", .createdAt), .address,
    ], text: about)

  /// The display name and the description of an account.
  @Sendable private static func about(_ result: SearchResult) -> String {
    [result.text(.name), result.text(.description)].filter { !$0.isEmpty }.joined(separator: ": ")
  }
}
