/// The numbers of code, comment and blank lines of a text; each line counts as exactly one of them.
package struct LineCounts: Sendable, Hashable {
  /// Lines that contain more than white space and comments.
  package var code: Int
  /// Lines that contain only comments and white space.
  package var comment: Int
  /// Lines of white space only, also inside a comment or string.
  package var blank: Int

  /// Creates counts.
  package init(code: Int = 0, comment: Int = 0, blank: Int = 0) {
    self.code = code
    self.comment = comment
    self.blank = blank
  }

  /// The number of all lines.
  package var lines: Int { code + comment + blank }

  static func += (a: inout LineCounts, b: LineCounts) {
    a.code += b.code
    a.comment += b.comment
    a.blank += b.blank
  }
}
