/// How many lines of a text are code, comment and blank; each line is exactly one of the three.
package struct LineCounts: Sendable, Hashable {
  /// Lines with something that is neither white space nor a comment.
  package var code: Int
  /// Lines with nothing but comments and white space, and a comment.
  package var comment: Int
  /// Lines of white space, wherever they are: also inside a comment or a string.
  package var blank: Int

  /// Makes counts.
  package init(code: Int = 0, comment: Int = 0, blank: Int = 0) {
    self.code = code
    self.comment = comment
    self.blank = blank
  }

  /// All lines.
  package var lines: Int { code + comment + blank }

  static func += (a: inout LineCounts, b: LineCounts) {
    a.code += b.code
    a.comment += b.comment
    a.blank += b.blank
  }
}
