import ForageInspector
import Testing

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
    #expect(table.language(index).name == name)
  }

  @Test func isWhole() throws {
    #expect(table.count == 829)
    #expect(table.language(named: "no such language") == nil && table.language(named: "") == nil)
    // Ties go to the popular, then to the alphabet.
    let shared = try #require(table.languages(extension: ".H"))
    #expect(shared.map { table.name($0) } == ["C", "C++", "Objective-C"])
    #expect(table.languages(extension: ".no-such") == nil)
    #expect(table.languages(interpreter: "python3")?.map { table.name($0) } == ["Python"])
    for index in 0..<table.count {
      let language = table.language(index)
      #expect(table.language(named: language.name) == index, "\(language.name)")
      #expect(!language.group.isEmpty)
    }
  }

  @Test func groupsAndColors() throws {
    let index = try #require(table.language(named: "TSX"))
    #expect(table.language(index).group == "TypeScript" && table.language(index).kind == .programming)
    #expect(table.language(index).color == 0x3178C6)
    let swift = try #require(LanguageTable.color(of: "Swift"))
    #expect(swift == (0xF0, 0x51, 0x38))
    #expect(LanguageTable.color(of: "Text") == nil && LanguageTable.color(of: "no such language") == nil)
  }
}
