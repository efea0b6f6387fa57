import ForageCore
import ForageInspector

/// Which sections of a report are asked for.
struct SectionChoice {
  /// The texts of `--only`, `--with` and `--without`, each possibly several names with commas.
  var only: [String] = []
  var with: [String] = []
  var without: [String] = []

  /// Whether the user said what to tell, not only what to leave out.
  var isExplicit: Bool { !only.isEmpty || !with.isEmpty }

  /// The sections: those of `--only`, else the standard ones; with those of `--with`, and without those of `--without`.
  ///
  /// - Throws: `CommandError` for a section that there is not.
  func sections() throws -> Set<InspectionSection> {
    let base = only.isEmpty ? InspectionSection.standard : try Self.named(only, "--only")
    return base.union(try Self.named(with, "--with")).subtracting(try Self.named(without, "--without"))
  }

  /// The sections of a list of names; upper and lower case are the same.
  private static func named(_ texts: [String], _ option: String) throws -> Set<InspectionSection> {
    guard !texts.isEmpty else { return [] }
    let known = InspectionSection.allCases.map(\.rawValue)
    let names = texts.flatMap { $0.split(separator: ",").map { $0.trimmingWhitespace() } }.filter {
      !$0.isEmpty
    }
    guard !names.isEmpty else {
      throw CommandError("\(option) names nothing", hint: "see: forage inspect --list-sections")
    }
    return Set(
      try names.map { name in
        if let found = InspectionSection.allCases.first(where: {
          $0.rawValue.lowercased() == name.lowercased()
        }) {
          return found
        }
        let nearest = NearestName.of(String(name), among: known)
        throw CommandError(
          "there is no section \"\(name)\"",
          hint: nearest.map { "did you mean \($0)?" } ?? "see: forage inspect --list-sections")
      })
  }
}

/// What `--list-sections` writes.
enum SectionList {
  /// Writes each section with whether it is told by default and what it tells.
  static func write(_ format: InspectFormat, to output: Output) throws {
    let sections = InspectionSection.allCases
    func isDefault(_ section: InspectionSection) -> Bool { InspectionSection.standard.contains(section) }
    func json(_ section: InspectionSection) -> JSONValue {
      .object([
        ("name", .string(section.rawValue)), ("default", .bool(isDefault(section))),
        ("summary", .string(section.summary)),
      ])
    }
    let table = Table(
      columns: [
        .init(title: "SECTION", style: .title), .init(title: "DEFAULT", style: nil, dropOrder: 1),
        .init(title: "TELLS", style: nil, isFlexible: true),
      ],
      rows: sections.map { [$0.rawValue, isDefault($0) ? "yes" : "no", $0.summary] })
    switch format {
    case .json: try output.result(.object([("schema", .int(1)), ("sections", .array(sections.map(json)))]))
    case .ndjson: for section in sections { try output.result(json(section).text()) }
    case .tsv: try output.result(table, format: .tsv)
    case .markdown: try output.result(table, format: .markdown)
    case .table, .auto: try output.result(table, format: .table)
    case .html:
      throw CommandError(
        "the list of sections is not written as html", hint: "for example: --list-sections --format markdown")
    }
  }
}
