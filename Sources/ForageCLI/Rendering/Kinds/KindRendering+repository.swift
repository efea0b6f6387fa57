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
    ],
    manual: "owner/name, description, language, stars, time, URL, folder, providers",
    facts: [
      .text("About", .description), .address, .text("Homepage", .homepage),
      Fact("Kind") { item, _ in item.words(kindWords).joined(separator: ", ") },
      .counts([
        (.stars, "star", "stars"), (.subscribers, "watching", "watching"), (.forks, "fork", "forks"),
        (.openIssues, "open issue", "open issues"),
        (.network, "repository in the fork network", "repositories in the fork network"),
      ]),
      Fact("Language") { item, _ in item.languageShares.isEmpty ? item.text(.language) : nil },
      Fact(drawing: "Languages") { item in
        item.languageShares.isEmpty ? nil : .languages(LanguageBar(shares: item.languageShares))
      },
      .list("Topics", .topics), .text("License", .license), Fact("Release") { release($0, $1) },
      Fact("Contributors") { contributors($0, $1) }, .text("Branch", .defaultBranch),
      .age("Created", .createdAt), .age("Updated", .updatedAt), .age("Pushed", .pushedAt),
      Fact("Size") { item, _ in item.sizeBytes.map(HumanFormat.bytes) },
      Fact("Related") { item, _ in
        item.related.map { "\($0.id) (\($0.why.rawValue))" }.joined(separator: ", ")
      },
      .list("Clones", .paths),
    ],
    heading: { $0.withHost($0.title, $1.bareHost) },
    named: 0, date: changed)

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

  /// The flags that say of which kind a repository is.
  private static let kindWords: [(field: ResultField, word: String)] = [
    (.archived, "archived"), (.fork, "fork"), (.template, "template"), (.mirror, "mirror"),
    (.isPrivate, "private"),
  ]

  @Sendable private static func release(_ item: SearchResult, _ page: Page) -> String? {
    guard let release = item[.latestRelease], let tag = release["tag"]?.text else { return nil }
    let name = release["name"]?.text.flatMap { $0 == tag ? nil : " (\($0))" } ?? ""
    return tag + name + (release["publishedAt"]?.date.map { ", " + page.dates.dated($0) } ?? "")
  }

  /// The number of contributors on a page.
  private static let shownContributors = 5

  @Sendable private static func contributors(_ item: SearchResult, _ page: Page) -> String? {
    let people = (item[.contributors]?.elements ?? []).compactMap { person -> String? in
      guard let name = (person["login"] ?? person["name"])?.text else { return nil }
      return name + (person["commits"]?.number.map { " (\(page.dates.count($0)))" } ?? "")
    }
    return people.isEmpty ? nil : people.prefix(shownContributors).joined(separator: ", ")
  }
}

extension SearchResult {
  /// The languages of a repository with their shares from 0 to 1, largest first.
  var languageShares: [(name: String, share: Double)] {
    (self[.languages]?.elements ?? []).compactMap { language in
      guard let name = language["name"]?.text, case .fraction(let share)? = language["share"] else {
        return nil
      }
      return (name, share)
    }
  }
}
