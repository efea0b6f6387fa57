import ForageCore

/// Lines of files whose text the provider has, with their numbers.
extension CodeLine {
  /// How many lines were found, including those that the provider did not send.
  static func count(in result: SearchResult) -> Int { result[.matchCount]?.number ?? found(in: result).count }

  /// A matching line.
  init?(match: FieldValue) {
    guard let text = match["text"]?.text else { return nil }
    self.init(number: match["line"]?.number, column: match["column"]?.number, text: text)
    matches = (match["ranges"]?.elements ?? []).compactMap { pair in
      let places = pair.elements.compactMap(\.number)
      return places.count == 2 && places[0] >= 0 && places[0] < places[1] ? places[0]..<places[1] : nil
    }
  }

  /// Matching lines with the lines around them, in blocks of lines that follow each other.
  static func blocks(of matches: some Sequence<FieldValue>, context: Int) -> [[CodeLine]] {
    var blocks: [[CodeLine]] = []
    for match in matches {
      guard let line = CodeLine(match: match), let number = line.number else { continue }
      let before = (match["before"]?.texts ?? []).suffix(context)
      let after = (match["after"]?.texts ?? []).prefix(context)
      var block = before.enumerated().map { CodeLine(number: number - before.count + $0, text: $1) }
      block.append(line)
      block += after.enumerated().map { CodeLine(number: number + 1 + $0, text: $1) }
      guard var last = blocks.last, let end = last.last?.number, let start = block[0].number, start <= end + 1
      else {
        blocks.append(block)
        continue
      }
      // A line that was context of the match before is this match.
      if let place = last.firstIndex(where: { $0.number == number }) { last[place] = line }
      last += block.filter { ($0.number ?? 0) > end }
      blocks[blocks.count - 1] = last
    }
    return blocks
  }
}
