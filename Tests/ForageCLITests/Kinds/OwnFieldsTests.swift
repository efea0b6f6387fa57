import Forage
import Foundation
import Testing

@testable import ForageCLI
@testable import ForageCore

/// Fields that only one provider has are shown as any other: as columns, as lines of a page, and in JSON.
struct OwnFieldsTests {
  /// Papers, with fields of all types.
  private struct Library: SearchProvider {
    let info = ProviderInfo(
      id: "library", name: "Library",
      fields: [
        FieldDefinition("venue", .text, title: "VENUE", column: 2),
        FieldDefinition("citationCount", .number, title: "CITED", column: 3),
        FieldDefinition("weight", .fraction, unit: "kg"), FieldDefinition("reviewed", .flag),
        FieldDefinition("presented", .date), FieldDefinition("editors", .list),
        FieldDefinition("notes", .text),
      ])
    let kinds: [ResultKind: Abilities] = [
      "paper": Abilities(
        fields: [.description, "venue", "citationCount", "weight", "reviewed", "presented", "editors"],
        text: .unsupported, needsText: false)
    ]

    func search(_ request: SearchRequest) async throws -> SearchPage {
      SearchPage(items: [
        paper("Größen", venue: "ICSE", cited: 12_345, weight: 0.5),
        paper("Trees", venue: "an unusually long name of a conference", cited: 7, weight: 1e300),
      ])
    }

    private func paper(_ title: String, venue: String, cited: Int, weight: Double) -> SearchResult {
      var paper = SearchResult(id: "library:\(title)", kind: "paper", title: title)
      paper.set(.description, "About \(title.lowercased())")
      paper.set("venue", venue)
      paper.set("citationCount", cited)
      paper["weight"] = .fraction(weight)
      paper.set("reviewed", cited > 100)
      paper.set("presented", Capture.now.addingTimeInterval(-86_400 * 40))
      paper.set("editors", ["Ada", "Åse"])
      paper.set("notes", "none \u{1B}[31m yet")
      paper.set("pages", 12)
      return paper
    }
  }

  private func result(_ query: String) async throws -> (FederatedResult, FederatedSearch) {
    let registry = ProviderRegistry([Library()])
    let query = try QueryParser(vocabulary: registry.vocabulary).parse(query)
    let search = FederatedSearch(query: query, kinds: ["paper"])
    return (await SearchRun(search, registry).more(), search)
  }

  private func written(_ query: String, columns: Int, _ format: OutputFormat = .table) async throws -> String
  {
    let capture = Capture()
    let (result, search) = try await result(query)
    let output = capture.output(columns: columns)
    let style = ListStyle(format: format, showsNumbers: false)
    try SearchRendering(SearchReport(result, of: search), nil, style, output: output).write()
    return capture.results
  }

  /// Columns whose place is told are there; those of other numbers, times and flags come last, and go first.
  @Test func lists() async throws {
    let lines = try await written("citationcount:>0", columns: 140).split(separator: "\n").map(String.init)
    try #require(lines.count == 3)
    #expect(
      lines[0].split(separator: " ") == [
        "TITLE", "VENUE", "CITED", "DESCRIPTION", "WEIGHT", "REVIEWED", "PRESENTED", "FROM",
      ])
    for text in ["Größen ", " ICSE ", " 12k ", " 0.5 kg ", " yes ", " 1mo ", " library"] {
      #expect(lines[1].contains(text), "\(lines[1])")
    }
    for text in ["Trees ", " an unusually long name… ", " 7 ", " 1e+300 kg ", " no "] {
      #expect(lines[2].contains(text), "\(lines[2])")
    }
    // The column behind goes first.
    let narrow = try await written("citationcount:>0", columns: 60).split(separator: "\n").map(String.init)
    #expect(narrow[0].hasPrefix("TITLE ") && narrow[0].contains("VENUE") && !narrow[0].contains("CITED"))
    #expect(!narrow[0].contains("WEIGHT") && narrow.allSatisfy { $0.count <= 60 }, "\(narrow)")
  }

  /// Rows of a kind of the provider's own end with its fields.
  @Test func rowsForPrograms() async throws {
    let rows = try await written("citationcount:>100", columns: 80, .tsv)
    let presented = Timestamp.text(Capture.now.addingTimeInterval(-86_400 * 40))
    let own = ["ICSE", "12345", "0.5", "true", presented, "Ada,Åse", "none ␛[31m yet"]
    #expect(rows == (["Größen", "About größen", "", "", "library"] + own).joined(separator: "\t") + "\n")
    let lines = try await written("citationcount:>100", columns: 80, .markdown).split(separator: "\n")
    #expect(
      lines.count == 3
        && lines[0].hasSuffix("| Venue | Cited | Weight | Reviewed | Presented | Editors | Notes |"))
    #expect(lines[2].contains("| ICSE | 12345 | 0.5 | true |"), "\(lines[2])")
  }

  /// Conditions on them are checked here, though the provider declares no qualifier.
  @Test(arguments: [
    ("citationcount:>100", ["Größen"]), ("-citationcount:>100", ["Trees"]), ("reviewed:true", ["Größen"]),
    ("venue:icse", ["Größen"]), ("presented:>2100-01-01", []),
    ("editors:Åse", ["Größen", "Trees"]),
  ])
  func conditions(_ query: String, _ expected: [String]) async throws {
    let (result, _) = try await result(query)
    #expect(result.items.map(\.result.title) == expected)
  }

  @Test func page() async throws {
    let (result, _) = try await result("citationcount:>100")
    let capture = Capture()
    let output = capture.output(columns: 80)
    try ShowRendering(EntityRecord(item: result.items[0].result), bareHost: "github.com")
      .write(.table, to: output, PageStyle(output, [:]))
    #expect(
      capture.results == """
        Größen
          About      About größen
          Venue      ICSE
          Cited      12k
          Weight     0.5 kg
          Reviewed   yes
          Presented  1mo ago (2025-11-22)
          Editors    Ada, Åse
          Notes      none ␛[31m yet
          Pages      12

        """)
  }
}
