import Forage
import ForageCore
import ForageFoundation
import ForagePlatform

extension KindRendering {
  /// Questions.
  static let question = KindRendering(
    columns: [
      Column("QUESTION", .title, isFlexible: true) { item, _ in
        item.result.marks([("accepted", "answered")]) + item.result.title
      },
      .count("ANSWERS", "answers", .stars, dropOrder: 1),
      Column("TAGS", .language, dropOrder: 3, maximum: 30) { item, _ in
        item.result["tags"]?.texts.joined(separator: ", ") ?? ""
      },
      .age("UPDATED", dropOrder: 2) { $0[.updatedAt]?.date }, .from(dropOrder: 4),
    ],
    fields: [
      Field("Question") { $0.result.title }, .number("Answers", "answers"), .list("Tags", "tags"),
      .date("Updated") { $0[.updatedAt]?.date }, .address, .from,
    ],
    manual: "title, answers, tags, time, URL, providers",
    facts: [
      .text("About", .description), .text("Author", .author), .count("Answers", "answers"),
      .flag("Accepted", "accepted"), .count("Score", "score"), .count("Views", "views"),
      .list("Tags", "tags"),
      .age("Created", .createdAt), .age("Updated", .updatedAt), .address,
    ], text: { _ in "" })
}
