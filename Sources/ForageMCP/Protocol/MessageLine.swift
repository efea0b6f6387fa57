/// Splits standard input into messages, one a line.
///
/// A line that is too long is reported once and skipped up to its end, so that the messages after it are still read.
struct MessageLines: Sendable {
  /// The maximum length of a message in bytes: larger than any request needs, and small enough to be held in memory.
  static let limit = 4 << 20

  /// A line, or the report of one that was skipped.
  enum Line: Hashable, Sendable {
    case message([UInt8])
    case tooLong
  }

  private var pending: [UInt8] = []
  private var isSkipping = false

  /// Adds bytes.
  ///
  /// - Returns: The lines that they complete, in order. Blank lines are left out.
  mutating func append(_ bytes: [UInt8]) -> [Line] {
    var lines: [Line] = []
    var rest = bytes[...]
    while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
      add(rest[..<end], to: &lines)
      if !isSkipping, !pending.allSatisfy(Self.isBlank) { lines.append(.message(pending)) }
      pending = []
      isSkipping = false
      rest = rest[(end + 1)...]
    }
    add(rest, to: &lines)
    return lines
  }

  private mutating func add(_ bytes: ArraySlice<UInt8>, to lines: inout [Line]) {
    guard !isSkipping else { return }
    pending += bytes
    guard pending.count > Self.limit else { return }
    pending = []
    isSkipping = true
    lines.append(.tooLong)
  }

  private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0D }
}
