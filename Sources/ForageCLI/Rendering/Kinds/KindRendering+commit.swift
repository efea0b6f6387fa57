import ForageCore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension KindRendering {
  /// Digits of a commit's id that are shown, as elsewhere.
  private static let shortCommit = 10

  /// Commits. For programs: the whole id, first line of the message, author, time, repository, address, providers.
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
