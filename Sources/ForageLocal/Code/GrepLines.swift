import ForageCore

/// Finds the lines of a text that a request is for; used by one thread.
struct GrepLines {
  /// What a text has.
  struct Found {
    /// The matching lines that are kept, each with what was found in it.
    var lines: [Hit] = []
    var count = 0
    /// The lines of which it is not known whether they match.
    var limited = 0
  }

  struct Hit {
    var line: LineRange
    /// The byte in the line at which the first match begins, from 1.
    var column: Int
    /// The matches in the line, as bytes of the text.
    var matches: [Range<Int>]
  }

  private let pattern: CodePattern
  private let request: GrepRequest
  /// In lower case where case is ignored.
  private let symbol: String?
  private let definitions = Definitions()
  private let ignoresCase: Bool
  /// The most matching lines of a text that are kept; the others are counted.
  private let keptLines: Int
  private let wantsRanges: Bool

  /// - Parameter isLate: Whether the search was cancelled.
  init(
    _ request: GrepRequest, _ source: PatternSource, isLate: @escaping () -> Bool
  ) throws(ExpressionProblem) {
    pattern = try CodePattern(source, isLate: isLate)
    self.request = request
    ignoresCase = source.ignoresCase
    symbol = source.ignoresCase ? request.symbol?.lowercased() : request.symbol
    keptLines = request.report == .lines ? .max : request.wantsResults ? MatchOptions.defaultLimit : 0
    wantsRanges = request.wantsRanges || request.wantsResults
  }

  /// Whether the search was cancelled, so that an answer means nothing.
  var wasLate: Bool { pattern.wasLate }

  /// The most matching lines that are looked for.
  private var limit: Int {
    request.report == .names || request.report == .namesWithoutMatch ? 1 : request.maximumCount ?? .max
  }

  /// The matching lines of a text.
  ///
  /// - Parameter language: The language, on which definitions depend.
  /// - Throws: `Failure` if a limit ends the search.
  func find(in text: UnsafeRawBufferPointer, of language: String? = nil) throws(CodePattern.Failure) -> Found
  {
    var found = Found()
    guard limit > 0, !text.isEmpty else { return found }
    if request.crossesLines, symbol == nil {
      try findAcrossLines(in: text, &found)
      return found
    }
    found.limited = try pattern.lines(in: text) { line, place in
      if let symbol {
        let part = text.part(line.start..<line.end)
        guard let range = definitions.name(in: part, of: language)?.range else { return true }
        let name = String(decoding: part.part(range), as: UTF8.self)
        guard (ignoresCase ? name.lowercased() : name) == symbol else { return true }
      }
      found.count += 1
      if found.count <= keptLines {
        let matches = wantsRanges ? pattern.matches(in: text, line, limit: .max) : []
        found.lines.append(Hit(line: line, column: place.lowerBound - line.start + 1, matches: matches))
      }
      return found.count < limit
    }
    return found
  }

  /// Every line that a match has a part of is a matching line.
  private func findAcrossLines(
    in text: UnsafeRawBufferPointer, _ found: inout Found
  ) throws(CodePattern.Failure) {
    var position = 0
    // Where the last matching line begins.
    var last = -1
    while let match = try pattern.match(in: text, from: position) {
      // A match at the very end, after the last line feed, is in no line.
      guard match.lowerBound < text.count || text[text.count - 1] != UInt8(ascii: "\n") else { return }
      var start = text.lineStart(before: match.lowerBound)
      while start < max(match.upperBound, match.lowerBound + 1) {
        let line = LineRange(start: start, end: text.lineEnd(from: start))
        let part = max(match.lowerBound, line.start)..<max(match.lowerBound, min(match.upperBound, line.end))
        if start != last {
          if found.count == limit { return }
          found.count += 1
          if found.count <= keptLines {
            found.lines.append(Hit(line: line, column: part.lowerBound - line.start + 1, matches: []))
          }
          last = start
        }
        if found.count <= keptLines, wantsRanges, !part.isEmpty {
          found.lines[found.lines.count - 1].matches.append(part)
        }
        if request.countsFirstLines { break }
        start = line.end + 1
      }
      position = match.isEmpty ? match.upperBound + 1 : match.upperBound
      if position > text.count { return }
    }
  }

  /// The matching lines with the lines around them.
  func shown(_ hits: [Hit], in text: UnsafeRawBufferPointer) -> [GrepFile.Line] {
    var lines: [GrepFile.Line] = []
    lines.reserveCapacity(hits.count)
    // The next line that is not shown yet, and its number.
    var (position, number) = (0, 1)
    for (index, hit) in hits.enumerated() {
      var starts: [Int] = []
      var start = hit.line.start
      while starts.count < request.context.before, start > position {
        start = text.lineStart(before: start - 1)
        starts.append(start)
      }
      number += text.lineFeeds(in: position..<start)
      for start in starts.reversed() {
        lines.append(GrepFile.Line(number: number, range: start..<text.lineEnd(from: start)))
        number += 1
      }
      lines.append(
        GrepFile.Line(
          number: number, range: hit.line.start..<hit.line.end, column: hit.column, matches: hit.matches))
      number += 1
      position = hit.line.end + 1
      let next = index + 1 < hits.count ? hits[index + 1].line.start : text.count
      var left = request.context.after
      while left > 0, position < min(next, text.count) {
        let end = text.lineEnd(from: position)
        lines.append(GrepFile.Line(number: number, range: position..<end))
        number += 1
        position = end + 1
        left -= 1
      }
      position = min(position, text.count)
    }
    return lines
  }

  /// The matching lines as a search has them.
  func matches(_ hits: [Hit], in text: UnsafeRawBufferPointer) -> [CodeMatch] {
    var (position, number) = (0, 1)
    return hits.map { hit in
      number += text.lineFeeds(in: position..<hit.line.start)
      position = hit.line.start
      let shown = LineText(text, hit.line, LineText.merged(hit.matches))
      return CodeMatch(
        line: number, column: hit.column, text: shown.text, ranges: shown.ranges,
        before: text.lines(before: hit.line, request.context.before),
        after: text.lines(after: hit.line, request.context.after))
    }
  }
}
