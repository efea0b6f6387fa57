import ForageCore

extension KindRendering {
  /// Issues and pull requests. For programs: `owner/name#12`, title, state, author, labels with commas, comments, time of the last change,
  /// address, providers.
  static let issue = KindRendering(
    columns: [
      Column("ISSUE", .title, fifths: 2, keepsEnd: true) { item, _ in reference(item.result) },
      Column("TITLE", dropOrder: 1, isFlexible: true, least: 28) { item, _ in
        item.result.marks([(.draft, "draft"), (.isPullRequest, "PR")]) + item.result.title
      },
      Column("STATE", .language, dropOrder: 2, maximum: 12) { item, _ in state(item.result) },
      Column("LABELS", .source, dropOrder: 5, maximum: 24) { item, _ in
        item.result[.labels]?.texts.joined(separator: ", ") ?? ""
      },
      .count("COMMENTS", .comments, .stars, dropOrder: 4),
      .age("UPDATED", dropOrder: 3) { $0[.updatedAt]?.date }, .from(dropOrder: 6),
    ],
    fields: [
      Field("Issue") { reference($0.result) }, Field("Title") { $0.result.title },
      Field("State") { state($0.result) }, .text("Author", .author), .list("Labels", .labels),
      .number("Comments", .comments), .date("Updated") { $0[.updatedAt]?.date }, .address, .from,
    ], name: reference, text: \.title)

  /// `owner/name#12`.
  @Sendable static func reference(_ result: SearchResult) -> String {
    guard let number = result[.number]?.number else { return result.repositoryName }
    return "\(result.repositoryName)#\(number)"
  }

  /// `open`, `closed`, or `merged` for a pull request that was.
  static func state(_ result: SearchResult) -> String {
    result[.mergedAt] == nil ? result.text(.state) : "merged"
  }
}
