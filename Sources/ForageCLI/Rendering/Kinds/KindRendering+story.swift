import Forage
import ForageCore
import ForageFoundation
import ForagePlatform

extension KindRendering {
  /// Stories.
  static let story = KindRendering(
    columns: [
      Column("STORY", .title, isFlexible: true) { item, _ in item.result.title },
      .count("POINTS", "points", .stars, dropOrder: 1), .count("COMMENTS", .comments, dropOrder: 2),
      Column("AUTHOR", .source, dropOrder: 4, maximum: 20) { item, _ in item.result.text(.author) },
      .age("AGE", dropOrder: 3) { $0[.createdAt]?.date }, .from(dropOrder: 5),
    ],
    fields: [
      Field("Story") { $0.result.title }, .text("Author", .author), .number("Points", "points"),
      .number("Comments", .comments), .date("Date") { $0[.createdAt]?.date }, .address, .from,
    ],
    manual: "title, author, points, comments, time, URL, providers",
    facts: [
      .text("About", .description), .text("Author", .author), .count("Points", "points"),
      .count("Comments", .comments), .age("Created", .createdAt),
      .age("Updated", .updatedAt), .text("Discussion", "discussionUrl"),
      .address,
    ], text: { _ in "" }, date: { $0[.createdAt]?.date })
}
