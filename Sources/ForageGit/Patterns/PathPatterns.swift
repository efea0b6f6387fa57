/// A compiled list of patterns as defined in gitignore(5) and gitattributes(5).
///
/// A pattern without a slash (except a trailing one) matches the last component of a path; others match the
/// path relative to the folder of the patterns.
package struct PathPatterns: Sendable {
  private enum Form: UInt8 {
    /// The last component equals the literal.
    case name
    /// The last component ends with the literal.
    case suffix
    /// The last component matches a glob.
    case nameGlob
    /// The path equals the literal.
    case path
    /// The path begins with the literal, and a glob matches the rest.
    case pathGlob
  }

  private struct Pattern: Sendable {
    var form: Form
    /// Whether only folders match.
    var needsDirectory: Bool
    /// The range in `text` of the part without wildcards.
    var start: Int32
    var count: Int32
    /// The position in `globs`.
    var glob: Int32
  }

  private var text: [UInt8] = []
  private var globs: [Glob] = []
  private var patterns: [Pattern] = []
  private let foldsCase: Bool

  /// Creates an empty list.
  ///
  /// - Parameter foldsCase: whether ASCII letters match case-insensitively (`core.ignoreCase`).
  package init(foldsCase: Bool = false) {
    self.foldsCase = foldsCase
  }

  package var count: Int { patterns.count }

  /// Adds a pattern; a leading `!` has no special meaning here.
  package mutating func append(_ pattern: ArraySlice<UInt8>) {
    let slash = UInt8(ascii: "/")
    var rest = pattern
    let needsDirectory = rest.last == slash
    if needsDirectory { rest.removeLast() }
    let isName = !rest.contains(slash)
    if rest.first == slash { rest.removeFirst() }
    let plain = rest.prefix { !Self.isSpecial($0) }
    var form: Form
    var literal = plain
    if isName {
      form = .nameGlob
      if plain.count == rest.count {
        form = .name
      } else if rest.first == UInt8(ascii: "*"), !rest.dropFirst().contains(where: Self.isSpecial) {
        form = .suffix
        literal = rest.dropFirst()
      }
    } else {
      form = plain.count == rest.count ? .path : .pathGlob
    }
    var entry = Pattern(
      form: form, needsDirectory: needsDirectory, start: Int32(truncatingIfNeeded: text.count),
      count: Int32(truncatingIfNeeded: literal.count), glob: 0)
    if form == .nameGlob || form == .pathGlob {
      entry.glob = Int32(truncatingIfNeeded: globs.count)
      // Git, too, matches the rest of a path alone, so `**` is at the beginning even in `a/b**`.
      globs.append(Glob(form == .pathGlob ? rest.dropFirst(plain.count) : rest, foldsCase: foldsCase))
    }
    text += literal
    patterns.append(entry)
  }

  /// Returns about the number of steps that a match takes, so that callers can limit patterns that are made to
  /// be slow.
  package func cost(_ number: Int, _ path: UnsafeRawBufferPointer) -> Int {
    let pattern = patterns[number]
    guard pattern.form == .nameGlob || pattern.form == .pathGlob else { return 1 }
    return 1 + path.count * globs[Int(pattern.glob)].steps
  }

  /// Whether a pattern matches.
  ///
  /// - Parameters:
  ///   - path: relative to the folder of the patterns.
  ///   - nameStart: the index in `path` where the last component begins.
  @inline(__always) package func matches(
    _ number: Int, _ path: UnsafeRawBufferPointer, nameStart: Int, isDirectory: Bool
  ) -> Bool {
    let pattern = patterns[number]
    if pattern.needsDirectory, !isDirectory { return false }
    let count = Int(pattern.count)
    let nameCount = path.count - nameStart
    switch pattern.form {
    case .name:
      return nameCount == count && isSame(pattern, path, nameStart)
    case .suffix:
      return nameCount >= count && isSame(pattern, path, path.count - count)
    case .path:
      return path.count == count && isSame(pattern, path, 0)
    case .nameGlob:
      return globs[Int(pattern.glob)].matches(UnsafeRawBufferPointer(rebasing: path[nameStart...]))
    case .pathGlob:
      guard path.count >= count, isSame(pattern, path, 0) else { return false }
      return globs[Int(pattern.glob)].matches(UnsafeRawBufferPointer(rebasing: path[count...]))
    }
  }

  /// Whether the literal part is at an index of the path, which has enough bytes.
  @inline(__always)
  private func isSame(_ pattern: Pattern, _ path: UnsafeRawBufferPointer, _ start: Int) -> Bool {
    let count = Int(pattern.count)
    return text.withUnsafeBytes { text in
      let literal = UnsafeRawBufferPointer(
        rebasing: text[Int(pattern.start)..<(Int(pattern.start) + count)])
      let part = UnsafeRawBufferPointer(rebasing: path[start..<(start + count)])
      return foldsCase ? Bytes.areEqualFolded(literal, part) : Bytes.areEqual(literal, part)
    }
  }

  private static func isSpecial(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "*") || byte == UInt8(ascii: "?") || byte == UInt8(ascii: "[")
      || byte == UInt8(ascii: "\\")
  }
}
