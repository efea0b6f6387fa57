import ForageCore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Writes a merged list, and what is to be said about it.
struct SearchRendering {
  let result: FederatedResult
  /// The text of the query, `nil` where there is none.
  let query: String?
  let explains: Bool
  /// The cursor for the next page, `nil` when there is none.
  var next: String?
  let output: Output
  /// What to do when nothing was found.
  var adviceForNothing = "use fewer words or qualifiers, or add clone folders with: forage clones add DIR"

  /// Writes the list.
  func write(_ format: OutputFormat) throws {
    switch format {
    case .json: try output.result(SearchJSON.envelope(result, query: query, explains: explains, next: next))
    case .ndjson:
      for item in result.items { try output.result(SearchJSON.item(item, explains: explains).text()) }
      try writeSummary()
    case .tsv: try output.resultRows(result.items.map(plainRow))
    case .table, .auto: try writeTable()
    }
  }

  /// Writes everything but the items as one line.
  func writeSummary() throws {
    let envelope = SearchJSON.envelope(result, query: query, explains: explains, next: next, hasItems: false)
    try output.result(JSONValue.object([("summary", envelope)]).text())
  }

  /// One row for programs: title, description, language, stars, time of the last change, address, folder, providers.
  private func plainRow(_ item: MergedItem) -> [String] {
    let result = item.result
    let row = [
      result.title, result[.description]?.text ?? "", result[.language]?.text ?? "",
      result[.stars]?.number.map(String.init) ?? "", changed(result).map(Humane.timestamp) ?? "",
      result.url ?? "",
      result[.path]?.text ?? "", item.sources.map(\.provider).joined(separator: ","),
    ]
    return explains ? row + [explanation(item)] : row
  }

  private func writeTable() throws {
    guard !result.items.isEmpty else { return }
    let table = Table(
      columns: [
        .init(title: "REPOSITORY", style: .title, maximum: max(16, output.columns * 2 / 5)),
        .init(title: "DESCRIPTION", style: nil, dropOrder: 1, isFlexible: true),
        .init(title: "LANGUAGE", style: .language, dropOrder: 3, maximum: 16),
        .init(title: "STARS", style: .stars, alignsRight: true, dropOrder: 2),
        .init(title: "UPDATED", style: .dim, alignsRight: true, dropOrder: 4),
        .init(title: "FROM", style: .source, dropOrder: 5, maximum: 24),
        .init(title: "CLONE", style: .dim, dropOrder: 6, maximum: 48),
        // The first to go: most people look for the entity itself.
        .init(title: "RELATED", style: .dim, dropOrder: 7, maximum: 56),
      ], rows: result.items.map(row))
    let lines = table.lines(width: output.columns, isColored: output.hasColor)
    for (index, line) in lines.enumerated() {
      try output.result(line)
      if explains, index > 0 {
        try output.result(
          Style.dim.apply(
            TextWidth.truncated("  " + explanation(result.items[index - 1]), to: output.columns),
            output.hasColor))
      }
    }
  }

  private func row(_ item: MergedItem) -> [String] {
    let result = item.result
    let marks = [(ResultField.archived, "archived"), (.fork, "fork"), (.isPrivate, "private")].compactMap {
      field, word in
      result[field]?.flag == true ? word : nil
    }
    let description =
      (marks.isEmpty ? "" : "[\(marks.joined(separator: ", "))] ") + (result[.description]?.text ?? "")
    return [
      result.title, description, result[.language]?.text ?? "",
      result[.stars]?.number.map(Humane.count) ?? "",
      changed(result).map { Humane.age($0, now: output.now) } ?? "",
      item.sources.map(\.provider).joined(separator: "+"),
      result[.path]?.text ?? "", Self.related(result),
    ].map { SafeText.line($0) }
  }

  /// The first of the entities that one has to do with, and how many more there are.
  private static func related(_ result: SearchResult) -> String {
    guard let first = result.related.first else { return "" }
    let others = result.related.count - 1
    return "\(first.id) (\(first.why.rawValue))" + (others > 0 ? " +\(others)" : "")
  }

  /// When commits arrived last; what else changed is of less interest.
  private func changed(_ result: SearchResult) -> Date? { (result[.pushedAt] ?? result[.updatedAt])?.date }

  private func explanation(_ item: MergedItem) -> String {
    let parts = item.sources.map { source in
      "\(source.provider) #\(source.rank) +\(Self.fraction(Double(source.contribution) / Double(RankFusion.one)))"
    }
    return parts.joined(separator: ", ") + " = " + Self.fraction(item.relativeScore)
  }

  /// Four decimals, as many as tell neighbouring ranks apart.
  static func fraction(_ value: Double) -> String {
    let units = Int((value * 10_000).rounded())
    let digits = String(units % 10_000)
    return "\(units / 10_000)." + String(repeating: "0", count: 4 - digits.count) + digits
  }
}
