/// Rules that choose by contents among languages that share an extension.
///
/// Each rule looks for text that is usual in one language and rare or impossible in the others. Without a
/// match the usual language of the extension applies.
struct ContentRules: Sendable {
  /// How needles are looked for; ``is`` takes the name of other rules or of a condition, ``or`` separates
  /// lists of terms, one of which must hold.
  private enum Kind: String {
    case line, flush, first, begins, has, word, ends, then, `is`, or
  }

  private struct Term {
    let kind: Kind
    let ignoresCase: Bool
    let isNegated: Bool
    /// The needles, as indices of ``ContentRules/needles``.
    var needles: Range<Int>
  }

  private struct Rule {
    /// Indices of ``ContentRules/terms``.
    let terms: Range<Int>
    /// The language if they hold; a dash for none.
    let language: String
    /// The language if they do not; nil if the next rule decides.
    let otherwise: String?
  }

  /// A text, which is converted to lower case once.
  private final class Sample {
    let text: SourceText
    lazy var lower = text.anyCase

    init(_ text: SourceText) { self.text = text }
  }

  private static let shared = ContentRules(table)

  private var rules: [Rule] = []
  /// Indices of the rules, by their names.
  private var places: [String: Range<Int>] = [:]
  private var terms: [Term] = []
  /// Ranges of the table.
  private var needles: [Range<Int>] = []

  /// Returns the language of a text whose name ends with `suffix` (lowercase, with its dot); nil if no rule
  /// applies.
  static func language(_ suffix: String, _ text: SourceText) -> String? {
    shared.language(suffix, Sample(text)) ?? usual(suffix)
  }

  /// Parses the rules; ``table`` describes their form.
  private init(_ table: StaticString) {
    let text = UnsafeRawBufferPointer(table.needle)
    var (names, first, start, at): ([String], Int, Int, Int) = ([], 0, 0, 0)
    @inline(__always) func take(until isEnd: (UInt8) -> Bool) -> Range<Int> {
      let start = at
      while !isEnd(text[at]) { at += 1 }
      return start..<at
    }
    func takes(_ byte: Unicode.Scalar) -> Bool {
      let isThere = text[at] == UInt8(ascii: byte)
      if isThere { at += 1 }
      return isThere
    }
    func string(_ range: Range<Int>) -> String { String(decoding: text[range], as: UTF8.self) }
    let isLineEnd = { (byte: UInt8) in byte == UInt8(ascii: "\n") }
    let isBlank = { (byte: UInt8) in byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\n") }
    while at < text.count {
      let (byte, isFirst) = (text[at], at == 0 || text[at - 1] == UInt8(ascii: "\n"))
      if isBlank(byte) {
        at += 1
      } else if isFirst, byte == UInt8(ascii: "#") {
        _ = take(until: isLineEnd)
      } else if isFirst {
        (names, first) = ([], rules.count)
        repeat {
          names.append(string(take(until: isBlank)))
        } while takes(" ") && text[at] != UInt8(ascii: " ")
      } else if "\"'`".utf8.contains(byte) {
        at += 1
        add(needle: take { $0 == byte })
        at += 1
      } else if byte == "→".utf8.first {
        at += "→ ".utf8.count
        let language = string(take { isLineEnd($0) || $0 == UInt8(ascii: "|") })
        let otherwise = takes("|") ? string(take(until: isLineEnd)) : nil
        rules.append(Rule(terms: start..<terms.count, language: language, otherwise: otherwise))
        for name in names { places[name] = first..<rules.count }
        start = terms.count
      } else {
        let (isNegated, ignoresCase) = (takes("!"), takes("~"))
        let word = take(until: isBlank)
        if let kind = Kind(rawValue: string(word)) {
          terms.append(
            Term(
              kind: kind, ignoresCase: ignoresCase, isNegated: isNegated,
              needles: needles.count..<needles.count))
        } else {
          add(needle: word)
        }
      }
    }
  }

  private mutating func add(needle: Range<Int>) {
    needles.append(needle)
    terms[terms.count - 1].needles = terms[terms.count - 1].needles.lowerBound..<needles.count
  }

  private func language(_ name: String, _ sample: Sample) -> String? {
    for rule in rules[places[name] ?? 0..<0] {
      if holds(rule, sample) { return rule.language == "-" ? nil : rule.language }
      if let language = rule.otherwise { return language }
    }
    return nil
  }

  private func holds(_ rule: Rule, _ sample: Sample) -> Bool {
    var isFulfilled = true
    for term in terms[rule.terms] {
      if term.kind == .or {
        if isFulfilled { return true }
        isFulfilled = true
      } else if isFulfilled {
        isFulfilled = holds(term, sample) != term.isNegated
      }
    }
    return isFulfilled
  }

  private func holds(_ term: Term, _ sample: Sample) -> Bool {
    let text = term.ignoresCase ? sample.lower : sample.text
    let needles = self.needles[term.needles].map { SourceText.Needle(rebasing: Self.table.needle[$0]) }
    switch term.kind {
    case .line: return text.anyLine(text.lines[...], needles)
    case .flush: return text.anyLine(text.lines[...], needles, flush: true)
    case .first: return text.anyLine(text.lines.prefix(1), needles)
    case .begins: return text.line { line in needles.contains { line.starts(with: $0) } }
    case .has: return text.contains(needles)
    case .word: return text.contains(needles, asWord: true)
    case .ends: return needles.contains(where: text.ends)
    case .then: return text.line(needles[0], then: needles.dropFirst())
    case .or: return false
    case .is:
      let name = String(decoding: needles[0], as: UTF8.self)
      return Self.conditions[name]?(text) ?? (language(name, sample) != nil)
    }
  }

  /// Returns the usual language of an extension where neither the first popular language nor the first in
  /// alphabetical order is a good guess.
  static func usual(_ suffix: String) -> String? { usualNames[suffix] }

  private static let usualNames: [String: String] = [
    ".md": "Markdown", ".yaml": "YAML", ".yml": "YAML", ".txt": "Text", ".json": "JSON",
    ".properties": "Java Properties",
    ".vcf": "vCard", ".plist": "XML Property List", ".sql": "SQL", ".v": "Verilog", ".pp": "Puppet",
    ".s": "Unix Assembly", ".l": "Lex", ".f": "Fortran", ".for": "Fortran", ".m4": "M4",
    ".cfg": "INI", ".mod": "Modula-2", ".toc": "TeX", ".cl": "OpenCL", ".cls": "TeX",
    ".frm": "Visual Basic 6.0",
    ".bas": "VBA", ".gd": "GDScript", ".sch": "Scheme", ".star": "Starlark", ".sls": "Salt", ".yy": "Yacc",
    ".scm": "Scheme", ".ftl": "FreeMarker", ".tl": "Teal", ".tpl": "Smarty", ".mc": "Monkey C",
    ".nu": "Nushell",
    ".lean": "Lean 4", ".uc": "UnrealScript", ".workflow": "HCL", ".x": "RPC",
    ".nb": "Wolfram Language",
    ".typ": "Typst", ".vba": "VBA", ".srt": "SubRip Text", ".svx": "Survex data", ".gml": "XML",
    ".asc": "AsciiDoc",
    ".res": "ReScript", ".pbt": "Protocol Buffer Text Format", ".pc": "pkg-config", ".pod": "Pod",
    ".tst": "Scilab",
    ".shader": "ShaderLab", ".fx": "HLSL", ".qs": "Q#", ".rsc": "RouterOS Script", ".cue": "CUE",
    ".bi": "FreeBASIC",
    ".odin": "Odin", ".jq": "jq", ".mask": "Unity3D Asset", ".ncl": "NCL", ".tact": "Tact",
  ]
}
