import ForageCore
import ForageFoundation
import ForagePlatform

/// The facts about an entity.
extension ShowRendering {
  /// The number of contributors on a page.
  private static let shownContributors = 5

  func repositorySheet(_ dates: FactSheet.Dates) -> FactSheet {
    var sheet = FactSheet(title: item.withHost(item.title, bareHost))
    sheet.add("About", item.text(.description))
    sheet.add("Address", item.url)
    sheet.add("Homepage", item.text(.homepage))
    let marks = [
      (ResultField.archived, "archived"), (.fork, "fork"), (.template, "template"), (.mirror, "mirror"),
      (.isPrivate, "private"),
    ]
    sheet.add("Kind", marks.filter { item[$0.0]?.flag == true }.map(\.1).joined(separator: ", "))
    sheet.add(
      "Counts",
      counts(
        [
          (.stars, "star", "stars"), (.subscribers, "watching", "watching"), (.forks, "fork", "forks"),
          (.openIssues, "open issue", "open issues"),
          (.network, "repository in the fork network", "repositories in the fork network"),
        ], dates))
    if item.languageShares.isEmpty {
      sheet.add("Language", item.text(.language))
    } else {
      sheet.add("Languages", .languages(LanguageBar(shares: item.languageShares)))
    }
    sheet.add("Topics", item[.topics]?.texts.joined(separator: ", "))
    sheet.add("License", item.text(.license))
    sheet.add("Release", release(dates))
    sheet.add("Contributors", contributors(dates))
    sheet.add("Branch", item.text(.defaultBranch))
    sheet.add("Created", age(.createdAt, dates))
    sheet.add("Updated", age(.updatedAt, dates))
    sheet.add("Pushed", age(.pushedAt, dates))
    sheet.add("Size", item.sizeBytes.map(HumanFormat.bytes))
    sheet.add(
      "Related", item.related.map { "\($0.id) (\($0.why.rawValue))" }.joined(separator: ", "))
    sheet.add("Clones", item[.paths]?.texts.joined(separator: ", "))
    return sheet
  }

  /// The known numbers of these fields, each with its word for one and for several.
  func counts(_ fields: [(ResultField, String, String)], _ dates: FactSheet.Dates) -> String {
    fields.compactMap { field, one, several in
      item[field]?.number.map { "\(dates.count($0)) \($0 == 1 ? one : several)" }
    }.joined(separator: ", ")
  }

  /// The time in a field, with the day.
  func age(_ field: ResultField, _ dates: FactSheet.Dates) -> String? { item[field]?.date.map(dates.dated) }

  private func release(_ dates: FactSheet.Dates) -> String? {
    guard let release = item[.latestRelease], let tag = release["tag"]?.text else { return nil }
    let name = release["name"]?.text.flatMap { $0 == tag ? nil : " (\($0))" } ?? ""
    return tag + name + (release["publishedAt"]?.date.map { ", " + dates.dated($0) } ?? "")
  }

  private func contributors(_ dates: FactSheet.Dates) -> String? {
    let people = (item[.contributors]?.elements ?? []).compactMap { person -> String? in
      guard let name = (person["login"] ?? person["name"])?.text else { return nil }
      return name + (person["commits"]?.number.map { " (\(dates.count($0)))" } ?? "")
    }
    return people.isEmpty ? nil : people.prefix(Self.shownContributors).joined(separator: ", ")
  }

  func issueSheet(_ dates: FactSheet.Dates) -> FactSheet {
    var sheet = FactSheet(title: item.withHost(KindRendering.reference(item), bareHost) + "  " + item.title)
    let isPull = item[.isPullRequest]?.flag == true
    let words = [
      KindRendering.state(item), item[.draft]?.flag == true ? "draft" : "",
      item[.locked]?.flag == true ? "locked" : "",
    ].filter { !$0.isEmpty }
    let reason = item[.stateReason]?.text.map { " (\($0.replacing("_", with: " ")))" } ?? ""
    sheet.add("State", words.joined(separator: ", ") + reason)
    sheet.add("Kind", isPull ? "pull request" : "issue")
    sheet.add("Author", item.text(.author))
    sheet.add("Assigned", item[.assignees]?.texts.joined(separator: ", "))
    sheet.add("Labels", item[.labels]?.texts.joined(separator: ", "))
    sheet.add("Milestone", item.text(.milestone))
    sheet.add("Comments", item[.comments]?.number.map(dates.count))
    sheet.add("Created", age(.createdAt, dates))
    sheet.add("Updated", age(.updatedAt, dates))
    sheet.add("Merged", age(.mergedAt, dates))
    sheet.add("Closed", age(.closedAt, dates))
    sheet.add("Address", item.url)
    return sheet
  }

  func commitSheet(_ dates: FactSheet.Dates) -> FactSheet {
    var sheet = FactSheet(title: KindRendering.subject(item))
    sheet.add("Commit", item.text(.sha))
    sheet.add("Repository", item.withHost(item.repositoryName, bareHost))
    let names = [item.text(.author), item.text(.authorName)].filter { !$0.isEmpty }
    sheet.add("Author", names.first.map { $0 + (names.last == $0 ? "" : " (\(names[names.count - 1]))") })
    sheet.add("Written", age(.authoredAt, dates))
    if item[.committedAt] != item[.authoredAt] { sheet.add("Committed", age(.committedAt, dates)) }
    if let added = item["additions"]?.number, let removed = item["deletions"]?.number {
      sheet.add("Changes", "\(dates.count(added)) added, \(dates.count(removed)) removed")
    }
    sheet.add("Address", item.url)
    return sheet
  }

  func accountSheet(_ dates: FactSheet.Dates) -> FactSheet {
    var sheet = FactSheet(title: item.title)
    sheet.add("Name", item.text(.name))
    sheet.add("Type", item.text(.accountType))
    sheet.add("About", item.text(.description))
    sheet.add("Company", item.text("company"))
    sheet.add("Location", item.text(.location))
    sheet.add("Homepage", item.text(.homepage))
    sheet.add(
      "Counts",
      counts(
        [
          (.repositoryCount, "repository", "repositories"), (.followers, "follower", "followers"),
          ("following", "followed", "followed"),
        ], dates))
    sheet.add("Created", age(.createdAt, dates))
    sheet.add("Address", item.url)
    return sheet
  }

  func fileSheet() -> FactSheet {
    var sheet = FactSheet(title: item.text(.path))
    sheet.add("Repository", item.withHost(item.repositoryName, bareHost))
    sheet.add("At", item.text(.ref))
    // Of a result of the last list.
    sheet.add("Found in line", item["line"]?.lineNumber?.description)
    sheet.add("Lines", excerpt)
    sheet.add("Size", (item["size"]?.count).map { HumanFormat.bytes($0.value) })
    sheet.add("Address", item.url)
    return sheet
  }

  /// Which lines of a file are shown, `nil` where all are.
  private var excerpt: String? {
    let (lines, total) = shownLines
    guard lines.count < total, let first = lines.first?.number, let last = lines.last?.number else {
      return nil
    }
    let numbers = [first.value, last.value, total].map(HumanFormat.grouped)
    return "\(numbers[0]) to \(numbers[1]) of \(numbers[2])"
  }

  func otherSheet(_ dates: FactSheet.Dates) -> FactSheet {
    var sheet = FactSheet(title: item.title)
    sheet.add("About", item.text(.description))
    sheet.add("Author", item.text(.author))
    sheet.add("Created", age(.createdAt, dates))
    sheet.add("Updated", age(.updatedAt, dates))
    sheet.add("Address", item.url)
    return sheet
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
