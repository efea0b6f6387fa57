import CPCRE2
import Synchronization

/// Rules on contents, by the extension of a file: the first one that a text meets decides.
final class LanguageRules: Sendable {
  private struct Rule: Sendable {
    let language: String
    let wanted: [Pattern]
    let unwanted: [Pattern]

    func holds(for text: UnsafeRawBufferPointer) -> Bool {
      wanted.allSatisfy { $0.matches(text) } && !unwanted.contains { $0.matches(text) }
    }
  }

  /// The text of each rule, by extension.
  private let lines: [String: [String]]
  private let usual: [String: String]
  private let definitions: [String: String]
  /// The rules of the extensions that were asked for.
  private let compiled = Mutex<[String: [Rule]]>([:])

  /// Reads a table.
  ///
  /// A line has extensions, the language of texts that meet no rule in parentheses, and a rule. Lines after
  /// it that begin with two spaces have further rules. A rule is a language, a colon and patterns: all that
  /// stand behind `&&` must match, none that stands behind `!!` may. A line that begins with four spaces
  /// continues the line before it. A line without an extension defines a name for a pattern, `{{name}}`
  /// stands for it. `#` begins a comment.
  init(_ table: StaticString) {
    var lines: [String: [String]] = [:]
    var usual: [String: String] = [:]
    var definitions: [String: String] = [:]
    var extensions: [String] = []
    for line in Self.joined("\(table)") {
      guard line.hasPrefix(".") || line.hasPrefix("  ") else {
        let parts = line.split(separator: ": ", maxSplits: 1)
        definitions[String(parts[0])] = String(parts[1])
        continue
      }
      var rest = line.drop { $0 == " " }
      if line.hasPrefix(".") {
        extensions = []
        while rest.hasPrefix(".") {
          extensions.append(String(rest.prefix { $0 != " " }))
          rest = rest.drop { $0 != " " }.drop { $0 == " " }
        }
      }
      if rest.hasPrefix("(") {
        for suffix in extensions { usual[suffix] = String(rest.dropFirst().prefix { $0 != ")" }) }
        rest = rest.drop { $0 != ")" }.dropFirst().drop { $0 == " " }
      }
      guard !rest.isEmpty else { continue }
      for suffix in extensions { lines[suffix, default: []].append(String(rest)) }
    }
    self.lines = lines
    self.usual = usual
    self.definitions = definitions
  }

  /// Returns the lines of a table without comments, each with those that continue it.
  private static func joined(_ table: String) -> [String] {
    var lines: [String] = []
    for line in table.split(separator: "\n") where !line.hasPrefix("#") {
      guard line.hasPrefix("    "), let last = lines.last else {
        lines.append(String(line))
        continue
      }
      let rest = line.dropFirst(4)
      lines[lines.count - 1] = last + (rest.hasPrefix("|") ? "" : " ") + rest
    }
    return lines
  }

  /// Whether there are rules for an extension, in lower case and with its dot.
  func covers(_ suffix: String) -> Bool { lines[suffix] != nil }

  /// Returns the language of texts that meet no rule; nil if the table names none.
  func usual(_ suffix: String) -> String? { usual[suffix] }

  /// Returns the language of the first rule that a text meets; nil if there is none.
  func language(_ suffix: String, _ text: UnsafeRawBufferPointer) -> String? {
    guard let lines = lines[suffix] else { return nil }
    let rules = compiled.withLock { compiled in
      if let known = compiled[suffix] { return known }
      let rules = lines.map(rule)
      compiled[suffix] = rules
      return rules
    }
    return rules.first { $0.holds(for: text) }?.language
  }

  private func rule(_ line: String) -> Rule {
    let parts = line.split(separator: ": ", maxSplits: 1)
    let terms = parts[1].split(separator: " !! ", omittingEmptySubsequences: false)
    let wanted = terms[0].hasPrefix("!! ") ? [] : terms[0].split(separator: " && ").map(pattern)
    let unwanted = (wanted.isEmpty ? [terms[0].dropFirst(3)] : []) + terms.dropFirst()
    return Rule(language: String(parts[0]), wanted: wanted, unwanted: unwanted.map(pattern))
  }

  private func pattern(_ text: Substring) -> Pattern {
    var text = String(text)
    for (name, definition) in definitions { text.replace("{{\(name)}}", with: "(?:\(definition))") }
    return Pattern(text)
  }
}

/// A regular expression of the tables, in the syntax of PCRE2, for bytes.
///
/// `^` and `$` match at the ends of lines, whose ends are LF, CR or CR LF. Letters are those of ASCII.
final class Pattern: Sendable {
  /// The backtracking steps of one match; the tables need a few thousand. A text that needs more does not
  /// match.
  private static let stepLimit: UInt32 = 1_000_000

  private let compiled: forage_pattern

  /// Compiles an expression, which must be valid.
  init(_ expression: String) {
    let settings = pcre2_compile_context_create_8(nil)
    defer { pcre2_compile_context_free_8(settings) }
    pcre2_set_newline_8(settings, UInt32(PCRE2_NEWLINE_ANYCRLF))
    pcre2_set_bsr_8(settings, UInt32(PCRE2_BSR_ANYCRLF))
    let bytes = Array(expression.utf8)
    var (error, offset): (Int32, Int) = (0, 0)
    let made = pcre2_compile_8(bytes, bytes.count, PCRE2_MULTILINE, &error, &offset, settings)
    guard let made else { preconditionFailure("error \(error) at \(offset) in \(expression)") }
    // Where this is not supported, PCRE2 interprets the expression.
    _ = pcre2_jit_compile_8(made, PCRE2_JIT_COMPLETE)
    compiled = forage_pattern(code: made, context: pcre2_match_context_create_8(nil))
    if let context = compiled.context { pcre2_set_match_limit_8(context, Self.stepLimit) }
  }

  deinit {
    pcre2_match_context_free_8(compiled.context)
    pcre2_code_free_8(compiled.code)
  }

  /// Whether the expression matches somewhere in a text.
  func matches(_ text: UnsafeRawBufferPointer) -> Bool { match(text) { _ in true } ?? false }

  /// Whether the expression matches somewhere in a text.
  func matches(_ text: some StringProtocol) -> Bool {
    var text = String(text)
    return text.withUTF8 { matches(UnsafeRawBufferPointer($0)) }
  }

  /// Returns what the first group of the first match contains; nil if there is no match.
  func group(in text: UnsafeRawBufferPointer) -> String? {
    match(text) { places in
      guard places[2] <= places[3], places[3] <= text.count else { return nil }
      return String(decoding: text[places[2]..<places[3]], as: UTF8.self)
    }
  }

  private func match<Result>(
    _ text: UnsafeRawBufferPointer, _ body: (UnsafeMutablePointer<Int>) -> Result?
  ) -> Result? {
    guard let data = pcre2_match_data_create_from_pattern_8(compiled.code, nil) else { return nil }
    defer { pcre2_match_data_free_8(data) }
    var nothing: UInt8 = 0
    let count = withUnsafePointer(to: &nothing) { nothing in
      let subject = text.baseAddress?.assumingMemoryBound(to: UInt8.self) ?? nothing
      return pcre2_match_8(compiled.code, subject, text.count, 0, 0, data, compiled.context)
    }
    guard count > 0, let places = pcre2_get_ovector_pointer_8(data) else { return nil }
    return body(places)
  }
}
