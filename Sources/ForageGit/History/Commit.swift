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
