import ForagePlatform

/// The beginning of a file, split into lines, with the searches that the rules on contents use.
///
/// Needles are ASCII. A needle that ends with a letter, digit or `_` must not be followed by another one:
/// `line("import")` does not match `imports`.
struct SourceText {
  /// A line without its end, as byte offsets; `start` is after the indentation.
  struct Line {
    let indent: Int32
    let start: Int32
    let end: Int32
    /// The line number from 0; blank lines count.
    let number: Int32
  }

  private(set) var bytes: [UInt8]
  /// The lines that are not blank.
  let lines: [Line]
  /// The number of lines; blank lines count.
  let lineCount: Int

  /// Splits a text into lines.
  ///
  /// - Parameter bytes: the text, at most 2 GiB.
  init(_ bytes: [UInt8]) {
    var lines: [Line] = []
    lines.reserveCapacity(bytes.count / 32)
    var number: Int32 = 0
    bytes.withUnsafeBytes { bytes in
      var at = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
      while at < bytes.count {
        let indent = at
        while at < bytes.count, bytes[at] == 0x20 || bytes[at] == 0x09 { at += 1 }
        let start = at
        while at < bytes.count, bytes[at] != 0x0A, bytes[at] != 0x0D { at += 1 }
        if at > start {
          lines.append(
            Line(
              indent: Int32(truncatingIfNeeded: indent), start: Int32(truncatingIfNeeded: start),
              end: Int32(truncatingIfNeeded: at), number: number))
        }
        // CR LF is one line end.
        if at + 1 < bytes.count, bytes[at] == 0x0D, bytes[at + 1] == 0x0A { at += 1 }
        at += 1
        number += 1
      }
    }
    self.bytes = bytes
    self.lines = lines
    lineCount = Int(number)
  }

  /// Splits only the first and last lines of a text, which are enough for ``mode``, ``interpreter`` and
  /// ``isXML``.
  init(endsOf bytes: [UInt8]) {
    let reach = Self.modelineReach
    let (head, tail) = bytes.withUnsafeBytes { bytes in
      var head = 0
      for _ in 0..<reach { head = (bytes[head...].firstIndex(of: 0x0A) ?? bytes.count - 1) + 1 }
      var tail = bytes.count
      if tail > head, bytes[tail - 1] == 0x0A { tail -= 1 }
      for _ in 0..<reach where tail > head {
        tail = bytes[head..<tail].lastIndex(of: 0x0A) ?? head
      }
      return (head, tail)
    }
    self.init(head >= tail ? bytes : Array(bytes[..<head] + bytes[tail...]))
  }

  /// The text in lowercase, for searches in any case; `A` to `Z` only.
  var anyCase: SourceText {
    var copy = self
    copy.bytes = bytes.map { $0 &- 0x41 < 26 ? $0 | 0x20 : $0 }
    return copy
  }

  /// Whether the bytes contain a NUL byte, as no source text does.
  static func isBinary(_ bytes: [UInt8]) -> Bool {
    bytes.withUnsafeBytes { bytes in bytes.baseAddress.flatMap { memchr($0, 0, bytes.count) } != nil }
  }

  /// Returns a line without its indentation.
  func text(of line: Line) -> String { String(decoding: slice(line), as: UTF8.self) }

  func slice(_ line: Line) -> ArraySlice<UInt8> { bytes[Int(line.start)..<Int(line.end)] }

  /// Returns the words of a line, separated by blanks.
  func words(of line: Line) -> [ArraySlice<UInt8>] { slice(line).split { $0 == 0x20 || $0 == 0x09 } }

  /// Whether a line begins with one of these, after its indentation.
  func line(_ needles: StaticString...) -> Bool { anyLine(lines[...], needles.map(\.needle)) }

  /// Whether a line without indentation begins with one of these.
  func flush(_ needles: StaticString...) -> Bool { anyLine(lines[...], needles.map(\.needle), flush: true) }

  /// Whether the first line that is not blank begins with one of these.
  func first(_ needles: StaticString...) -> Bool { anyLine(lines.prefix(1), needles.map(\.needle)) }

  /// Whether the text contains one of these; a needle that ends with a letter matches only at the end of a
  /// name.
  func has(_ needles: StaticString...) -> Bool { contains(needles.map(\.needle)) }

  /// Whether a line ends with this; trailing blanks are ignored.
  func ends(_ needle: Needle) -> Bool {
    bytes.withUnsafeBytes { bytes in
      lines.contains { line in
        var end = Int(line.end)
        while end > line.start, bytes[end - 1] == 0x20 || bytes[end - 1] == 0x09 { end -= 1 }
        return bytes[Int(line.start)..<end].suffix(needle.count).elementsEqual(needle)
      }
    }
  }

  /// Whether a line begins with `opening` and contains one of the others after it.
  func line(_ opening: Needle, then inner: ArraySlice<Needle>) -> Bool {
    lines.contains { line in
      starts(line, opening)
        && inner.contains { find($0, in: (Int(line.start) + opening.count)..<Int(line.end)) }
    }
  }

  /// Whether a line meets a condition on its bytes without indentation.
  func line(where condition: (ArraySlice<UInt8>) -> Bool) -> Bool {
    lines.contains { condition(slice($0)) }
  }

  /// Whether one of the first `count` lines meets a condition.
  func lines(within count: Int, where condition: (Line) -> Bool) -> Bool {
    for line in lines {
      if line.number >= count { return false }
      if condition(line) { return true }
    }
    return false
  }

  /// Whether one of the first `count` lines contains this.
  func within(_ count: Int, has needle: StaticString) -> Bool {
    lines(within: count) { find(needle, in: $0) }
  }

  /// Whether one of the first `count` lines begins with this, without indentation.
  func within(_ count: Int, starts needle: StaticString) -> Bool {
    lines(within: count) { $0.indent == $0.start && starts($0, needle) }
  }

  /// Returns the line with a number, counted from 0; nil if it is blank or does not exist.
  func line(number: Int) -> String? { lines.first { $0.number == number }.map(text) }

  /// Whether a line begins with this, after its indentation.
  func starts(_ line: Line, _ needle: StaticString) -> Bool { starts(line, needle.needle) }

  func find(_ needle: StaticString, in line: Line) -> Bool {
    find(needle.needle, in: Int(line.start)..<Int(line.end))
  }

  /// Whether a byte can be part of an identifier.
  @inline(__always) static func isNameByte(_ byte: UInt8) -> Bool {
    byte | 0x20 &- 0x61 < 26 || byte &- 0x30 < 10 || byte == 0x5F
  }
}
