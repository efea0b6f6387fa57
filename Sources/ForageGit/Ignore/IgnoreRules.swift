/// The rules of one ignore file, and a link to the next file of lower precedence.
final class IgnoreRules: Sendable {
  /// The size limit of a rule file (100 MiB), as in git.
  static let fileLimit = 100 << 20

  /// The rules of the next lower precedence.
  let next: IgnoreRules?
  /// The length of the folder's path with its trailing slash; 0 for the root and for rules without a folder.
  let baseLength: Int
  private let patterns: PathPatterns
  /// Whether each pattern is negated (`!`).
  private let negated: [Bool]

  /// Parses a file; nil if it has no rule.
  init?(_ bytes: [UInt8], baseLength: Int, foldsCase: Bool, next: IgnoreRules?) {
    var patterns = PathPatterns(foldsCase: foldsCase)
    var negated: [Bool] = []
    var rest = bytes[...]
    if rest.starts(with: [0xEF, 0xBB, 0xBF]) { rest = rest.dropFirst(3) }
    while !rest.isEmpty {
      let end = rest.firstIndex(of: UInt8(ascii: "\n")) ?? rest.endIndex
      let rule = Self.rule(rest[..<end])
      rest = rest[end...].dropFirst()
      guard var line = rule else { continue }
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

  /// Returns the pattern of a line; nil for comments and empty lines.
  private static func rule(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    guard line.first != UInt8(ascii: "#") else { return nil }
    var line = line
    if line.last == UInt8(ascii: "\r") { line.removeLast() }
    // Git's strings end at a NUL.
    line = line.prefix { $0 != 0 }
    // Trailing spaces are ignored unless a backslash precedes them.
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

  /// Returns whether this file's rules ignore a path; nil if no rule matches.
  ///
  /// - Parameters:
  ///   - path: relative to the root of the work tree; below the folder of the file.
  ///   - nameStart: the index in `path` where the last component begins.
  func verdict(_ path: UnsafeRawBufferPointer, nameStart: Int, isDirectory: Bool) -> Bool? {
    let relative = UnsafeRawBufferPointer(rebasing: path[baseLength...])
    // The last matching rule applies.
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
