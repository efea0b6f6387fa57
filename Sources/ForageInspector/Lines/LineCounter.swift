import ForagePlatform

/// Counts lines of code, comments and blank lines.
///
/// A line ends with a line feed. A carriage return is white space, and so is a byte order mark at the
/// beginning. A last line without a line feed counts if it is not empty.
package enum LineCounter {
  /// Counts the lines of a text.
  ///
  /// The time is linear in the size for every input. For malformed source the sum of the counts is still the
  /// number of lines.
  package static func count(_ bytes: UnsafeRawBufferPointer, _ syntax: CommentSyntax) -> LineCounts {
    guard let base = bytes.baseAddress, bytes.count > 0 else { return LineCounts() }
    return syntax.classes.withUnsafeBufferPointer { classes in
      syntax.tokens.withUnsafeBufferPointer { tokens in
        syntax.groups.withUnsafeBufferPointer { groups in
          guard let classes = classes.baseAddress, let groups = groups.baseAddress else {
            return LineCounts()
          }
          var scanner = LineScanner(
            bytes: base.assumingMemoryBound(to: UInt8.self), count: bytes.count, classes: classes,
            tokens: tokens, groups: groups, isLineOnly: syntax.isLineOnly, hasIndicator: syntax.hasIndicator,
            leaving: syntax.leaving)
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
