import ForageCore

/// Kinds that no forge has, and lists of several kinds.
extension KindRendering {
  /// Stories. For programs: title, author, points, comments, time, address, providers.
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
    ], text: { _ in "" }, date: { $0[.createdAt]?.date })

  /// Questions. For programs: title, answers, tags with commas, time of the last change, address, providers.
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
    ], text: { _ in "" })

  /// Packages. For programs: name, version, description, registry, time of the last change, address, providers.
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
    ])

  /// Any other kind. For programs: title, description, time of the last change, address, providers.
  static let other = KindRendering(
    columns: [
      Column("TITLE", .title, fifths: 2) { item, _ in item.result.title },
      Column("DESCRIPTION", dropOrder: 1, isFlexible: true) { item, _ in item.result.text(.description) },
      .age("UPDATED", dropOrder: 2) { $0[.updatedAt]?.date }, .from(dropOrder: 3),
    ],
    fields: [
      Field("Title") { $0.result.title }, .text("Description", .description),
      .date("Updated") { $0[.updatedAt]?.date }, .address, .from,
    ])

  /// Several kinds in one list. For programs: kind, what names the result, text, time, address, providers.
  static let mixed = KindRendering(
    columns: [
      Column("KIND", .dim, maximum: 12) { item, _ in item.result.kind.rawValue },
      Column("RESULT", .title, fifths: 2, keepsEnd: true) { item, _ in of(item.result.kind).name(item.result)
      },
      Column("TEXT", dropOrder: 1, isFlexible: true) { item, _ in of(item.result.kind).text(item.result) },
      .age("UPDATED", dropOrder: 2) { of($0.kind).date($0) }, .from(dropOrder: 3),
    ],
    fields: [
      Field("Kind") { $0.result.kind.rawValue }, Field("Result") { of($0.result.kind).name($0.result) },
      Field("Text") { of($0.result.kind).text($0.result) },
      .date("Updated") { of($0.kind).date($0) }, .address, .from,
    ])
}
