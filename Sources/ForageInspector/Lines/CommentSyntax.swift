/// The comments and strings of a language, compiled to tables for ``LineScanner``.
package struct CommentSyntax: Sendable {
  /// The classes of a byte where code may be.
  enum ByteClass {
    static let plain: UInt8 = 0
    static let space: UInt8 = 1
    static let newline: UInt8 = 2
    /// A bracket, which matters only inside an interpolation.
    static let bracket: UInt8 = 3
    /// The first of the numbers of token groups; a group holds the tokens that begin with the byte.
    static let firstGroup: UInt8 = 4
  }

  /// A rule whose bytes are in the shared pool; it holds no reference, so that loops need no reference
  /// counting.
  struct Token: Sendable {
    let kind: SyntaxRule.Kind
    let condition: SyntaxRule.Condition
    let open: Span
    let close: Span
    let escape: UInt8
    let isMultiline: Bool
    let isDocumentation: Bool
    let interpolation: Span
    let grammar: UInt8
    let notClosing: Span
  }

  /// A range in the pool of bytes.
  struct Span: Sendable {
    let start: UInt16
    let count: UInt16
  }

  /// The size of one grammar in `classes`: a table for code, and one for code inside interpolations.
  static let tableSize = 512

  /// The tables of all grammars, one after another.
  let classes: [UInt8]
  let tokens: [Token]
  /// The first token of each group, and the end.
  let groups: [UInt16]
  let pool: [UInt8]
  /// Whether no construct spans lines, so that the first byte of a line decides.
  let isLineOnly: Bool
  /// Whether the seventh byte of a line may mark a comment.
  let hasIndicator: Bool
  /// What ends both an embedded grammar and a line comment in it (`?>` in PHP); empty if nothing does.
  let leaving: Span

  /// Compiles grammars; a file begins in the first one.
  ///
  /// - Parameter leaving: what ends a line comment in an embedded grammar; empty if nothing does.
  init(_ grammars: [[SyntaxRule]], leaving: String = "") {
    var pool: [UInt8] = []
    func span(_ text: String) -> Span {
      let start = UInt16(clamping: pool.count)
      pool += text.utf8
      return Span(start: start, count: UInt16(clamping: text.utf8.count))
    }
    self.leaving = span(leaving)
    var classes: [UInt8] = []
    var tokens: [Token] = []
    var groups: [UInt16] = []
    for rules in grammars {
      var table = [UInt8](repeating: ByteClass.plain, count: 256)
      for byte in " \t\r\u{0B}\u{0C}".utf8 { table[Int(byte)] = ByteClass.space }
      table[Int(UInt8(ascii: "\n"))] = ByteClass.newline
      // A token in any case begins with either case of its first letter.
      var firsts: [UInt8] = []
      for rule in rules {
        guard let first = rule.open.utf8.first else { continue }
        firsts.append(first)
        if rule.condition.contains(.anyCase), (0x61...0x7A).contains(first) { firsts.append(first & 0xDF) }
      }
      for first in firsts where table[Int(first)] < ByteClass.firstGroup {
        table[Int(first)] = ByteClass.firstGroup + UInt8(clamping: groups.count)
        groups.append(UInt16(clamping: tokens.count))
        for rule in rules {
          guard let own = rule.open.utf8.first,
            own == first || rule.condition.contains(.anyCase) && own == first | 0x20
          else { continue }
          tokens.append(
            Token(
              kind: rule.kind, condition: rule.condition, open: span(rule.open), close: span(rule.close),
              escape: rule.escape, isMultiline: rule.isMultiline, isDocumentation: rule.isDocumentation,
              interpolation: span(rule.interpolation), grammar: UInt8(clamping: rule.grammar),
              notClosing: span(rule.notClosing)))
        }
      }
      classes += table
      for rule in rules where !rule.interpolation.isEmpty {
        for byte in rule.interpolation.hasSuffix("(") ? "()".utf8 : "{}".utf8
        where table[Int(byte)] == ByteClass.plain {
          table[Int(byte)] = ByteClass.bracket
        }
      }
      classes += table
    }
    groups.append(UInt16(clamping: tokens.count))
    self.classes = classes
    self.tokens = tokens
    self.groups = groups
    self.pool = pool
    hasIndicator = grammars.contains { rules in rules.contains { $0.condition.contains(.columnSix) } }
    isLineOnly = grammars.allSatisfy { rules in rules.allSatisfy { $0.kind == .lineComment } }
  }

  /// Compiles a single grammar.
  init(_ rules: [SyntaxRule]) {
    self.init([rules])
  }
}
