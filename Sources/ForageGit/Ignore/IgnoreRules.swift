/// The rules of one file of ignored paths and those behind it, which hold where it says nothing.
final class IgnoreRules: Sendable {
  /// A rule file has at most this many bytes (100 MiB), as git's own limit is.
  static let fileLimit = 100 << 20

  /// What is asked when no rule here matches.
  let next: IgnoreRules?
  /// The bytes of the folder's path with its last slash; 0 for the root and for rules of no folder.
  let baseLength: Int
  private let patterns: PathPatterns
  /// Of each pattern whether it takes back what others ignore.
  private let negated: [Bool]

  /// Parses a file; nil when it has no rule.
  init?(_ bytes: [UInt8], baseLength: Int, foldsCase: Bool, next: IgnoreRules?) {
    var patterns = PathPatterns(foldsCase: foldsCase)
    var negated: [Bool] = []
    var rest = bytes[...]
    if rest.starts(with: [0xEF, 0xBB, 0xBF]) { rest = rest.dropFirst(3) }
    while !rest.isEmpty {
      let end = rest.firstIndex(of: UInt8(ascii: "\n")) ?? rest.endIndex
      guard var line = Self.rule(rest[..<end]) else {
        rest = rest[min(end + 1, rest.endIndex)...]
        continue
      }
      rest = rest[min(end + 1, rest.endIndex)...]
      let isNegated = line.first == UInt8(ascii: "!")
      if isNegated { line.removeFirst() }
      patterns.append(line)
      negated.append(isNegated)
    }
    if negated.isEmpty { return nil }
    self.patterns = patterns
    self.negated = negated
    self.baseLength = baseLength
    self.next = next
  }

  /// The pattern of a line; nil for comments and empty lines.
  private static func rule(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    guard line.first != UInt8(ascii: "#") else { return nil }
    var line = line
    if line.last == UInt8(ascii: "\r") { line.removeLast() }
    // For git a text ends at a zero byte.
    line = line.prefix { $0 != 0 }
    // Spaces at the end do not count unless there is a backslash before.
    var kept = line.startIndex
    var position = line.startIndex
    while position < line.endIndex {
      if line[position] == UInt8(ascii: "\\") {
        if position + 1 == line.endIndex {
          kept = line.endIndex
          break
        }
        position += 1
        kept = position + 1
      } else if line[position] != UInt8(ascii: " ") {
        kept = position + 1
      }
      position += 1
    }
    line = line[..<kept]
    return line.isEmpty ? nil : line
  }

  /// What the rules of this file alone say of a path: whether it is ignored; nil when no rule matches.
  ///
  /// - Parameters:
  ///   - path: from the root of the work tree; it is in the folder of the file.
  ///   - nameStart: where in `path` the last name begins.
  func verdict(_ path: UnsafeRawBufferPointer, nameStart: Int, isDirectory: Bool) -> Bool? {
    let relative = UnsafeRawBufferPointer(rebasing: path[baseLength...])
    // The last rule that matches holds.
    var number = patterns.count - 1
    while number >= 0 {
      if patterns.matches(number, relative, nameStart: nameStart - baseLength, isDirectory: isDirectory) {
        return !negated[number]
      }
      number -= 1
    }
    return nil
  }
}
