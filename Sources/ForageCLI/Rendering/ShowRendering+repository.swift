import ForageCore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension ShowRendering {
  /// Contributors that are named.
  private static let shownContributors = 5

  /// The facts about a repository.
  func repositorySheet(now: Date) -> FactSheet {
    var sheet = FactSheet(title: item.title)
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
      counts([
        (.stars, "stars"), (.subscribers, "watching"), (.forks, "forks"), (.openIssues, "open issues"),
        (.network, "in its network"),
      ]))
    if let languages {
      sheet.add("Languages", languages)
    } else {
      sheet.add("Language", item.text(.language))
    }
    sheet.add("Topics", item[.topics]?.texts.joined(separator: ", "))
    sheet.add("License", item.text(.license))
    sheet.add("Release", release(now: now))
    sheet.add("Contributors", contributors)
    sheet.add("Branch", item.text(.defaultBranch))
    sheet.add("Created", age(.createdAt, now: now))
    sheet.add("Updated", age(.updatedAt, now: now))
    sheet.add("Pushed", age(.pushedAt, now: now))
    sheet.add(
      "Size",
      item[.sizeKB]?.number.map {
        HumanFormat.bytes($0.multipliedReportingOverflow(by: 1000).overflow ? .max : $0 * 1000)
      })
    sheet.add(
      "Related", item.related.map { "\($0.id) (\($0.why.rawValue))" }.joined(separator: ", "))
    sheet.add("Clones", item[.paths]?.texts.joined(separator: ", "))
    return sheet
  }

  /// Numbers with their words, those that are known.
  func counts(_ fields: [(ResultField, String)]) -> String {
    fields.compactMap { field, word in item[field]?.number.map { "\(HumanFormat.count($0)) \(word)" } }
      .joined(separator: ", ")
  }

  /// How long ago something was.
  func age(_ field: ResultField, now: Date) -> String? { item[field]?.date.map { HumanFormat.age($0, now: now) } }

  private var languages: String? {
    let known = (item[.languages]?.elements ?? []).compactMap { language -> String? in
      guard let name = language["name"]?.text, case .fraction(let share)? = language["share"] else {
        return nil
      }
      return "\(name) \(InspectRendering.percent(share))"
    }
    return known.isEmpty ? nil : InspectRendering.listed(known)
  }

  private func release(now: Date) -> String? {
    guard let release = item[.latestRelease], let tag = release["tag"]?.text else { return nil }
    let name = release["name"]?.text.flatMap { $0 == tag ? nil : " (\($0))" } ?? ""
    return tag + name + (release["publishedAt"]?.date.map { ", " + HumanFormat.age($0, now: now) } ?? "")
  }

  private var contributors: String? {
    let people = (item[.contributors]?.elements ?? []).compactMap { person -> String? in
      guard let name = (person["login"] ?? person["name"])?.text else { return nil }
      return name + (person["commits"]?.number.map { " (\(HumanFormat.count($0)))" } ?? "")
    }
    return people.isEmpty ? nil : people.prefix(Self.shownContributors).joined(separator: ", ")
  }
}
