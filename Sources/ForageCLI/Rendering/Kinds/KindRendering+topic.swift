import Forage
import ForageCore
import ForageFoundation
import ForagePlatform

extension KindRendering {
  /// Topics.
  static let topic = KindRendering(
    columns: [
      Column("TOPIC", .title, fifths: 2) { item, _ in topicName(item.result) },
      Column("DESCRIPTION", dropOrder: 1, isFlexible: true) { item, _ in item.result.text(.description) },
      .from(dropOrder: 2),
    ],
    fields: [
      Field("Topic") { topicName($0.result) }, .text("Description", .description), .address, .from,
    ],
    manual: "name, description, URL, providers",
    facts: [
      .text("Name", .name), .text("About", .description), .text("Author", .author),
      .flag("Curated", .curated),
      .flag("Featured", .featured), .age("Created", .createdAt), .age("Updated", .updatedAt), .address,
    ], name: topicName)

  /// The name that repositories carry; the title may be spelled for people.
  @Sendable private static func topicName(_ result: SearchResult) -> String {
    result[.name]?.text ?? result.title
  }
}
