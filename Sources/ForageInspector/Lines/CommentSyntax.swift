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

  /// The size of one grammar in `classes`: a table for code, and one for code inside interpolations.
  static let tableSize = 512

  /// The tables of all grammars, one after another.
  let classes: [UInt8]
  let tokens: [SyntaxRule]
  /// The first token of each group, and the end.
  let groups: [UInt16]
  /// Whether no construct spans lines, so that the first byte of a line decides.
  let isLineOnly: Bool
  /// Whether the seventh byte of a line may mark a comment.
  let hasIndicator: Bool
  /// What ends both an embedded grammar and a line comment in it (`?>` in PHP); empty if nothing does.
  let leaving: StaticString

  /// Compiles grammars; a file begins in the first one.
  ///
  /// - Parameter leaving: what ends a line comment in an embedded grammar; empty if nothing does.
  init(_ grammars: [[SyntaxRule]], leaving: StaticString = "") {
    self.leaving = leaving
    var classes: [UInt8] = []
    var tokens: [SyntaxRule] = []
    var groups: [UInt16] = []
    for rules in grammars {
      var table = [UInt8](repeating: ByteClass.plain, count: 256)
      for byte in " \t\r\u{0B}\u{0C}".utf8 { table[Int(byte)] = ByteClass.space }
      table[Int(UInt8(ascii: "\n"))] = ByteClass.newline
      // A token in any case begins with either case of its first letter.
      var firsts: [UInt8] = []
      for rule in rules {
        let first = rule.open[0]
        firsts.append(first)
        if rule.condition.contains(.anyCase), (0x61...0x7A).contains(first) { firsts.append(first & 0xDF) }
      }
      for first in firsts where table[Int(first)] < ByteClass.firstGroup {
        table[Int(first)] = ByteClass.firstGroup + UInt8(clamping: groups.count)
        groups.append(UInt16(clamping: tokens.count))
        tokens += rules.filter { rule in
          let own = rule.open[0]
          return own == first || rule.condition.contains(.anyCase) && own == first | 0x20
        }
      }
      classes += table
      for opening in rules.map(\.interpolation) where opening.count > 0 {
        let isRound = opening[opening.count - 1] == UInt8(ascii: "(")
        for byte in isRound ? "()".utf8 : "{}".utf8
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
    hasIndicator = grammars.contains { rules in rules.contains { $0.condition.contains(.columnSix) } }
    isLineOnly = grammars.allSatisfy { rules in rules.allSatisfy { $0.kind == .lineComment } }
  }

  /// Compiles a single grammar.
  init(_ rules: [SyntaxRule]) {
    self.init([rules])
  }
}
