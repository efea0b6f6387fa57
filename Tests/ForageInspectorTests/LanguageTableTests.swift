import Testing

@testable import ForageInspector

@Suite("The table of languages")
struct LanguageTableTests {
  private let table = LanguageTable.shared

  @Test(arguments: [
    ("swift", "Swift"), ("cpp", "C++"), ("emacs-lisp", "Emacs Lisp"), ("Emacs Lisp", "Emacs Lisp"),
    ("ELISP", "Emacs Lisp"), ("golang", "Go"), ("sh", "Shell"), ("c#", "C#"), ("zsh", "Shell"),
    ("objective-c", "Objective-C"), ("py", "Python"),
  ])
  func aliases(_ alias: String, _ name: String) throws {
    let index = try #require(table.language(named: alias))
    #expect(table.name(index) == name)
  }

  @Test func isWhole() throws {
    #expect(table.count == 829)
    #expect(table.language(named: "no such language") == nil && table.language(named: "") == nil)
    // Ties go to the popular, then to the alphabet.
    let shared = table.languages(extension: ".H")
    #expect(shared.map { table.name($0) } == ["C", "C++", "Objective-C"])
    #expect(table.languages(extension: ".no-such").isEmpty)
    #expect(table.languages(interpreter: "python3").map { table.name($0) } == ["Python"])
    for index in 0..<table.count {
      let name = table.name(index)
      #expect(table.language(named: name) == index, "\(name)")
      #expect(table.records[index].group < table.count)
    }
  }

  @Test func groupsAndColors() throws {
    let index = try #require(table.language(named: "TSX"))
    let record = table.records[index]
    #expect(table.name(Int(record.group)) == "TypeScript" && record.kind == .programming)
    #expect(record.color == 0x3178C6)
    #expect(LanguageTable.color(of: "Swift") == 0xF05138)
    #expect(LanguageTable.color(of: "Text") == nil && LanguageTable.color(of: "no such language") == nil)
  }
}
