import Yams

/// The bytes of a YAML file with the places of its lines, to change a part and leave every other byte as it is.
struct YAMLSource {
  private(set) var bytes: [UInt8]
  /// Offset of the first byte of each line, as libyaml counts lines.
  private let lineStarts: [Int]
  /// How lines end: the first line break of the file, `\n` where there is none.
  let lineBreak: String

  init(_ text: String) {
    bytes = Array(text.utf8)
    var (starts, offset) = ([0], 0)
    for character in text {
      offset += character.utf8.count
      if character.isNewline { starts.append(offset) }
    }
    lineStarts = starts
    lineBreak = text.first { ["\n", "\r\n", "\r"].contains($0) }.map(String.init) ?? "\n"
  }

  var text: String { String(decoding: bytes, as: UTF8.self) }

  /// Whether the last line has a line break, or there is no text.
  var endsWithBreak: Bool { lineStarts.last == bytes.count }

  /// The lines, each with its line break.
  var lines: [ArraySlice<UInt8>] {
    zip(lineStarts, lineStarts.dropFirst() + [bytes.count]).map { bytes[$0..<$1] }
  }

  /// The offset of a mark, whose columns count code points; `nil` beyond the line.
  func offset(of mark: Mark) -> Int? {
    guard lineStarts.indices.contains(mark.line - 1) else { return nil }
    var index = lineStarts[mark.line - 1]
    for _ in 1..<max(mark.column, 1) {
      guard index < bytes.count else { return nil }
      index += 1
      while index < bytes.count, bytes[index] & 0xC0 == 0x80 { index += 1 }
    }
    return index
  }

  func has(_ text: String, at offset: Int) -> Bool {
    offset <= bytes.count && bytes[offset...].starts(with: text.utf8)
  }

  /// The first offset from another one at which no space or tab stands.
  func afterBlanks(_ offset: Int) -> Int {
    bytes[offset...].firstIndex { $0 != 0x20 && $0 != 0x09 } ?? bytes.count
  }

  /// The offset of the brace that a mapping begins with, behind an anchor and a tag; `nil` for a mapping without braces.
  func brace(of node: Node) -> Int? {
    guard var offset = node.mark.flatMap(offset) else { return nil }
    while offset < bytes.count, [UInt8(ascii: "&"), UInt8(ascii: "!")].contains(bytes[offset]) {
      offset = bytes[offset...].firstIndex { [0x20, 0x09, 0x0A, 0x0D].contains($0) } ?? bytes.count
      offset = afterBlanks(offset)
    }
    return has("{", at: offset) ? offset : nil
  }

  /// Replaces a text at an offset.
  ///
  /// - Returns: False, with nothing changed, when it does not stand there.
  mutating func replace(_ old: String, at offset: Int, with new: String) -> Bool {
    guard has(old, at: offset) else { return false }
    bytes.replaceSubrange(offset..<offset + old.utf8.count, with: Array(new.utf8))
    return true
  }

  /// Inserts a line before the line of a mark, with the same indentation.
  ///
  /// - Returns: False, with nothing changed, when something else than spaces stands before the mark.
  mutating func insertLine(_ content: String, before mark: Mark) -> Bool {
    guard let offset = offset(of: mark) else { return false }
    let start = lineStarts[mark.line - 1]
    let margin = bytes[start..<offset]
    guard margin.allSatisfy({ $0 == 0x20 }) else { return false }
    bytes.insert(contentsOf: Array(margin) + Array((content + lineBreak).utf8), at: start)
    return true
  }

  /// Inserts a line below the line of a mark, indented by two spaces more.
  mutating func insertLine(_ content: String, below mark: Mark) {
    let line = String(repeating: " ", count: max(mark.column - 1, 0) + 2) + content
    if lineStarts.indices.contains(mark.line) {
      bytes.insert(contentsOf: Array((line + lineBreak).utf8), at: lineStarts[mark.line])
    } else {
      append(line)
    }
  }

  /// Appends lines, after a line break where the last line has none.
  mutating func append(_ lines: String...) {
    if !endsWithBreak { bytes += Array(lineBreak.utf8) }
    for line in lines { bytes += Array((line + lineBreak).utf8) }
  }
}
