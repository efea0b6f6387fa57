import Forage
import ForageCore
import ForageFoundation
import ForagePlatform

extension KindRendering {
  /// Notifications.
  static let notification = KindRendering(
    columns: [
      Column("TITLE", .title, isFlexible: true) { item, _ in
        item.result.marks([(.unread, "unread")]) + item.result.title
      },
      Column("REPOSITORY", .language, dropOrder: 2, maximum: 30, keepsEnd: true) { item, _ in
        item.result.repositoryName
      },
      Column("KIND", .dim, dropOrder: 4, maximum: 12) { item, _ in subjectKind(item.result) },
      Column("REASON", .source, dropOrder: 3, maximum: 18) { item, _ in reason(item.result) },
      .age("UPDATED", dropOrder: 1) { $0[.updatedAt]?.date }, .from(dropOrder: 5),
    ],
    fields: [
      Field("Title") { $0.result.title }, Field("Repository") { $0.result.repositoryName },
      Field("Kind") { subjectKind($0.result) }, .text("Reason", .reason),
      Field("Unread") { $0.result[.unread]?.flag == true ? "unread" : "" },
      .date("Updated") { $0[.updatedAt]?.date }, .address, .from,
    ],
    manual: "title, owner/name, kind, reason, unread, time, URL, providers",
    facts: [
      .text("About", .description), .text("Author", .author),
      Fact("Repository") { $0.withHost($0.repositoryName, $1.bareHost) },
      Fact("Kind") { item, _ in subjectKind(item) }, Fact("Reason") { item, _ in reason(item) },
      .flag("Unread", .unread), .age("Created", .createdAt), .age("Updated", .updatedAt), .address,
    ], named: 1, text: { _ in "" })

  /// The kind of what a notification is about.
  @Sendable private static func subjectKind(_ result: SearchResult) -> String {
    if case .record(let members)? = result[.subject] { members["kind"]?.text ?? "" } else { "" }
  }

  /// The reason as words.
  @Sendable private static func reason(_ result: SearchResult) -> String {
    result.text(.reason).replacing("_", with: " ")
  }
}
