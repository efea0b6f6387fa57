import ForagePlatform

package struct Commit: Sendable, Hashable {
  package let id: ObjectID
  package let tree: ObjectID
  package let parents: [ObjectID]
  /// The author's name and e-mail as recorded, in UTF-8, before the mailmap is applied.
  package let authorName: [UInt8]
  package let authorEmail: [UInt8]
  /// The author date, in seconds since 1970.
  package let authoredAt: Int64
  /// The committer date, in seconds since 1970.
  package let committedAt: Int64
  /// The message in UTF-8; of a longer one the first 64 KiB.
  package let message: [UInt8]
  /// The first paragraph of the message on one line.
  package let subject: String

  init?(id: ObjectID, _ bytes: CheckedBytes) {
    guard let scan = CommitScan(bytes), let tree = CommitScan.tree(bytes) else { return nil }
    self.id = id
    self.tree = tree
    parents = (0..<scan.parentCount).compactMap { CommitScan.parent($0, bytes) }
    authoredAt = scan.authoredAt
    committedAt = scan.committedAt
    let encoding = [UInt8](bytes[scan.encoding])
    let author = TextDecoding.utf8([UInt8](bytes[scan.author]), encoding: encoding)
    (authorName, authorEmail) = author.withUnsafeBytes { raw in
      Ident(CheckedBytes(raw)).map { ([UInt8](raw[$0.name]), [UInt8](raw[$0.email])) } ?? ([], [])
    }
    var lines = HeaderLines(bytes)
    while lines.next() != nil {}
    // The subject is at the beginning, even of a message of megabytes.
    message = TextDecoding.utf8(
      [UInt8](bytes.raw[lines.bodyOffset...].prefix(1 << 16)), encoding: encoding)
    subject = Self.subject(of: message)
  }

  /// Returns the first paragraph with line breaks as spaces, like git's `%s`.
  private static func subject(of message: [UInt8]) -> String {
    var lines: [ArraySlice<UInt8>] = []
    for line in message.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
      guard let last = line.lastIndex(where: { !isSpace($0) }) else {
        if lines.isEmpty { continue }
        break
      }
      lines.append(line[...last])
    }
    return String(decoding: Array(lines.joined(separator: [UInt8(ascii: " ")])), as: UTF8.self)
  }
}

/// The header lines of a commit or tag: `key value`, up to the empty line.
struct HeaderLines {
  private let bytes: CheckedBytes
  private var position = 0

  init(_ bytes: CheckedBytes) {
    self.bytes = bytes
  }

  /// The offset of the message, once all header lines are read.
  var bodyOffset: Int { min(position, bytes.count) }

  mutating func next() -> (key: String, value: CheckedBytes)? {
    guard position < bytes.count else { return nil }
    let line = bytes.part(position..<(bytes.first(UInt8(ascii: "\n"), from: position) ?? bytes.count))
    position += line.count + 1
    if line.isEmpty { return nil }
    let end = line.first(UInt8(ascii: " ")) ?? line.count
    return (String(decoding: line[0..<end], as: UTF8.self), line.part(min(end + 1, line.count)..<line.count))
  }
}

/// An identity `Name <email> seconds zone`, split as by git's `split_ident_line`.
struct Ident {
  let name: Range<Int>
  let email: Range<Int>
  /// Seconds since 1970; 0 if absent or outside the years 1 to 9999, as in git.
  let time: Int64
  /// The offset from UTC in minutes, from the hours and minutes of `+hhmm`; 0 if absent.
  let zone: Int64

  /// The times that are calendar dates: 0001-01-01 to 9999-12-31.
  private static let timeRange: ClosedRange<Int64> = -62_135_596_800...253_402_300_799

  /// Parses the bytes after `author `; nil without `<...>`.
  @inline(__always) init?(_ line: CheckedBytes) {
    guard let open = line.first(UInt8(ascii: "<")) else { return nil }
    guard let close = line.first(UInt8(ascii: ">"), from: open + 1) else { return nil }
    var nameEnd = open
    while nameEnd > 0, isSpace(line[nameEnd - 1]) { nameEnd -= 1 }
    name = 0..<nameEnd
    email = (open + 1)..<close
    // The date follows the last `>`.
    var last = line.count - 1
    while last > close, line[last] != UInt8(ascii: ">") { last -= 1 }
    var position = last + 1
    while position < line.count, isSpace(line[position]) { position += 1 }
    var value: Int64 = 0
    let negative = position < line.count && line[position] == UInt8(ascii: "-")
    if negative { position += 1 }
    while position < line.count, isDigit(line[position]) {
      if value > Self.timeRange.upperBound { break }
      value = value * 10 + Int64(line[position] - 0x30)
      position += 1
    }
    if negative { value = -value }
    time = Self.timeRange.contains(value) ? value : 0
    zone = Self.zone(line, position)
  }

  /// Parses the zone after the seconds: the last two digits are minutes, the others hours.
  @inline(__always) private static func zone(_ line: CheckedBytes, _ start: Int) -> Int64 {
    var position = start
    while position < line.count, isSpace(line[position]) { position += 1 }
    guard position < line.count, line[position] == UInt8(ascii: "+") || line[position] == UInt8(ascii: "-")
    else {
      return 0
    }
    let negative = line[position] == UInt8(ascii: "-")
    position += 1
    var value: Int64 = 0
    while position < line.count, isDigit(line[position]) {
      value = value * 10 + Int64(line[position] - 0x30)
      // Git ignores a zone that does not fit into an `int`.
      if value >= Int64(Int32.max) { return 0 }
      position += 1
    }
    let minutes = value / 100 * 60 + value % 100
    return negative ? -minutes : minutes
  }
}

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

/// Converts text of commits in other encodings to UTF-8.
enum TextDecoding {
  /// Returns the text in UTF-8; unchanged if the encoding is UTF-8, unknown, or does not fit the bytes.
  static func utf8(_ bytes: [UInt8], encoding: [UInt8]) -> [UInt8] {
    if encoding.isEmpty || isUTF8(encoding) || bytes.allSatisfy({ $0 < 0x80 && $0 != 0x1B }) { return bytes }
    return converted(bytes, from: String(decoding: encoding, as: UTF8.self)) ?? bytes
  }

  /// Whether the value of an `encoding` header means UTF-8.
  static func isUTF8(_ encoding: some Collection<UInt8>) -> Bool {
    let folded = encoding.filter { $0 != UInt8(ascii: "-") }.map(lowercased)
    return folded == Array("utf8".utf8)
  }

  private static func converted(_ bytes: [UInt8], from name: String) -> [UInt8]? {
    switch name.lowercased() {
    case "iso-8859-1", "iso8859-1", "latin1", "latin-1", "iso_8859-1":
      return Array(String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) })).utf8)
    default:
      return convertedToUTF8(bytes, from: name)
    }
  }
}
