/// Finds the name that a line of a program defines, by patterns for families of languages.
///
/// A definition is a keyword such as `func`, `class` or `#define` before a name, a function, variable or
/// `typedef` of C, a member of a class, a method with a body, or an assignment at the left margin. A line
/// defines one name at most: the last part of `A.B.name`. What a pattern takes for a definition may be none,
/// so that it decides about the order of results only, and about `symbol:`. Used by one thread.
final class Definitions {
  /// A name that a line defines.
  struct Name {
    /// The place of the name in the line, in bytes.
    var range: Range<Int>
    /// Whether it is a variable or a constant, of which there are many of one name.
    var isVariable: Bool
  }

  /// Longer lines are not written by hand.
  private static let lineLimit = 500

  private struct Patterns {
    let names: CodePattern?
    let variables: CodePattern?

    init(_ family: LanguageFamily) {
      names = Self.pattern(DefinitionPatterns.names, family)
      variables = Self.pattern(DefinitionPatterns.variables, family)
    }

    private static func pattern(_ rows: [DefinitionPatterns.Row], _ family: LanguageFamily) -> CodePattern? {
      let parts = rows.filter { $0.families.contains(family) }.map(\.pattern)
      guard !parts.isEmpty else { return nil }
      let text = "\\A(?:" + parts.joined(separator: "|") + ")"
      return try? CodePattern(PatternSource(text: text, kind: .bytes, ignoresCase: false))
    }
  }

  private var patterns: [LanguageFamily: Patterns] = [:]

  /// The name that a line defines; `nil` if it defines none, or if nothing is known of the language.
  func name(in line: UnsafeRawBufferPointer, of language: String?) -> Name? {
    guard line.count <= Self.lineLimit, let family = LanguageFamily(of: language) else { return nil }
    let patterns = patterns[family] ?? Patterns(family)
    self.patterns[family] = patterns
    let end = line.last == UInt8(ascii: "\r") ? line.count - 1 : line.count
    let text = line.part(0..<end)
    if let range = try? patterns.names?.match(in: text, from: 0) {
      return Name(range: range, isVariable: false)
    }
    if let range = try? patterns.variables?.match(in: text, from: 0) {
      return Name(range: range, isVariable: true)
    }
    return nil
  }

  /// Whether a word stands before names that are defined.
  static func isKeyword(_ word: String) -> Bool { DefinitionPatterns.keywords.contains(word) }

  /// The name that a word or phrase of a query seeks: a word of two bytes or more, alone or after words such
  /// as "struct"; `nil` for any other text.
  static func soughtName(in text: String) -> String? {
    let words = text.split(separator: " ")
    guard let name = words.last, name.utf8.count >= 2, name.utf8.allSatisfy(WordFit.isWord),
      words.count == 1 ? name.utf8.count == text.utf8.count : text.last != " ",
      words.dropLast().allSatisfy({ isKeyword(String($0)) })
    else { return nil }
    return String(name)
  }
}

/// Languages whose definitions look alike.
package enum LanguageFamily: Hashable {
  /// C and what has its declarations.
  case c
  /// Types before names, members with modifiers.
  case java
  case javaScript
  /// Keywords before names: Rust, Go, Swift.
  case keyword
  /// Definitions without types: Python, Ruby, shells.
  case script
  case lisp
  case functional
  case sql

  static let languages: [(family: LanguageFamily, names: String)] = [
    (.c, "C|C++|Objective-C|Objective-C++|Cuda|GLSL|HLSL|OpenCL|Lex|Yacc|SWIG|Linker Script"),
    (.java, "Java|C#|Scala|Groovy|Dart|PHP|D|Visual Basic .NET|Haxe|Vala|Apex|Kotlin|Solidity|Hack|AspectJ"),
    (.javaScript, "JavaScript|TypeScript|TSX|Vue|Svelte|CoffeeScript|HTML|Astro|QML"),
    (.keyword, "Rust|Go|Swift|Zig|Nim|V|Odin|Protocol Buffer|GraphQL|Thrift|Ada|Pascal|Fortran|Mojo|Gleam"),
    (
      .script,
      "Python|Ruby|Crystal|Elixir|Lua|Perl|Raku|R|Julia|Shell|fish|PowerShell|Vim script|Tcl|Awk|GDScript|Nix|"
        + "Starlark|Jinja|Cython|MATLAB|Fennel|Nushell"
    ),
    (.lisp, "Emacs Lisp|Common Lisp|Scheme|Racket|Clojure|NewLisp"),
    (.functional, "Haskell|OCaml|F#|Erlang|Elm|PureScript|Standard ML|Idris|Reason|ReScript|Lean|Agda"),
    (.sql, "SQL|PLpgSQL|TSQL|PLSQL|SQLPL"),
  ]

  private static let table: [String: LanguageFamily] = {
    var table: [String: LanguageFamily] = [:]
    for (family, names) in languages {
      for name in names.split(separator: "|") { table[String(name)] = family }
    }
    return table
  }()

  /// The languages of which it is known what they define, sorted.
  package static var languageNames: [String] {
    Set(table.keys).union(Outline.languages).sorted { $0.lowercased() < $1.lowercased() }
  }

  /// The family of a language; `nil` for data, prose and languages that are not known here.
  init?(of language: String?) {
    guard let language, let family = Self.table[language] else { return nil }
    self = family
  }
}
