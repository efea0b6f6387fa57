import ForageCore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension KindRendering {
  /// Repositories. For programs: title, description, language, stars, time of the last change, address, folder, providers.
  static let repository = KindRendering(
    columns: [
      Column("REPOSITORY", .title, fifths: 2) { item, _ in item.result.title },
      Column("DESCRIPTION", dropOrder: 1, isFlexible: true) { item, _ in
        item.result.marks([(.archived, "archived"), (.fork, "fork"), (.isPrivate, "private")])
          + item.result.text(.description)
      },
      Column("LANGUAGE", .language, dropOrder: 3, maximum: 16) { item, _ in item.result.text(.language) },
      .count("STARS", .stars, .stars, dropOrder: 2), .age("UPDATED", dropOrder: 4, changed),
      .from(dropOrder: 5),
      Column("CLONE", .dim, dropOrder: 6, maximum: 48) { item, _ in item.result.text(.path) },
      // The first to go: most people look for the entity itself.
      Column("RELATED", .dim, dropOrder: 7, maximum: 56) { item, _ in related(item.result) },
    ],
    fields: [
      Field("Repository") { $0.result.title }, .text("Description", .description),
      .text("Language", .language), .number("Stars", .stars), .date("Updated", changed), .address,
      .text("Folder", .path), .from,
    ], date: changed)

  /// The first of the entities that one has to do with, and how many more there are.
  private static func related(_ result: SearchResult) -> String {
    guard let first = result.related.first else { return "" }
    let others = result.related.count - 1
    return "\(first.id) (\(first.why.rawValue))" + (others > 0 ? " +\(others)" : "")
  }

  /// When commits arrived last; what else changed is of less interest.
  @Sendable private static func changed(_ result: SearchResult) -> Date? {
    (result[.pushedAt] ?? result[.updatedAt])?.date
  }
}
