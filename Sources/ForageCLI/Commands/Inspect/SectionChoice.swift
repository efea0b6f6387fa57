import Forage
import ForageCore
import ForageInspector

/// The sections of a report that the options ask for.
struct SectionChoice {
  /// The values of `--only`, `--with` and `--without`, each one name or several with commas.
  var only: [String] = []
  var with: [String] = []
  var without: [String] = []

  /// Whether sections were asked for by name, not only left out.
  var isExplicit: Bool { !only.isEmpty || !with.isEmpty }

  /// The sections: those of `--only`, else the standard ones; with those of `--with`, and without those of `--without`.
  ///
  /// - Throws: `ForageError` for an unknown section.
  func sections() throws -> Set<InspectionSection> {
    let base = only.isEmpty ? InspectionSection.standard : try InspectionSection.named(only, by: "--only")
    return base.union(try InspectionSection.named(with, by: "--with")).subtracting(
      try InspectionSection.named(without, by: "--without"))
  }
}

/// The output of `--list-sections`.
enum SectionList {
  /// Writes the sections: name, whether it is part of a report by default, content.
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
        .init(title: "CONTENT", style: nil, isFlexible: true),
      ],
      rows: sections.map { [$0.rawValue, isDefault($0) ? "yes" : "no", $0.summary] })
    guard var format = OutputFormat(rawValue: format.rawValue) else {
      throw ForageError(
        "the list of sections cannot be printed as html",
        hint: "for example: --list-sections --format markdown")
    }
    if format == .auto { format = output.isTerminal ? .table : .tsv }
    try output.list(sections, named: "sections", as: format, document: json) {
      try output.result(table, format: format)
    }
  }
}
