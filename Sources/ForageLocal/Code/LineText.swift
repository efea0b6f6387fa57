/// The text of a line, cut around its first match if it is long.
struct LineText {
  /// The most characters (Unicode scalars) of a line in any output.
  static let limit = 1_000
  /// The characters before the first match of a line that is cut.
  private static let lead = 200
  /// What stands for the part that was left out.
  private static let ellipsis: Unicode.Scalar = "…"

  private(set) var text = ""
  /// The matches as Unicode scalars of the text.
  private(set) var ranges: [Range<Int>] = []

  /// Decodes a line; invalid UTF-8 is replaced, and a carriage return at the end is left out.
  ///
  /// - Parameters:
  ///   - text: The text of the file.
  ///   - line: The line.
  ///   - matches: The matches in the file, in order, without overlaps.
  init(_ text: UnsafeRawBufferPointer, _ line: LineRange, _ matches: [Range<Int>]) {
    var line = line
    if line.end > line.start, text[line.end - 1] == UInt8(ascii: "\r") { line.end -= 1 }
    // Four bytes are the longest encoding of a character: a line of more bytes than this is too long, and the part of it
    // around the match has enough characters.
    let isWhole = line.end - line.start <= Self.limit * 4
    let first = matches.first?.lowerBound ?? line.start
    let start =
      isWhole ? line.start : Self.aligned(text, max(line.start, first - Self.lead * 4), from: line.start)
    let end = isWhole ? line.end : min(line.end, first + Self.limit * 4)
    var scalars: [Unicode.Scalar] = []
    var places: [Range<Int>] = []
    var position = start
    func append(to end: Int) {
      guard end > position else { return }
      scalars += String(decoding: text[position..<end], as: UTF8.self).unicodeScalars
      position = end
    }
    for match in matches where match.lowerBound < end {
      append(to: min(match.lowerBound, end))
      let begin = scalars.count
      append(to: min(match.upperBound, end))
      if scalars.count > begin { places.append(begin..<scalars.count) }
    }
    append(to: end)
    var isCutBefore = start > line.start
    var isCutAfter = end < line.end
    var from = 0
    if scalars.count > Self.limit || isCutBefore || isCutAfter {
      from = max(0, (places.first?.lowerBound ?? 0) - Self.lead)
      isCutBefore = isCutBefore || from > 0
      var room = Self.limit - (isCutBefore ? 1 : 0)
      if isCutAfter || scalars.count - from > room {
        isCutAfter = true
        room -= 1
      }
      scalars = Array(scalars[from..<min(scalars.count, from + room)])
    }
    let shift = (isCutBefore ? 1 : 0) - from
    let shown = (isCutBefore ? [Self.ellipsis] : []) + scalars + (isCutAfter ? [Self.ellipsis] : [])
    var view = String.UnicodeScalarView()
    view.append(contentsOf: shown)
    self.text = String(view)
    let last = shown.count - (isCutAfter ? 1 : 0)
    ranges = places.compactMap { place in
      let (lower, upper) = (max(0, place.lowerBound + shift), min(last, place.upperBound + shift))
      return lower < upper ? lower..<upper : nil
    }
  }

  /// The start of the character that a position is in.
  private static func aligned(_ text: UnsafeRawBufferPointer, _ position: Int, from start: Int) -> Int {
    var place = position
    while place > start, place > position - 3, text[place] & 0xC0 == 0x80 { place -= 1 }
    return place
  }

  /// Ranges in order, without overlaps.
  static func merged(_ ranges: [Range<Int>]) -> [Range<Int>] {
    var result: [Range<Int>] = []
    for range in ranges.sorted(by: { ($0.lowerBound, $0.upperBound) < ($1.lowerBound, $1.upperBound) }) {
      if let last = result.last, range.lowerBound < last.upperBound {
        result[result.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
      } else {
        result.append(range)
      }
    }
    return result
  }
}
