import Forage
import ForageCore
import ForageFoundation
import ForagePlatform

extension KindRendering {
  /// Any other kind.
  static let other = KindRendering(
    columns: [
      Column("TITLE", .title, fifths: 2) { item, _ in item.result.title },
      Column("DESCRIPTION", dropOrder: 1, isFlexible: true) { item, _ in item.result.text(.description) },
      .age("UPDATED", dropOrder: 2) { $0[.updatedAt]?.date }, .from(dropOrder: 3),
    ],
    fields: [
      Field("Title") { $0.result.title }, .text("Description", .description),
      .date("Updated") { $0[.updatedAt]?.date }, .address, .from,
    ],
    facts: [
      .text("About", .description), .text("Author", .author), .age("Created", .createdAt),
      .age("Updated", .updatedAt), .address,
    ])

  /// Several kinds in one list.
  static let mixed = KindRendering(
    columns: [
      Column("KIND", .dim, maximum: 12) { item, _ in item.result.kind.rawValue },
      Column("RESULT", .title, fifths: 2, keepsEnd: true) { item, _ in of(item.result.kind).name(item.result)
      },
      Column("TEXT", dropOrder: 1, isFlexible: true) { item, _ in
        let (name, text) = (of(item.result.kind).name(item.result), of(item.result.kind).text(item.result))
        return text == name ? "" : text
      },
      .age("UPDATED", dropOrder: 2) { of($0.kind).date($0) }, .from(dropOrder: 3),
    ],
    fields: [
      Field("Kind") { $0.result.kind.rawValue }, Field("Result") { of($0.result.kind).name($0.result) },
      Field("Text") { of($0.result.kind).text($0.result) },
      .date("Updated") { of($0.kind).date($0) }, .address, .from,
    ], facts: [], named: 1)
}
