/// The lines of a text in which some of several words are, in their order, and which of them say most.
struct LinesOfWords {
  /// Words within this many bytes are near each other: some ten lines.
  private static let nearBytes = 400
  /// The lines between two looks at the time.
  private static let uncheckedLines = 4_096

  let lines: [LineRange]
  /// How many of the words each line has.
  let counts: [Int]
  private let hits: [PatternHits]

  /// - Parameters:
  ///   - hits: Where each word is.
  ///   - isLate: Whether the time is over.
  /// - Throws: `Failure` where it is.
  init(_ hits: [PatternHits], isLate: () -> Bool) throws(CodePattern.Failure) {
    self.hits = hits
    if hits.count == 1 {
      (lines, counts) = (hits[0].lines, Array(repeating: 1, count: hits[0].lines.count))
      return
    }
    let lists = hits.map(\.lines)
    var (lines, counts) = ([LineRange](), [Int]())
    var next = [Int](repeating: 0, count: lists.count)
    while true {
      let heads = lists.indices.filter { next[$0] < lists[$0].count }
      guard let line = heads.map({ lists[$0][next[$0]] }).min(by: { $0.start < $1.start }) else { break }
      let same = heads.filter { lists[$0][next[$0]].start == line.start }
      for list in same { next[list] += 1 }
      lines.append(line)
      counts.append(same.count)
      if lines.count % Self.uncheckedLines == 0, isLate() { throw .limit }
    }
    (self.lines, self.counts) = (lines, counts)
  }

  /// The largest number of words on a line.
  var most: Int { counts.max() ?? 0 }

  /// The largest number of words within the bytes that count as near.
  var nearby: Int {
    guard hits.count > 1 else { return hits.first.map { $0.places.isEmpty ? 0 : 1 } ?? 0 }
    let all = hits.enumerated().flatMap { word, hit in hit.places.map { (place: $0, word: word) } }.sorted {
      $0.place < $1.place
    }
    var counts = [Int](repeating: 0, count: hits.count)
    var (start, distinct, most) = (0, 0, 0)
    for (place, word) in all {
      if counts[word] == 0 { distinct += 1 }
      counts[word] += 1
      while all[start].place < place - Self.nearBytes {
        counts[all[start].word] -= 1
        if counts[all[start].word] == 0 { distinct -= 1 }
        start += 1
      }
      most = max(most, distinct)
    }
    return most
  }

  /// The lines that are shown, in their order: first those that hold the most words, then the one that
  /// defines a word, then those with the most words near them, then the first.
  func best(_ limit: Int, definition: LineRange?) -> [LineRange] {
    let limit = max(0, limit)
    guard lines.count > limit, limit > 0 else { return Array(lines.prefix(limit)) }
    if hits.count == 1 {
      guard let best = definition ?? hits[0].fitLine, best.start > lines[limit - 1].start else {
        return Array(lines.prefix(limit))
      }
      return lines.prefix(limit - 1) + [best]
    }
    var words = [[Int]](repeating: [], count: lines.count)
    for (word, hit) in hits.enumerated() {
      var place = 0
      for line in hit.lines {
        while lines[place] != line { place += 1 }
        words[place].append(word)
      }
    }
    let near = nearCounts(words)
    let order = lines.indices.sorted {
      let (a, b) = (lines[$0] == definition ? 1 : 0, lines[$1] == definition ? 1 : 0)
      return (words[$1].count, b, near[$1], $0) < (words[$0].count, a, near[$0], $1)
    }
    return order.prefix(limit).sorted().map { lines[$0] }
  }

  /// For each line, how many different words are near it.
  ///
  /// - Parameter words: The words on each line.
  private func nearCounts(_ words: [[Int]]) -> [Int] {
    var counts = [Int](repeating: 0, count: hits.count)
    var (from, to, distinct) = (0, 0, 0)
    return lines.indices.map { place in
      while to < lines.count, lines[to].start <= lines[place].end + Self.nearBytes {
        for word in words[to] {
          if counts[word] == 0 { distinct += 1 }
          counts[word] += 1
        }
        to += 1
      }
      while lines[from].end < lines[place].start - Self.nearBytes {
        for word in words[from] {
          counts[word] -= 1
          if counts[word] == 0 { distinct -= 1 }
        }
        from += 1
      }
      return distinct
    }
  }
}
