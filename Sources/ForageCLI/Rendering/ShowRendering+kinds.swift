import ForageCore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The facts about entities other than repositories.
extension ShowRendering {
  func issueSheet(_ dates: InspectPage.Dates) -> FactSheet {
    var sheet = FactSheet(title: KindRendering.reference(item) + "  " + item.title)
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

  func commitSheet(_ dates: InspectPage.Dates) -> FactSheet {
    var sheet = FactSheet(title: KindRendering.subject(item))
    sheet.add("Commit", item.text(.sha))
    sheet.add("Repository", item.repositoryName)
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

  func accountSheet(_ dates: InspectPage.Dates) -> FactSheet {
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
    sheet.add("Repository", item.repositoryName)
    sheet.add("At", item.text(.ref))
    sheet.add("Size", item["size"]?.number.map(HumanFormat.bytes))
    sheet.add("Address", item.url)
    return sheet
  }

  func otherSheet(_ dates: InspectPage.Dates) -> FactSheet {
    var sheet = FactSheet(title: item.title)
    sheet.add("About", item.text(.description))
    sheet.add("Author", item.text(.author))
    sheet.add("Created", age(.createdAt, dates))
    sheet.add("Updated", age(.updatedAt, dates))
    sheet.add("Address", item.url)
    return sheet
  }
}
