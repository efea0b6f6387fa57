import ForageCore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The facts about what is not a repository.
extension ShowRendering {
  func issueSheet(now: Date) -> FactSheet {
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
    sheet.add("Comments", item[.comments]?.number.map(HumanFormat.count))
    sheet.add("Created", age(.createdAt, now: now))
    sheet.add("Updated", age(.updatedAt, now: now))
    sheet.add("Merged", age(.mergedAt, now: now))
    sheet.add("Closed", age(.closedAt, now: now))
    sheet.add("Address", item.url)
    return sheet
  }

  func commitSheet(now: Date) -> FactSheet {
    var sheet = FactSheet(title: KindRendering.subject(item))
    sheet.add("Commit", item.text(.sha))
    sheet.add("Repository", item.repositoryName)
    let names = [item.text(.author), item.text(.authorName)].filter { !$0.isEmpty }
    sheet.add("Author", names.first.map { $0 + (names.last == $0 ? "" : " (\(names[names.count - 1]))") })
    sheet.add("Written", age(.authoredAt, now: now))
    if item[.committedAt] != item[.authoredAt] { sheet.add("Committed", age(.committedAt, now: now)) }
    if let added = item["additions"]?.number, let removed = item["deletions"]?.number {
      sheet.add("Changes", "\(added) added, \(removed) removed")
    }
    sheet.add("Address", item.url)
    return sheet
  }

  func accountSheet(now: Date) -> FactSheet {
    var sheet = FactSheet(title: item.title)
    sheet.add("Name", item.text(.name))
    sheet.add("Type", item.text(.accountType))
    sheet.add("About", item.text(.description))
    sheet.add("Company", item.text("company"))
    sheet.add("Location", item.text(.location))
    sheet.add("Homepage", item.text(.homepage))
    sheet.add(
      "Counts",
      counts([(.repositoryCount, "repositories"), (.followers, "followers"), ("following", "followed")]))
    sheet.add("Created", age(.createdAt, now: now))
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

  func otherSheet(now: Date) -> FactSheet {
    var sheet = FactSheet(title: item.title)
    sheet.add("About", item.text(.description))
    sheet.add("Author", item.text(.author))
    sheet.add("Created", age(.createdAt, now: now))
    sheet.add("Updated", age(.updatedAt, now: now))
    sheet.add("Address", item.url)
    return sheet
  }
}
