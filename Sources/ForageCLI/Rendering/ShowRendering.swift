import ForageCore
import ForageInspector

/// Shows one entity with its local facts.
struct ShowRendering {
  let item: SearchResult
  let report: InspectionReport?
  let outcomes: [ProviderOutcome]

  func write(_ format: OutputFormat, to output: Output) throws {
    switch format {
    case .json: try output.result(try document())
    case .ndjson: try output.result(try document().text())
    case .tsv: try output.resultRows(try document().flattened().map { [$0.path, $0.value] })
    case .table, .auto:
      try remoteSheet(output).write(to: output)
      if let report {
        try output.result("")
        try InspectRendering.sheet(report, now: output.now).write(to: output)
      }
    }
  }

  private func document() throws -> JSONValue {
    .members([
      ("schema", .int(1)), ("item", .object(SearchJSON.members(item) + SearchJSON.related(item))),
      ("local", try report.map(InspectRendering.json)),
      ("providers", .array(outcomes.map(SearchJSON.outcome))),
    ])
  }

  private func remoteSheet(_ output: Output) -> FactSheet {
    var sheet = FactSheet(title: item.title)
    func text(_ field: ResultField) -> String? { item[field]?.text }
    func date(_ field: ResultField) -> String? { item[field]?.date.map { Humane.age($0, now: output.now) } }
    sheet.add("About", text(.description))
    sheet.add("Address", item.url)
    sheet.add("Homepage", text(.homepage))
    let marks = [
      (ResultField.archived, "archived"), (.fork, "fork"), (.template, "template"), (.mirror, "mirror"),
      (.isPrivate, "private"),
    ]
    sheet.add("Kind", marks.filter { item[$0.0]?.flag == true }.map(\.1).joined(separator: ", "))
    let counts = [
      (ResultField.stars, "stars"), (.subscribers, "watching"), (.forks, "forks"),
      (.openIssues, "open issues"),
    ]
    sheet.add(
      "Counts",
      counts.compactMap { field, word in item[field]?.number.map { "\(Humane.count($0)) \(word)" } }.joined(
        separator: ", "))
    sheet.add("Language", text(.language))
    sheet.add("Topics", item[.topics]?.texts.joined(separator: ", "))
    sheet.add("License", text(.license))
    sheet.add("Branch", text(.defaultBranch))
    sheet.add("Created", date(.createdAt))
    sheet.add("Pushed", date(.pushedAt))
    sheet.add(
      "Size",
      item[.sizeKB]?.number.map {
        Humane.bytes($0.multipliedReportingOverflow(by: 1000).overflow ? .max : $0 * 1000)
      })
    sheet.add(
      "Related", item.related.map { "\($0.id) (\($0.why.rawValue))" }.joined(separator: ", "))
    sheet.add("Clones", item[.paths]?.texts.joined(separator: ", "))
    return sheet
  }
}
