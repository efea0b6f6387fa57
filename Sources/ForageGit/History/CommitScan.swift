/// The positions of the parts of a commit object that a walk needs; copies nothing.
struct CommitScan {
  /// "tree " + 40 digits + line end.
  private static let treeLine = 5 + ObjectID.hexCount + 1
  /// "parent " + 40 digits + line end.
  private static let parentLine = 7 + ObjectID.hexCount + 1
  private static let lineEnd = UInt8(ascii: "\n")

  /// The most parents; the largest known merge has 66, and the sums of walks must fit into 32 bits.
  static let parentLimit = 65_536

  private(set) var parentCount = 0
  /// `Name <email>`; empty if the commit has no author.
  private(set) var author = 0..<0
  /// The name of the text encoding; empty for UTF-8.
  private(set) var encoding = 0..<0
  /// Seconds since 1970.
  private(set) var authoredAt: Int64 = 0
  private(set) var committedAt: Int64 = 0
  /// The author's offset from UTC, in minutes.
  private(set) var authorZone: Int64 = 0

  /// Scans a commit; nil if its header is invalid or has more than ``parentLimit`` parents.
  @inline(__always) init?(_ bytes: CheckedBytes) {
    var position = Self.treeLine
    guard bytes.count > position, bytes[0] == UInt8(ascii: "t"), bytes[position - 1] == Self.lineEnd else {
      return nil
    }
    while bytes.count - position >= Self.parentLine, bytes[position] == UInt8(ascii: "p") {
      position += Self.parentLine
      guard bytes[position - 1] == Self.lineEnd else { return nil }
      parentCount += 1
      guard parentCount <= Self.parentLimit else { return nil }
    }
    guard bytes.count - position > 7, bytes[position] == UInt8(ascii: "a") else { return }
    let authorLine = Self.line(bytes, position + 7)
    let start = position + 7
    position = start + authorLine.count + 1
    if let ident = Ident(authorLine) {
      authoredAt = ident.time
      authorZone = ident.zone
      author = start..<(start + ident.email.upperBound + 1)
    }
    guard bytes.count - position > 10, bytes[position] == UInt8(ascii: "c") else { return }
    let committer = Self.line(bytes, position + 10)
    position += 10 + committer.count + 1
    committedAt = Ident(committer)?.time ?? 0
    // "encoding " follows the committer directly.
    guard position < bytes.count, bytes[position] == UInt8(ascii: "e") else { return }
    let value = Self.line(bytes, min(position + 9, bytes.count))
    guard bytes.count - position > 9 else { return }
    if !TextDecoding.isUTF8(value.raw) { encoding = (position + 9)..<(position + 9 + value.count) }
  }

  @inline(__always) static func tree(_ bytes: CheckedBytes) -> ObjectID? { ObjectID(hex: bytes.raw, at: 5) }

  @inline(__always) static func parent(_ index: Int, _ bytes: CheckedBytes) -> ObjectID? {
    ObjectID(hex: bytes.raw, at: treeLine + index * parentLine + 7)
  }

  @inline(__always) private static func line(_ bytes: CheckedBytes, _ start: Int) -> CheckedBytes {
    bytes.part(min(start, bytes.count)..<(bytes.first(lineEnd, from: start) ?? bytes.count))
  }
}
