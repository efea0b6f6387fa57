import ForagePlatform

/// A line of a text: the offsets of its first byte and of its end, without the line feed.
struct LineRange: Hashable, Sendable {
  var start: Int
  var end: Int
}

extension UnsafeRawBufferPointer {
  /// The offset of the next line feed at or after a position; the length of the text if there is none.
  @inline(__always)
  func lineEnd(from start: Int) -> Int {
    guard start < count, let base = baseAddress,
      let found = memchr(base + start, Int32(UInt8(ascii: "\n")), count - start)
    else { return count }
    return UnsafeRawPointer(found) - base
  }

  /// The lines directly before a line, in their order.
  func lines(before line: LineRange, _ limit: Int) -> [String] {
    var (result, start) = ([String](), line.start)
    while result.count < limit, start > 0 {
      let end = start - 1
      start = lineStart(before: end)
      result.append(LineText(self, LineRange(start: start, end: end), []).text)
    }
    result.reverse()
    return result
  }

  /// The lines directly behind a line.
  func lines(after line: LineRange, _ limit: Int) -> [String] {
    var (result, start) = ([String](), line.end + 1)
    while result.count < limit, start < count {
      let end = lineEnd(from: start)
      result.append(LineText(self, LineRange(start: start, end: end), []).text)
      start = end + 1
    }
    return result
  }

  /// The number of line feeds in a range. What is behind it is not read.
  func lineFeeds(in range: Range<Int>) -> Int {
    let part = UnsafeRawBufferPointer(rebasing: self[range])
    var (number, position) = (0, part.lineEnd(from: 0))
    while position < part.count {
      number += 1
      position = part.lineEnd(from: position + 1)
    }
    return number
  }

  /// The start of the line that contains a position.
  @inline(__always)
  func lineStart(before position: Int) -> Int {
    var start = position
    while start > 0, self[start - 1] != UInt8(ascii: "\n") { start -= 1 }
    return start
  }

  /// The line without the carriage return at its end; `nil` if it has none.
  func withoutCarriageReturn(_ line: LineRange) -> LineRange? {
    guard line.end > line.start, self[line.end - 1] == UInt8(ascii: "\r") else { return nil }
    return LineRange(start: line.start, end: line.end - 1)
  }

  @inline(__always)
  func part(_ range: Range<Int>) -> UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: self[range]) }
}

extension CodePattern {
  /// The bytes of whole lines in which an expression is looked for at once. The limit on matching holds for
  /// each place at which a match may begin, so that a call for a long text could take minutes.
  private static let expressionBytes = 1 << 10
  /// The lines of a text that may reach a limit, each after half a second, before the rest of it is given up.
  private static let mostLimitedLines = 4

  /// The lines in which the pattern matches, as `git grep` finds them: the pattern sees one line at a time. A
  /// line that ends with CR LF also matches if it does without the carriage return.
  ///
  /// The whole text is searched for the next place that may match, which is faster, and the line is then
  /// matched alone, unless the pattern could match a line alone without matching there in the text.
  ///
  /// - Parameter body: Receives each line with its first match; returns false to end the search.
  /// - Returns: The number of lines of which it is not known whether they match, because a limit was reached
  ///   there; after a few the rest of the text is not searched.
  /// - Throws: `Failure` if the time ends the search; lines before it have been delivered.
  func lines(
    in text: UnsafeRawBufferPointer, _ body: (LineRange, Range<Int>) -> Bool
  ) throws(Failure) -> Int {
    var (position, limited) = (0, 0)
    // In a longer text `$` does not see the end of a line before its carriage return.
    let canBeAhead = !seesOneLine && !(seesLineEnds && text.contains(UInt8(ascii: "\r")))
    var isAhead = canBeAhead
    while position < text.count {
      var line = LineRange(start: position, end: position)
      var first: Range<Int>?
      if isAhead {
        do throws(Failure) {
          let end =
            isWithinLine ? text.count : text.lineEnd(from: min(text.count, position + Self.expressionBytes))
          // With its line feed, because an expression sees no line after the last one: an empty line would
          // not be one.
          guard let found = try match(in: text.part(0..<min(end + 1, text.count)), from: position) else {
            position = end + 1
            continue
          }
          // A match at the very end of the text, after its last line feed, is in no line.
          guard found.lowerBound < text.count || text[text.count - 1] != UInt8(ascii: "\n") else {
            return limited
          }
          line.start = max(position, text.lineStart(before: found.lowerBound))
          first = found
        } catch {
          // A long text reaches the limit where none of its lines does.
          isAhead = false
        }
      }
      line.end = text.lineEnd(from: max(line.start, first?.lowerBound ?? line.start))
      if let found = first, isWithinLine {
        if !body(line, found) { return limited }
      } else {
        do throws(Failure) {
          if let found = try match(of: line, in: text), !body(line, found) { return limited }
        } catch {
          limited += 1
          if wasLate { throw error }
          if limited == Self.mostLimitedLines { return limited }
        }
        // After the line that reached the limit.
        isAhead = canBeAhead && (isAhead || line.end - line.start > Self.expressionBytes)
      }
      position = line.end + 1
    }
    return limited
  }

  /// The first match in one line, which may be at its end before a carriage return.
  private func match(of line: LineRange, in text: UnsafeRawBufferPointer) throws(Failure) -> Range<Int>? {
    for line in [text.withoutCarriageReturn(line), line] {
      guard let line else { continue }
      if let found = try match(inLine: text.part(line.start..<line.end)) {
        return (found.lowerBound + line.start)..<(found.upperBound + line.start)
      }
    }
    return nil
  }

  /// Whether an expression may match a line alone although it matches nowhere in that line of a longer text:
  /// it looks at what is around a match, at the ends of the text, or takes characters beyond the line that it
  /// does not give back. True also for syntax that is not known here.
  static func needsOneLine(_ expression: String) -> Bool {
    let scalars = Array(expression.unicodeScalars) + ["\0", "\0", "\0"]
    var place = 0
    while place < scalars.count - 3 {
      let (scalar, next) = (scalars[place], scalars[place + 1])
      switch scalar {
      case "\\":
        if "AzZGKRX".unicodeScalars.contains(next) { return true }
        place += 1
      case "(" where next == "*": return true
      case "(" where next == "?":
        switch scalars[place + 2] {
        case ":", "|", "#", "'", "P": break
        case "<": if "=!*".unicodeScalars.contains(scalars[place + 3]) { return true }
        default:
          let flags = scalars[(place + 2)...].prefix { $0 != ")" && $0 != ":" }
          if !flags.allSatisfy({ "iJUxn-".unicodeScalars.contains($0) }) { return true }
        }
        place += 1
      // Possessive quantifiers.
      case "*", "+", "?", "}": if next == "+" { return true }
      default: break
      }
      place += 1
    }
    return false
  }

  /// All matches in one line, without those of its carriage return if there are others.
  func matches(in text: UnsafeRawBufferPointer, _ line: LineRange, limit: Int) -> [Range<Int>] {
    if let shorter = text.withoutCarriageReturn(line) {
      let found = matches(in: text, shorter, limit: limit)
      if !found.isEmpty { return found }
    }
    let bytes = text.part(line.start..<line.end)
    var found: [Range<Int>] = []
    var position = 0
    while found.count < limit,
      let match = try? position == 0 ? match(inLine: bytes) : match(in: bytes, from: position)
    {
      if !match.isEmpty {
        found.append((match.lowerBound + line.start)..<(match.upperBound + line.start))
      }
      position = match.isEmpty ? match.upperBound + 1 : match.upperBound
      if position > bytes.count { break }
    }
    return found
  }
}

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
  /// - Parameter matches: The matches in the file, in order, without overlaps.
  init(_ text: UnsafeRawBufferPointer, _ line: LineRange, _ matches: [Range<Int>]) {
    let line = text.withoutCarriageReturn(line) ?? line
    // Four bytes are the longest encoding of a character: a line of more bytes than this is too long, and the
    // part of it around the match has enough characters.
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
