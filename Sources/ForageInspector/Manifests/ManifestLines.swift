/// The lines of a text, without leading and trailing white space.
struct ManifestLines {
  /// The lines; blank lines are empty.
  let lines: [Substring]
  /// The indentation of each line in bytes.
  let indents: [Int]

  init(_ bytes: [UInt8]) {
    var lines: [Substring] = []
    var indents: [Int] = []
    for line in bytes.split(separator: 0x0A, omittingEmptySubsequences: false) {
      var line = line
      while let last = line.last, last <= 0x20 { line.removeLast() }
      let content = line.drop { $0 <= 0x20 }
      indents.append(line.count - content.count)
      lines.append(Substring(String(decoding: content, as: UTF8.self)))
    }
    self.lines = lines
    self.indents = indents
  }

  /// Returns a line without its comment, which begins at the start of the line or after white space.
  static func withoutComment(_ line: Substring, _ sign: Character) -> Substring {
    var previous: Character = " "
    for index in line.indices {
      if line[index] == sign, previous == " " || previous == "\t" {
        var result = line[..<index]
        while let last = result.last, last == " " || last == "\t" { result.removeLast() }
        return result
      }
      previous = line[index]
    }
    return line
  }

  /// Returns the text between the first quote and its counterpart; nil if there is none.
  static func quoted(_ text: Substring) -> String? {
    guard let start = text.firstIndex(where: { $0 == "\"" || $0 == "'" }) else { return nil }
    let rest = text[text.index(after: start)...]
    guard let end = rest.firstIndex(of: text[start]) else { return nil }
    return String(rest[..<end])
  }
}
