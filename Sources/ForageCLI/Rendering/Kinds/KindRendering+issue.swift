import Forage
import ForageCore
import ForageFoundation
import ForagePlatform

extension KindRendering {
  /// Issues and pull requests.
  static let issue = KindRendering(
    columns: [
      Column("ISSUE", .title, fifths: 2, keepsEnd: true) { item, _ in reference(item.result) },
      Column("TITLE", dropOrder: 1, isFlexible: true, least: 28) { item, _ in
        item.result.marks([(.draft, "draft"), (.isPullRequest, "PR")]) + item.result.title
      },
      Column("STATE", .language, dropOrder: 2, maximum: 12) { item, _ in state(item.result) },
      Column("AUTHOR", .source, dropOrder: 7, maximum: 20) { item, _ in item.result.text(.author) },
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
    ],
    manual: "owner/name#number, title, state, author, labels, comments, time, URL, providers",
    facts: [
      Fact("State") { item, _ in
        let words = [state(item)] + item.words([(.draft, "draft"), (.locked, "locked")])
        let reason = item[.stateReason]?.text.map { " (\($0.replacing("_", with: " ")))" } ?? ""
        return words.filter { !$0.isEmpty }.joined(separator: ", ") + reason
      },
      Fact("Kind") { item, _ in item[.isPullRequest]?.flag == true ? "pull request" : "issue" },
      .text("Author", .author), .list("Assigned", .assignees), .list("Labels", .labels),
      .text("Milestone", .milestone), .count("Comments", .comments), .age("Created", .createdAt),
      .age("Updated", .updatedAt), .age("Merged", .mergedAt), .age("Closed", .closedAt), .address,
    ],
    heading: { $0.withHost(reference($0), $1.bareHost) + "  " + $0.title },
    named: 0, name: reference, text: \.title)

  /// `owner/name#12`, for a merge request `owner/name!12`.
  @Sendable static func reference(_ result: SearchResult) -> String {
    guard let number = result[.number]?.number else { return result.repositoryName }
    return result.repositoryName + (result.id.hasSuffix("!\(number)") ? "!" : "#") + "\(number)"
  }

  /// `open`, `closed`, or `merged` for a pull request that was.
  static func state(_ result: SearchResult) -> String {
    result[.mergedAt] == nil ? result.text(.state) : "merged"
  }
}
