/// Counts lines of code, comments and blank lines.
///
/// A line ends with a line feed. A carriage return is white space, and so is a byte order mark at the
/// beginning. A last line without a line feed counts if it is not empty.
package enum LineCounter {
  /// Counts the lines of a text.
  ///
  /// For malformed source the sum of the counts is still the number of lines.
  package static func count(_ bytes: UnsafeRawBufferPointer, _ syntax: CommentSyntax) -> LineCounts {
    syntax.classes.withUnsafeBufferPointer { classes in
      syntax.rules.withUnsafeBufferPointer { rules in
        syntax.groups.withUnsafeBufferPointer { groups in
          var scanner = LineScanner(
            bytes.assumingMemoryBound(to: UInt8.self), classes: classes, rules: rules, groups: groups,
            isLineOnly: syntax.isLineOnly)
          return scanner.run()
        }
      }
    }
  }
}

/// The numbers of code, comment and blank lines of a text; each line counts as exactly one of them.
package struct LineCounts: Sendable, Hashable {
  /// Lines that contain more than white space and comments.
  package var code = 0
  /// Lines that contain only comments and white space.
  package var comment = 0
  /// Lines of white space only, also inside a comment or string.
  package var blank = 0

  package var lines: Int { code + comment + blank }

  static func += (a: inout LineCounts, b: LineCounts) {
    a.code += b.code
    a.comment += b.comment
    a.blank += b.blank
  }
}
