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
  /// A line has extensions, the language of texts that meet no rule in parentheses, and a rule. Lines after it that
  /// begin with two spaces have further rules. A rule is a language, a colon and patterns: all that stand behind
  /// `&&` must match, none that stands behind `!!` may. A line that begins with four spaces continues the line before
  /// it. A line without an extension defines a name for a pattern, `{{name}}` stands for it. `#` begins a comment.
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
