import ForageCore
import ForageGit

/// A definition as results name it.
struct CodeSymbol: Hashable, Sendable {
  var name: String
  /// `nil` where a line is known to define a name, but not what.
  var kind: SymbolKind?
  /// The number of its line, from 1; `nil` where only the name is wanted.
  var line: Int?
}

/// The names that the text of a program defines, and where it is code: by its outline, or, of languages
/// without one, by the lines that define names.
struct CodeNames {
  struct Definition {
    /// The name, in bytes of the text.
    var name: Range<Int>
    var kind: SymbolKind?
    /// The bytes of the whole definition.
    var extent: Range<Int>
    /// The definition around it, as an index; -1 for none.
    var outer = -1
  }

  private let text: UnsafeRawBufferPointer
  /// In the order of their names.
  private(set) var definitions: [Definition]
  /// Names of declarations that define nothing, in order.
  private let declarations: [Range<Int>]
  /// Comments and strings, in order.
  private let notCode: [Range<Int>]
  /// Whether it is known what is code.
  private let knowsCode: Bool
  /// Whether names can end with a mark, as in Ruby.
  private let hasMarks: Bool

  /// - Returns: `nil` for prose, data and languages of which nothing is known.
  init?(of language: String?, in text: UnsafeRawBufferPointer, _ lines: Definitions) {
    guard let language else { return nil }
    self.text = text
    hasMarks = language == "Ruby"
    if let outline = Outline(of: language, in: text) {
      definitions = outline.definitions.filter { !$0.isDeclarationOnly }.map {
        Definition(name: $0.name, kind: $0.kind, extent: $0.extent)
      }
      declarations = outline.definitions.filter(\.isDeclarationOnly).map(\.name)
      (notCode, knowsCode) = (outline.notCode, true)
      nest()
      return
    }
    guard LanguageFamily(of: language) != nil else { return nil }
    var found: [Definition] = []
    var start = 0
    while start < text.count {
      let end = text.lineEnd(from: start)
      if let name = lines.name(in: text.part(start..<end), of: language) {
        let range = start + name.range.lowerBound..<start + name.range.upperBound
        found.append(Definition(name: range, kind: name.isVariable ? .variable : nil, extent: start..<end))
      }
      start = end + 1
    }
    (definitions, declarations, notCode, knowsCode) = (found, [], [], false)
  }

  /// Whether the names of a language are known, so that its texts are programs.
  static func areKnown(of language: String?) -> Bool {
    language.map { Outline.languages.contains($0) || LanguageFamily(of: $0) != nil } ?? false
  }

  /// Whether the definitions of a language are found line by line, each by its line alone.
  static func areByLine(of language: String?) -> Bool {
    language.map { !Outline.languages.contains($0) && LanguageFamily(of: $0) != nil } ?? false
  }

  /// Finds the definition around each one.
  private mutating func nest() {
    var open: [Int] = []
    for place in definitions.indices {
      while let last = open.last, definitions[last].extent.upperBound <= definitions[place].name.lowerBound {
        open.removeLast()
      }
      definitions[place].outer = open.last ?? -1
      if definitions[place].kind?.hasBody == true { open.append(place) }
    }
  }

  /// Whether a word is in code and no name that is defined or declared; never where it is not known what is
  /// code.
  func isUse(_ range: Range<Int>) -> Bool {
    guard knowsCode, !hasMarks || !isFollowedByMark(range.upperBound) else { return false }
    let comment = notCode.indices.search { notCode[$0].upperBound <= range.lowerBound }
    if comment < notCode.count, notCode[comment].lowerBound <= range.lowerBound { return false }
    let declaration = declarations.indices.search { declarations[$0].upperBound <= range.lowerBound }
    if declaration < declarations.count, declarations[declaration].lowerBound <= range.lowerBound {
      return false
    }
    let place = definitions.indices.search { definitions[$0].name.upperBound <= range.lowerBound }
    return place == definitions.count || definitions[place].name.lowerBound > range.lowerBound
  }

  /// Whether `?` or `!` goes on with a name: not before another sign, as in `a != b` and `a ?b : c`.
  private func isFollowedByMark(_ place: Int) -> Bool {
    guard place < text.count, "?!".utf8.contains(text[place]) else { return false }
    return place + 1 == text.count || !"=~".utf8.contains(text[place + 1])
  }

  /// The definitions whose names are in a line.
  func definitions(in line: LineRange) -> ArraySlice<Definition> {
    let first = definitions.indices.search { definitions[$0].name.lowerBound < line.start }
    return definitions[first...].prefix { $0.name.lowerBound < line.end }
  }

  /// The innermost definition around a place that has a body; `nil` for none.
  func definition(around place: Int) -> Definition? {
    let next = definitions.indices.search { definitions[$0].name.lowerBound <= place }
    // What stands before the name, as the type that a function returns.
    if next < definitions.count, definitions[next].extent.contains(place),
      definitions[next].kind?.hasBody == true
    {
      return definitions[next]
    }
    var last = next - 1
    while last >= 0 {
      let definition = definitions[last]
      if definition.extent.contains(place), definition.kind?.hasBody == true { return definition }
      last = definition.outer
    }
    return nil
  }

  /// A definition as results name it.
  ///
  /// - Parameter line: The number of its line, from 1; `nil` if only the name is wanted.
  func symbol(_ definition: Definition, line: Int?) -> CodeSymbol {
    let name = String(decoding: text[definition.name], as: UTF8.self)
    return CodeSymbol(name: name, kind: definition.kind, line: line)
  }

  /// All definitions with their lines, in their order.
  var symbols: [CodeSymbol] {
    var (line, counted) = (1, 0)
    return definitions.map { definition in
      line += text.lineFeeds(in: counted..<max(counted, definition.name.lowerBound))
      counted = max(counted, definition.name.lowerBound)
      return symbol(definition, line: line)
    }
  }
}

extension SymbolKind {
  /// Whether other names are used in it: it is no field, constant or variable.
  fileprivate var hasBody: Bool {
    switch self {
    case .field, .constant, .variable, .index: false
    default: true
    }
  }
}

extension Outline {
  /// Style sheets define no names that are looked for.
  private static let withoutNames: Set = ["CSS", "SCSS", "Less"]

  /// The languages whose definitions are known.
  static let languages = Set(Language.allCases.map(\.rawValue)).subtracting(withoutNames)
    .union(ScriptBlocks.languages)
}
