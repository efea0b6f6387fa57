import ArgumentParser
import ForageCore
import ForageInspector
import TestSupport
import Testing

@testable import ForageCLI

/// Arguments of `inspect` to what is asked of the inspector.
struct InspectOptionsTests {
  @Test func helpNamesAllFormats() {
    let help = ForageCommand.helpMessage(for: InspectCommand.self, columns: 200)
    for format in InspectFormat.allCases { #expect(help.contains(format.rawValue), "\(format)") }
  }

  private func sections(_ arguments: [String]) throws -> Set<InspectionSection> {
    let options = try InspectCommand.parse(arguments)
    return try options.sections()
  }

  @Test(
    arguments: [
      ([], InspectionSection.standard), (["--only", "head"], [.head]),
      (["--only", "head, status,,HEAD", "--only", "commitgraph", "."], [.head, .status, .commitGraph]),
      (["--only", "head,status", "--without", "status"], [.head]),
      (["--only", "head", "--with", "size"], [.head, .size]),
      (["--with", "largestBlobs"], InspectionSection.standard.union([.largestBlobs])),
      (["--without", "lines,churn"], InspectionSection.standard.subtracting([.lines, .churn])),
      (["--with", "largestBlobs", "--without", "largestBlobs"], InspectionSection.standard),
    ] as [([String], Set<InspectionSection>)])
  func choices(_ arguments: [String], _ expected: Set<InspectionSection>) throws {
    #expect(try sections(arguments) == expected)
  }

  @Test(
    arguments: [
      (["--only", "lanuages"], "there is no section \"lanuages\"", "did you mean languages?"),
      (["--with", "head,xyzzy"], "there is no section \"xyzzy\"", "see: forage inspect --list-sections"),
      (["--without", ","], "--without names no section", "see: forage inspect --list-sections"),
      (
        ["--only", "head", "--without", "head"], "--without leaves no section to report",
        "leave it out, or name fewer sections"
      ),
      (
        ["--format", "htm"], "--format takes auto, table, tsv, json, ndjson, markdown or html, not \"htm\"",
        "did you mean html?"
      ),
    ] as [([String], String, String)])
  func mistakes(_ arguments: [String], _ message: String, _ hint: String) async throws {
    let outcome = try await forage(["inspect"] + arguments)
    #expect(outcome.status == .usage && outcome.out == "")
    #expect(outcome.err == "forage: \(message)\nhint: \(hint)\n")
  }

  /// Without a format one clone is a page everywhere; several are compared on a terminal, and rows for
  /// programs in a pipe.
  @Test(
    arguments: [
      (nil, false, false, .pages), (nil, false, true, .pages), (nil, true, true, .comparison),
      (nil, true, false, .fields), ("auto", true, false, .fields), ("table", true, false, .comparison),
      ("table", false, false, .pages), ("tsv", false, true, .facts), ("tsv", true, true, .fields),
      ("json", true, true, .json), ("ndjson", false, false, .ndjson),
      ("markdown", true, false, .comparison), ("markdown", false, true, .pages), ("html", true, true, .html),
    ] as [(String?, Bool, Bool, InspectWriter.Form)])
  func formats(_ name: String?, _ isList: Bool, _ isTerminal: Bool, _ form: InspectWriter.Form) throws {
    #expect(
      try InspectWriter.Form(InspectFormat.named(name), isList: isList, asked: [], isTerminal: isTerminal)
        == form)
  }

  /// Sections choose the columns of a comparison; one without a column has pages, and programs get keys and
  /// values.
  @Test(
    arguments: [
      (nil, true, [.commits, .lines], .comparison), ("markdown", false, [.head], .comparison),
      (nil, true, [.commits, .churn], .pages), (nil, false, [.commits], .pages),
      ("tsv", true, [.commits], .facts),
    ] as [(String?, Bool, Set<InspectionSection>, InspectWriter.Form)])
  func formatsOfSections(
    _ name: String?, _ isTerminal: Bool, _ asked: Set<InspectionSection>, _ form: InspectWriter.Form
  ) throws {
    #expect(
      try InspectWriter.Form(InspectFormat.named(name), isList: true, asked: asked, isTerminal: isTerminal)
        == form)
  }

  /// Other verbs have no pages for the browser.
  @Test func otherVerbsWriteNoHTML() async throws {
    let outcome = try await forage(["clones", "list", "--format", "html"])
    #expect(outcome.status == .usage && outcome.err.hasPrefix("forage: --format takes auto, table,"))
    #expect(outcome.err.contains("\nhint: "))
  }

  @Test func listOfSections() async throws {
    let pipe = try await forage(["inspect", "--list-sections", "/nonexistent"])
    #expect(pipe.status == .success && pipe.err == "")
    let rows = pipe.out.split(separator: "\n").map { $0.split(separator: "\t").map(String.init) }
    #expect(rows.map(\.first) == InspectionSection.allCases.map(\.rawValue))
    #expect(rows.first == ["head", "yes", InspectionSection.head.summary])
    #expect(rows.filter { $0[1] == "no" }.map(\.first) == ["files", "largestBlobs"])
    let terminal = try await forage(["inspect", "--list-sections"], columns: 60)
    #expect(
      terminal.out.hasPrefix("SECTION        DEFAULT  "))
    #expect(terminal.out.contains("\nhead           yes      \(InspectionSection.head.summary)\n"))
    #expect(terminal.out.split(separator: "\n").allSatisfy { TextWidth.of(String($0)) <= 60 })
    let json = try await forage(["inspect", "--list-sections", "--format", "json"])
    #expect(
      json.out.hasPrefix(
        #"{"schema":1,"sections":[{"name":"head","default":true,"summary":""#))
    let html = try await forage(["inspect", "--list-sections", "--format", "html"])
    #expect(html.status == .usage)
  }
}
