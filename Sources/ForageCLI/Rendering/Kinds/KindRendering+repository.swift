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
    ],
    fields: [
      Field("Repository") { $0.result.title }, .text("Description", .description),
      .text("Language", .language), .number("Stars", .stars), .date("Updated", changed), .address,
      .text("Folder", .path), .from,
    ], date: changed)

  /// When commits arrived last; what else changed is of less interest.
  @Sendable private static func changed(_ result: SearchResult) -> Date? {
    (result[.pushedAt] ?? result[.updatedAt])?.date
  }
}
