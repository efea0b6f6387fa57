/// The beginning of a file, cut into lines, with the questions that rules on content ask of it.
///
/// A needle that ends in a letter, digit or `_` must not be followed by another: `line("import")` does not
/// find
/// `imports`. Needles are in ASCII.
struct SourceText {
  /// One line without its end; `start` is past the indentation.
  struct Line {
    let indent: Int
    let start: Int
    let end: Int
  }

  let bytes: [UInt8]
  /// The lines that have something else than blanks.
  let lines: [Line]
  private let ignoresCase: Bool

  /// Cuts a text into lines; one that ignores case is searched with lowercase needles.
  init(_ bytes: [UInt8], ignoresCase: Bool = false) {
    let bytes = ignoresCase ? bytes.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 } : bytes
    var lines: [Line] = []
    var at = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    while at < bytes.count {
      let indent = at
      while at < bytes.count, bytes[at] == 0x20 || bytes[at] == 0x09 { at += 1 }
      let start = at
      while at < bytes.count, bytes[at] != 0x0A, bytes[at] != 0x0D { at += 1 }
      if at > start { lines.append(Line(indent: indent, start: start, end: at)) }
      at += 1
    }
    self.bytes = bytes
    self.lines = lines
    self.ignoresCase = ignoresCase
  }

  /// The same text for needles in lowercase.
  var anyCase: SourceText { ignoresCase ? self : SourceText(bytes, ignoresCase: true) }

  /// The text of a line without its indentation.
  func text(of line: Line) -> String { String(decoding: bytes[line.start..<line.end], as: UTF8.self) }

  /// The words of each line, parted by blanks.
  func words(of line: Line) -> [ArraySlice<UInt8>] {
    bytes[line.start..<line.end].split { $0 == 0x20 || $0 == 0x09 }
  }

  /// Whether a line begins with one of these, after its indentation.
  func line(_ needles: String...) -> Bool {
    needles.contains { needle in lines.contains { starts(with: needle, at: $0.start, end: $0.end) } }
  }

  /// Whether a line without indentation begins with one of these.
  func flush(_ needles: String...) -> Bool {
    needles.contains { needle in
      lines.contains { $0.indent == $0.start && starts(with: needle, at: $0.start, end: $0.end) }
    }
  }

  /// Whether the first line that is not blank begins with one of these.
  func first(_ needles: String...) -> Bool {
    guard let line = lines.first else { return false }
    return needles.contains { starts(with: $0, at: line.start, end: line.end) }
  }

  /// Whether one of these is somewhere in the text, not continued by a letter if it ends in one.
  func has(_ needles: String...) -> Bool { needles.contains { find($0, asWord: false) } }

  /// Whether one of these is somewhere in the text as a whole word.
  func word(_ needles: String...) -> Bool { needles.contains { find($0, asWord: true) } }

  /// Whether a line ends with this, blanks aside.
  func ends(_ needle: String) -> Bool {
    let needle = Array(needle.utf8)
    return lines.contains { line in
      var end = line.end
      while end > line.start, bytes[end - 1] == 0x20 || bytes[end - 1] == 0x09 { end -= 1 }
      return end - line.start >= needle.count && bytes[(end - needle.count)..<end].elementsEqual(needle)
    }
  }

  /// Whether a line begins with `opening` and has one of the others after that.
  func line(_ opening: String, then inner: String, _ more: String...) -> Bool {
    lines.contains { line in
      starts(with: opening, at: line.start, end: line.end)
        && ([inner] + more).contains {
          find($0, asWord: false, in: (line.start + opening.utf8.count)..<line.end)
        }
    }
  }

  /// Whether a line meets a condition on its bytes, indentation left out.
  func line(where condition: (ArraySlice<UInt8>) -> Bool) -> Bool {
    lines.contains { condition(bytes[$0.start..<$0.end]) }
  }

  /// Whether a byte can be part of a name.
  static func isNameByte(_ byte: UInt8) -> Bool {
    (0x61...0x7A).contains(byte) || (0x41...0x5A).contains(byte) || (0x30...0x39).contains(byte)
      || byte == 0x5F
  }

  private func starts(with needle: String, at start: Int, end: Int) -> Bool {
    var at = start
    var last: UInt8 = 0
    for byte in needle.utf8 {
      guard at < end, bytes[at] == byte else { return false }
      last = byte
      at += 1
    }
    return at == end || !Self.isNameByte(last) || !Self.isNameByte(bytes[at])
  }

  private func find(_ needle: String, asWord: Bool) -> Bool {
    find(needle, asWord: asWord, in: 0..<bytes.count)
  }

  private func find(_ needle: String, asWord: Bool, in range: Range<Int>) -> Bool {
    guard let first = needle.utf8.first, let last = needle.utf8.last else { return false }
    let length = needle.utf8.count
    let needle = Array(needle.utf8)
    return bytes.withUnsafeBufferPointer { bytes in
      var at = range.lowerBound
      while at + length <= range.upperBound {
        if bytes[at] == first, !asWord || at == 0 || !Self.isNameByte(bytes[at - 1]),
          (1..<length).allSatisfy({ bytes[at + $0] == needle[$0] }),
          !Self.isNameByte(last) || at + length == bytes.count || !Self.isNameByte(bytes[at + length])
        {
          return true
        }
        at += 1
      }
      return false
    }
  }
}
