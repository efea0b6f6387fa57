import Forage
import ForageCore
import ForageFoundation
import ForagePlatform

extension KindRendering {
  /// Packages.
  static let package = KindRendering(
    columns: [
      Column("PACKAGE", .title, fifths: 2) { item, _ in item.result.title },
      Column("VERSION", .stars, dropOrder: 2, maximum: 20) { item, _ in item.result.text("version") },
      Column("DESCRIPTION", dropOrder: 1, isFlexible: true) { item, _ in item.result.text(.description) },
      Column("REGISTRY", .language, dropOrder: 4, maximum: 20) { item, _ in item.result.text("registry") },
      .age("UPDATED", dropOrder: 3) { $0[.updatedAt]?.date }, .from(dropOrder: 5),
    ],
    fields: [
      Field("Package") { $0.result.title }, .text("Version", "version"), .text("Description", .description),
      .text("Registry", "registry"), .date("Updated") { $0[.updatedAt]?.date }, .address, .from,
    ],
    manual: "title, version, description, registry, time, URL, providers",
    facts: [
      .text("About", .description), .text("Author", .author), .text("Version", "version"),
      .text("Registry", "registry"), .text("License", .license), .count("Downloads", "downloads"),
      .count("Recent downloads", "recentDownloads"), .list("Keywords", "keywords"),
      .text("Homepage", .homepage), .text("Documentation", "documentation"), .age("Created", .createdAt),
      .age("Updated", .updatedAt), .age("Published", "publishedAt"), .address,
    ])
}
