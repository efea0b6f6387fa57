import Forage
import ForageCore
import ForageFoundation
import ForagePlatform

extension KindRendering {
  /// Digits of a commit's id that are shown, as elsewhere.
  private static let shortCommit = 10

  /// Commits.
  static let commit = KindRendering(
    columns: [
      Column("COMMIT", .title) { item, _ in String(item.result.text(.sha).prefix(shortCommit)) },
      Column("MESSAGE", dropOrder: 1, isFlexible: true, least: 28) { item, _ in subject(item.result) },
      Column("AUTHOR", .source, dropOrder: 4, maximum: 20) { item, _ in item.result.text(.author) },
      .age("DATE", dropOrder: 3, written),
      Column("REPOSITORY", .language, dropOrder: 2, fifths: 2) { item, _ in item.result.repositoryName },
      .from(dropOrder: 5),
    ],
    fields: [
      .text("Commit", .sha), Field("Message") { subject($0.result) }, .text("Author", .author),
      .date("Date", written), Field("Repository") { $0.result.repositoryName }, .address, .from,
    ],
    manual: "id, first line of the message, author, time, owner/name, URL, providers",
    facts: [
      .text("Commit", .sha), Fact("Repository") { $0.withHost($0.repositoryName, $1.bareHost) },
      Fact("Author") { item, _ in
        let names = [item.text(.author), item.text(.authorName)].filter { !$0.isEmpty }
        return names.first.map { $0 + (names.last == $0 ? "" : " (\(names[names.count - 1]))") }
      },
      .age("Written", .authoredAt),
      Fact("Committed") { item, page in
        item[.committedAt] == item[.authoredAt] ? nil : item[.committedAt]?.date.map(page.dates.dated)
      },
      Fact("Changes") { item, page in
        guard let added = item["additions"]?.number, let removed = item["deletions"]?.number else {
          return nil
        }
        return "\(page.dates.count(added)) added, \(page.dates.count(removed)) removed"
      },
      .address,
    ],
    heading: { item, _ in subject(item) },
    named: 4,
    name: { "\($0.repositoryName)@\($0.text(.sha).prefix(shortCommit))" }, text: subject, date: written)

  /// The first line of the message.
  @Sendable static func subject(_ result: SearchResult) -> String {
    guard let message = result[.message]?.text else { return result.title }
    return message.split(whereSeparator: \.isNewline).first.map(String.init) ?? ""
  }

  @Sendable private static func written(_ result: SearchResult) -> Date? {
    (result[.authoredAt] ?? result[.committedAt])?.date
  }
}
