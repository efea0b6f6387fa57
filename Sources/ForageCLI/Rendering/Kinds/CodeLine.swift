import ForageCore
import ForagePlatform

/// A line of a file, with what was found in it.
struct CodeLine: Equatable {
  /// Its number in the file from 1, where it is known.
  var number: LineNumber?
  /// The byte from 1 at which the first match begins, where it is known.
  var column: LineNumber?
  /// Its text without the line's end.
  var text: String
  /// Where something was found: places from 0 in Unicode scalars.
  var matches: [Range<Int>] = []
  /// The definition that the line is in, as `total()`; `nil` where it is not known.
  var user: String?

  /// The number and the column as they follow a path.
  var position: String { [number, column].compactMap { $0.map { ":\($0)" } }.joined() }

  /// The lines in which something was found; of a fragment without any its first line.
  static func found(in result: SearchResult) -> [CodeLine] {
    if let matches = result[.matches] {
      // With definitions that were found, a line itself defines what it names.
      return matches.elements.compactMap { CodeLine(match: $0, isUse: result[.symbols] == nil) }
    }
    return (result[.fragments]?.elements ?? []).flatMap { fragment -> [CodeLine] in
      let all = lines(of: fragment)
      let found = all.filter { !$0.matches.isEmpty }
      return found.isEmpty ? Array(all.prefix(1)) : found
    }
  }

  /// The matching lines with the lines around them, in blocks of lines that follow each other.
  ///
  /// - Parameters:
  ///   - context: Lines on each side of a match.
  ///   - maximumMatches: How many matching lines there are at most in all blocks together.
  static func blocks(in result: SearchResult, context: Int, maximumMatches: Int) -> [[CodeLine]] {
    if let matches = result[.matches] {
      return blocks(
        of: matches.elements.prefix(maximumMatches), context: context, areUses: result[.symbols] == nil)
    }
    var left = maximumMatches
    var blocks: [[CodeLine]] = []
    for fragment in result[.fragments]?.elements ?? [] {
      let all = lines(of: fragment)
      let matching = all.indices.filter { !all[$0].matches.isEmpty }
      let shown = (matching.isEmpty ? Array(all.indices.prefix(1)) : matching).prefix(left)
      left -= shown.count
      var last: Int?
      for place in shown {
        let range = max(0, place - context)..<min(all.count, place + context + 1)
        if let end = last, range.lowerBound <= end, !blocks.isEmpty {
          blocks[blocks.count - 1] += all[max(end, range.lowerBound)..<max(end, range.upperBound)]
        } else {
          blocks.append(Array(all[range]))
        }
        last = max(last ?? 0, range.upperBound)
      }
    }
    return blocks
  }

  /// How many spaces it begins with; of a blank line as many as any other has.
  var indentation: Int {
    let spaces = text.prefix { $0 == " " }.count
    return spaces == text.count ? .max : spaces
  }

  /// The same line with spaces in place of tabs, as a terminal shows it: each tab ends at the next multiple
  /// of a width.
  ///
  /// - Parameter width: The columns from one tab stop to the next, counted from the beginning of the line.
  func expandingTabs(to width: Int) -> CodeLine {
    guard text.utf8.contains(UInt8(ascii: "\t")) else { return self }
    let parts = text.unicodeScalars.split(separator: "\t", omittingEmptySubsequences: false)
    let first = parts[0]
    var line = self
    line.text = String(first)
    var column = TextWidth.of(SafeText.line(line.text))
    var length = first.count
    // The places of the tabs in this line, with the number of scalars that each adds.
    var tabs: [(place: Int, added: Int)] = []
    for part in parts.dropFirst() {
      let spaces = width - column % width
      tabs.append((length, spaces - 1))
      line.text += String(repeating: " ", count: spaces) + String(part)
      column += spaces + TextWidth.of(SafeText.line(String(part)))
      length += part.count + 1
    }
    func moved(_ place: Int) -> Int {
      let place = min(place, length)
      return tabs.reduce(place) { $1.place < place ? $0 + $1.added : $0 }
    }
    line.matches = matches.map { moved($0.lowerBound)..<moved($0.upperBound) }
    return line
  }

  /// All lines of a fragment.
  static func lines(of fragment: FieldValue) -> [CodeLine] {
    guard let text = fragment["text"]?.text, !text.isEmpty else { return [] }
    let first = fragment["line"]?.lineNumber
    let matches = fragment["matches"]?.ranges ?? []
    var lines: [CodeLine] = []
    var start = 0
    for part in text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false) {
      let end = start + part.count
      let shown = part.last == "\r" ? part.dropLast() : part
      var line = CodeLine(number: first.map { $0 + lines.count }, text: String(shown))
      // A match may go over several lines; each shows its part.
      line.matches = matches.compactMap { match in
        let (from, to) = (max(match.lowerBound, start), min(match.upperBound, start + shown.count))
        return from < to ? (from - start)..<(to - start) : nil
      }
      lines.append(line)
      start = end + 1
    }
    // The end of the last line is no line of its own.
    if lines.count > 1, lines.last?.text.isEmpty == true { lines.removeLast() }
    return lines
  }
}

/// Lines of files whose text the provider has, with their numbers.
extension CodeLine {
  /// How many lines were found, including those that the provider did not send.
  static func count(in result: SearchResult) -> Int {
    result[.matchCount]?.count?.value ?? found(in: result).count
  }

  /// A matching line.
  init?(match: FieldValue, isUse: Bool = false) {
    guard let text = match["text"]?.text else { return nil }
    self.init(number: match["line"]?.lineNumber, column: match["column"]?.lineNumber, text: text)
    matches = match["ranges"]?.ranges ?? []
    guard isUse, let name = match["symbol"]?.text else { return }
    let kind = match["symbolKind"]?.text.flatMap(SymbolKind.init)
    user = kind.map { SymbolKind.function.meant.contains($0) } == true ? name + "()" : name
  }

  /// Matching lines with the lines around them, in blocks of lines that follow each other.
  static func blocks(
    of matches: some Sequence<FieldValue>, context: Int, areUses: Bool = false
  ) -> [[CodeLine]] {
    var blocks: [[CodeLine]] = []
    for match in matches {
      guard let line = CodeLine(match: match, isUse: areUses), let number = line.number else { continue }
      let before = (match["before"]?.texts ?? []).suffix(context)
      let after = (match["after"]?.texts ?? []).prefix(context)
      var block = before.enumerated().map { CodeLine(number: number - (before.count - $0), text: $1) }
      block.append(line)
      block += after.enumerated().map { CodeLine(number: number + ($0 + 1), text: $1) }
      guard var last = blocks.last, let end = last.last?.number, let start = block[0].number, start <= end + 1
      else {
        blocks.append(block)
        continue
      }
      // A line that was context of the match before is this match.
      if let place = last.firstIndex(where: { $0.number == number }) { last[place] = line }
      last += block.filter { $0.number.map { $0 > end } ?? false }
      blocks[blocks.count - 1] = last
    }
    return blocks
  }
}
