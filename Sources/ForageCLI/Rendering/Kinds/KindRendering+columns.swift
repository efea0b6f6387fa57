import Forage
import ForageCore
import ForageFoundation
import ForagePlatform

extension KindRendering {
  /// Repositories.
  static let repository = KindRendering(
    columns: [
      // Names of one owner often differ at their ends only.
      Column("REPOSITORY", .title, fifths: 2, keepsEnd: true) { item, _ in item.result.title },
      // So narrow that long names and languages leave the times on a terminal of 80 columns.
      Column("DESCRIPTION", dropOrder: 1, isFlexible: true, least: 12) { item, _ in
        item.result.marks([(.archived, "archived"), (.fork, "fork"), (.isPrivate, "private")])
          + item.result.text(.description)
      },
      Column("LANGUAGE", .language, dropOrder: 3, maximum: 12) { item, _ in item.result.text(.language) },
      .count("STARS", .stars, .stars, dropOrder: 2), .age("UPDATED", dropOrder: 4, changed),
      .from(dropOrder: 5),
      .clone(dropOrder: 6),
      // The first to go: most people look for the entity itself.
      Column("RELATED", .dim, dropOrder: 7, maximum: 56, least: 56, givesWay: true, isDetail: true) {
        item, _ in
        related(item.result)
      },
    ],
    fields: [
      Field("Repository") { $0.result.title }, .text("Description", .description),
      .text("Language", .language), .number("Stars", .stars), .date("Updated", changed), .address,
      .text("Folder", .path), .from,
    ], named: 0, date: changed)

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

  /// Places in files.
  ///
  /// For programs each line that was found is a row: `owner/name:path:line:column` (as far as they are known,
  /// with the host in front where a name without one means another repository), the text of the line, the
  /// address, providers. A file of which no line is known is one row without text. A terminal gets a
  /// `CodeListing` instead of a table.
  static let code = KindRendering(
    columns: [
      Column("FILE", .title, fifths: 2, isPath: true) { item, _ in path(item.result) + line(item.result) },
      // A column of its own, so that every row shows it in one form however long the path is.
      Column("REPOSITORY", .language, maximum: 22, keepsEnd: true) { item, _ in item.result.repositoryName },
      Column("TEXT", dropOrder: 1, isFlexible: true) { item, _ in
        let line = CodeLine.found(in: item.result).first
        return line?.expandingTabs(to: Settings.standardTabWidth).text.trimmingWhitespace() ?? ""
      },
      .from(dropOrder: 2),
    ],
    fields: [
      Field("Place") { place($0.result) }, Field("Text") { firstLine($0.result) }, .address, .from,
    ],
    named: 0,
    rows: { item in
      let lines = CodeLine.found(in: item.result)
      let place = place(item.result)
      let tail = [item.result.url ?? "", item.sources.map(\.provider).joined(separator: ",")]
      guard !lines.isEmpty else { return [[place + line(item.result), ""] + tail] }
      return lines.map { line in [place + line.position, line.text] + tail }
    },
    name: place, text: firstLine)

  /// `owner/name:path`; the address of the file on this disk where that has characters that are not shown.
  @Sendable private static func place(_ result: SearchResult) -> String {
    let place = [result.repositoryName, path(result)].filter { !$0.isEmpty }.joined(separator: ":")
    guard SafeText.line(place) != place, let file = result[.file]?.text else { return place }
    return FilePathText.address(file)
  }

  @Sendable private static func path(_ result: SearchResult) -> String {
    result[.path]?.text ?? result.title
  }

  /// The line of a place that was kept without its text, behind a colon.
  @Sendable private static func line(_ result: SearchResult) -> String {
    (result["line"]?.lineNumber).map { ":\($0)" } ?? ""
  }

  @Sendable private static func firstLine(_ result: SearchResult) -> String {
    CodeLine.found(in: result).first?.text.trimmingWhitespace() ?? ""
  }

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
    ], named: 0, name: reference, text: \.title)

  /// `owner/name#12`, for a merge request `owner/name!12`.
  @Sendable static func reference(_ result: SearchResult) -> String {
    guard let number = result[.number]?.number else { return result.repositoryName }
    return result.repositoryName + (result.id.hasSuffix("!\(number)") ? "!" : "#") + "\(number)"
  }

  /// `open`, `closed`, or `merged` for a pull request that was.
  static func state(_ result: SearchResult) -> String {
    result[.mergedAt] == nil ? result.text(.state) : "merged"
  }

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

  /// Accounts.
  static let user = KindRendering(
    columns: [
      Column("LOGIN", .title, fifths: 2) { item, _ in item.result[.login]?.text ?? item.result.title },
      Column("NAME", dropOrder: 1, isFlexible: true) { item, _ in about(item.result) },
      Column("TYPE", .language, dropOrder: 3, maximum: 16) { item, _ in item.result.text(.accountType) },
      .count("FOLLOWERS", .followers, .stars, dropOrder: 2), .from(dropOrder: 4),
    ],
    fields: [
      Field("Login") { $0.result[.login]?.text ?? $0.result.title }, .text("Name", .name),
      .text("Description", .description), .text("Type", .accountType), .number("Followers", .followers),
      .address, .from,
    ], text: about)

  /// Topics.
  static let topic = KindRendering(
    columns: [
      Column("TOPIC", .title, fifths: 2) { item, _ in topicName(item.result) },
      Column("DESCRIPTION", dropOrder: 1, isFlexible: true) { item, _ in item.result.text(.description) },
      .from(dropOrder: 2),
    ],
    fields: [
      Field("Topic") { topicName($0.result) }, .text("Description", .description), .address, .from,
    ], name: topicName)

  /// The name that repositories carry; the title may be spelled for people.
  @Sendable private static func topicName(_ result: SearchResult) -> String {
    result[.name]?.text ?? result.title
  }

  /// The display name and the description of an account.
  @Sendable private static func about(_ result: SearchResult) -> String {
    [result.text(.name), result.text(.description)].filter { !$0.isEmpty }.joined(separator: ": ")
  }

  /// Stories.
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

  /// Questions.
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
    ])

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
    ], named: 1, text: { _ in "" })

  /// The kind of what a notification is about.
  @Sendable private static func subjectKind(_ result: SearchResult) -> String {
    if case .record(let members)? = result[.subject] { members["kind"]?.text ?? "" } else { "" }
  }

  /// The reason as words.
  @Sendable private static func reason(_ result: SearchResult) -> String {
    result.text(.reason).replacing("_", with: " ")
  }

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
    ], named: 1)
}
