/// The comments and strings of a language, compiled to tables for ``LineScanner``.
package struct CommentSyntax: Sendable {
  /// The classes of a byte where code may be.
  enum ByteClass {
    static let plain: UInt8 = 0
    static let space: UInt8 = 1
    static let newline: UInt8 = 2
    /// The first of the numbers of rule groups; a group holds the rules that begin with the byte.
    static let firstGroup: UInt8 = 3
  }

  /// A syntax without comments: every line that is not blank is code.
  package static let plain = CommentSyntax([])

  /// The class of each byte.
  let classes: [UInt8]
  /// The rules, group by group; in a group the first that matches counts.
  let rules: [SyntaxRule]
  /// The first rule of each group, and the end.
  let groups: [Int]
  /// Whether no construct spans lines, so that the first byte of a line decides.
  let isLineOnly: Bool

  init(_ all: [SyntaxRule]) {
    var classes = [UInt8](repeating: ByteClass.plain, count: 256)
    for byte in " \t\r\u{0B}\u{0C}".utf8 { classes[Int(byte)] = ByteClass.space }
    classes[Int(UInt8(ascii: "\n"))] = ByteClass.newline
    var rules: [SyntaxRule] = []
    var groups: [Int] = []
    for first in all.map({ $0.open[0] }) where classes[Int(first)] < ByteClass.firstGroup {
      classes[Int(first)] = ByteClass.firstGroup + UInt8(clamping: groups.count)
      groups.append(rules.count)
      rules += all.filter { $0.open[0] == first }
    }
    self.classes = classes
    self.rules = rules
    self.groups = groups + [rules.count]
    isLineOnly = all.allSatisfy { $0.kind == .lineComment }
  }
}
