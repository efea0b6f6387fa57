import ForageCore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension ShowRendering {
  /// The number of contributors on a page.
  private static let shownContributors = 5

  /// The facts about a repository.
  func repositorySheet(_ dates: InspectPage.Dates) -> FactSheet {
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
      counts(
        [
          (.stars, "star", "stars"), (.subscribers, "watching", "watching"), (.forks, "fork", "forks"),
          (.openIssues, "open issue", "open issues"), (.network, "in its network", "in its network"),
        ], dates))
    if let languages {
      sheet.add("Languages", languages)
    } else {
      sheet.add("Language", item.text(.language))
    }
    sheet.add("Topics", item[.topics]?.texts.joined(separator: ", "))
    sheet.add("License", item.text(.license))
    sheet.add("Release", release(dates))
    sheet.add("Contributors", contributors(dates))
    sheet.add("Branch", item.text(.defaultBranch))
    sheet.add("Created", age(.createdAt, dates))
    sheet.add("Updated", age(.updatedAt, dates))
    sheet.add("Pushed", age(.pushedAt, dates))
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

  /// The known numbers of these fields, each with its word for one and for several.
  func counts(_ fields: [(ResultField, String, String)], _ dates: InspectPage.Dates) -> String {
    fields.compactMap { field, one, several in
      item[field]?.number.map { "\(dates.count($0)) \($0 == 1 ? one : several)" }
    }.joined(separator: ", ")
  }

  /// The time in a field.
  func age(_ field: ResultField, _ dates: InspectPage.Dates) -> String? { item[field]?.date.map(dates.text) }

  private var languages: String? {
    let known = (item[.languages]?.elements ?? []).compactMap { language -> String? in
      guard let name = language["name"]?.text, case .fraction(let share)? = language["share"] else {
        return nil
      }
      return "\(name) \(InspectRendering.percent(share))"
    }
    return known.isEmpty ? nil : InspectRendering.listed(known)
  }

  private func release(_ dates: InspectPage.Dates) -> String? {
    guard let release = item[.latestRelease], let tag = release["tag"]?.text else { return nil }
    let name = release["name"]?.text.flatMap { $0 == tag ? nil : " (\($0))" } ?? ""
    return tag + name + (release["publishedAt"]?.date.map { ", " + dates.text($0) } ?? "")
  }

  private func contributors(_ dates: InspectPage.Dates) -> String? {
    let people = (item[.contributors]?.elements ?? []).compactMap { person -> String? in
      guard let name = (person["login"] ?? person["name"])?.text else { return nil }
      return name + (person["commits"]?.number.map { " (\(dates.count($0)))" } ?? "")
    }
    return people.isEmpty ? nil : people.prefix(Self.shownContributors).joined(separator: ", ")
  }
}
