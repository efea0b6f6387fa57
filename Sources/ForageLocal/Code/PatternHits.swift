import ForageGit

/// Where a pattern of a query is in a text.
struct PatternHits {
  /// The most ranges of a line: a shortened line has no more characters.
  static let rangeLimit = LineText.limit

  var lines: [LineRange] = []
  /// Where the first match in each line begins.
  var places: [Int] = []
  /// How the word stands in the text at best, and the first line in which it does.
  var fit = WordFit.inside
  var fitLine: LineRange?
  /// The names that are defined or used, in order, where these are looked for.
  private var names: [Range<Int>] = []

  init() {}

  /// The lines of names, which are in order.
  init(of names: [Range<Int>], in text: UnsafeRawBufferPointer) {
    for name in names where lines.last.map({ name.lowerBound > $0.end }) ?? true {
      let start = text.lineStart(before: name.lowerBound)
      lines.append(LineRange(start: start, end: text.lineEnd(from: name.lowerBound)))
      places.append(name.lowerBound)
    }
    self.names = names
    (fit, fitLine) = (.whole, lines.first)
  }

  /// The place of a line; `nil` if the pattern is not in it.
  func place(of line: LineRange) -> Int? {
    let place = lines.indices.search { lines[$0].start < line.start }
    return place < lines.count && lines[place].start == line.start ? place : nil
  }

  /// The names that begin in a line, as far as they are in it.
  func names(in line: LineRange) -> [Range<Int>] {
    let first = names.indices.search { names[$0].lowerBound < line.start }
    return names[first...].prefix { $0.lowerBound < line.end }.prefix(Self.rangeLimit).map {
      $0.lowerBound..<min($0.upperBound, line.end)
    }
  }
}
