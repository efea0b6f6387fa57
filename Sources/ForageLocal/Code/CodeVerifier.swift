import ForageCore

/// A matching line of a file.
struct CodeMatch: Sendable {
  /// The number of the line, from 1.
  var line: Int
  /// The byte in the line at which the first match begins, from 1.
  var column: Int
  var text: String
  /// The matches as Unicode scalars of the text.
  var ranges: [Range<Int>]
  var before: [String]
  var after: [String]
}

/// What was found in a file.
struct FoundMatches: Sendable {
  /// The matching lines that are shown: those with the most words in them, then the first that defines a word, then those
  /// with the most words near them, then the first; of one word that no line defines, the first with it as a whole word.
  var matches: [CodeMatch] = []
  /// The number of all matching lines.
  var count = 0
  /// How a line defines the words of patterns.
  var definitions: [Int: Definition] = [:]
  /// The patterns whose words are defined on lines that hold no other word.
  var aloneDefinitions: Set<Int> = []
  /// The number of words that occur as whole words.
  var wholeWords = 0
  /// Twice the largest number of words that occur near each other, and one more if a line has as many.
  var nearby = 0

  /// The largest value of `nearby` for a number of words.
  static func nearest(_ words: Int) -> Int { words * 2 + 1 }
}

/// Decides on the bytes whether a file matches a query; used by one thread.
final class CodeVerifier {
  /// Words within this many bytes are near each other: some ten lines.
  private static let nearBytes = 400
  /// The most ranges of a line: a shortened line has no more characters.
  private static let rangeLimit = LineText.limit

  private let query: CodeQuery
  private let options: MatchOptions
  private let clones: [CodeClone]
  private let patterns: [CodePattern]

  /// Compiles the patterns of a query, all of which are valid.
  ///
  /// - Parameter isLate: Whether the time is over.
  init(
    _ query: CodeQuery, _ options: MatchOptions, _ clones: [CodeClone], isLate: @escaping () -> Bool
  ) throws(ExpressionProblem) {
    self.query = query
    self.options = options
    self.clones = clones
    var patterns: [CodePattern] = []
    for pattern in query.patterns {
      patterns.append(try CodePattern(pattern.source, isLate: isLate))
    }
    self.patterns = patterns
  }

  /// Whether the time ended a search, so that its answer means nothing.
  var wasLate: Bool { patterns.contains(where: \.wasLate) }

  private struct Hits {
    var lines: [LineRange] = []
    /// Where the first match in each line begins.
    var places: [Int] = []
    /// The first line with the word as a whole word.
    var wholeLine: LineRange?
    /// How a line defines the word, and the first line that does so best.
    var definition = Definition.none
    var definitionLine: LineRange?

    /// The place of a line; `nil` if the pattern is not in it.
    func place(of line: LineRange) -> Int? {
      var range = lines.indices
      while let middle = range.isEmpty ? nil : (range.lowerBound + range.upperBound) / 2 {
        if lines[middle].start == line.start { return middle }
        range = lines[middle].start < line.start ? middle + 1..<range.upperBound : range.lowerBound..<middle
      }
      return nil
    }
  }

  /// Whether a text contains what the query wants, and where.
  ///
  /// - Parameter files: The places of the text, on which conditions, words in paths and definitions depend.
  /// - Returns: What was found and the places that match, as indices; `nil` if none does.
  /// - Throws: `Failure` if a limit ends the search.
  func find(
    in text: UnsafeRawBufferPointer, at files: [CodeFile]
  ) throws(CodePattern.Failure) -> (matches: FoundMatches, places: [Int])? {
    var hits = [Hits?](repeating: nil, count: patterns.count)
    let defines = files.contains { !CodeFile.isProse($0.language) }
    let named = query.searchesPaths ? files.map { patternsInPath($0.path) } : []
    func holds(_ place: Int) -> Bool? {
      let file = files[place]
      func occurs(_ pattern: Int) -> Bool? {
        guard let hits = hits[pattern] else { return nil }
        if query.searchesPaths, named[place].contains(pattern) { return true }
        // Lines of prose define nothing.
        if query.patterns[pattern].isDefinition, CodeFile.isProse(file.language) { return false }
        return !hits.lines.isEmpty
      }
      return query.holds({ file.holds($0, in: clones[file.clone]) }, occurs)
    }
    var places = Array(files.indices)
    for index in patterns.indices {
      hits[index] = query.searchesText ? try self.hits(index, in: text, defines) : Hits()
      // A word that is missing may decide already.
      places.removeAll { holds($0) == false }
      if places.isEmpty { return nil }
    }
    places.removeAll { holds($0) != true }
    guard !places.isEmpty else { return nil }
    let positive = patterns.indices.filter { query.patterns[$0].isPositive }
    return (result(in: text, positive.map { ($0, hits[$0] ?? Hits()) }), places)
  }

  private func patternsInPath(_ path: String) -> [Int] {
    Array(path.utf8).withUnsafeBytes { bytes in
      patterns.indices.filter { (try? patterns[$0].match(in: bytes, from: 0)) != nil }
    }
  }

  private func hits(
    _ index: Int, in text: UnsafeRawBufferPointer, _ defines: Bool
  ) throws(CodePattern.Failure) -> Hits {
    let pattern = query.patterns[index]
    if pattern.isNameExpression { return defines ? try definitions(index, in: text) : Hits() }
    let name = pattern.name.map { Array($0.utf8) }
    var hits = Hits()
    try patterns[index].lines(in: text) { line, place in
      if let name, hits.definition < .exact || pattern.isDefinition {
        let part = text.part(line.start..<line.end)
        let definition =
          defines
          ? Definitions.definition(of: name, in: part, ignoresCase: pattern.source.ignoresCase)
          : .none
        if pattern.isDefinition, definition == .none { return true }
        if definition > hits.definition { (hits.definition, hits.definitionLine) = (definition, line) }
      }
      hits.lines.append(line)
      hits.places.append(place.lowerBound)
      if hits.wholeLine == nil, isWhole(place, in: text) || isWhole(index, line, in: text) {
        hits.wholeLine = line
      }
      // One is enough for a word that must not occur.
      return pattern.isPositive
    }
    return hits
  }

  /// The lines that define a name in which an expression matches.
  private func definitions(_ index: Int, in text: UnsafeRawBufferPointer) throws(CodePattern.Failure) -> Hits
  {
    var hits = Hits()
    var start = 0
    while start < text.count {
      let line = LineRange(start: start, end: text.lineEnd(from: start))
      start = line.end + 1
      guard let place = try definition(index, line, in: text) else { continue }
      hits.lines.append(line)
      hits.places.append(place.lowerBound)
      if !query.patterns[index].isPositive { break }
    }
    (hits.wholeLine, hits.definitionLine) = (hits.lines.first, hits.lines.first)
    return hits
  }

  /// The match of an expression in the name that a line defines.
  private func definition(
    _ index: Int, _ line: LineRange, in text: UnsafeRawBufferPointer
  ) throws(CodePattern.Failure) -> Range<Int>? {
    guard let name = Definitions.name(in: text.part(line.start..<line.end)) else { return nil }
    let start = line.start + name.lowerBound
    let found = try patterns[index].match(in: text.part(start..<line.start + name.upperBound), from: 0)
    return found.map { start + $0.lowerBound..<start + $0.upperBound }
  }

  /// All matches of a pattern in one line.
  private func matches(_ index: Int, _ line: LineRange, in text: UnsafeRawBufferPointer) -> [Range<Int>] {
    guard query.patterns[index].isNameExpression else {
      return patterns[index].matches(in: text, line, limit: Self.rangeLimit)
    }
    guard let place = (try? definition(index, line, in: text)) ?? nil, !place.isEmpty else { return [] }
    return [place]
  }

  private func isWhole(_ place: Range<Int>, in text: UnsafeRawBufferPointer) -> Bool {
    guard !place.isEmpty else { return false }
    let isOpenBefore =
      place.lowerBound > 0 && Definitions.isWord(text[place.lowerBound - 1])
      && Definitions.isWord(text[place.lowerBound])
    let isOpenAfter =
      place.upperBound < text.count && Definitions.isWord(text[place.upperBound])
      && Definitions.isWord(text[place.upperBound - 1])
    return !isOpenBefore && !isOpenAfter
  }

  /// Whether a later match in a line is a whole word.
  private func isWhole(_ index: Int, _ line: LineRange, in text: UnsafeRawBufferPointer) -> Bool {
    guard line.end - line.start <= LineText.limit else { return false }
    return patterns[index].matches(in: text, line, limit: Self.rangeLimit).contains { isWhole($0, in: text) }
  }

  private func result(in text: UnsafeRawBufferPointer, _ hits: [(pattern: Int, hits: Hits)]) -> FoundMatches {
    var found = FoundMatches()
    for (pattern, hits) in hits where hits.definition > .none { found.definitions[pattern] = hits.definition }
    found.wholeWords = hits.count { $0.hits.wholeLine != nil }
    let nearby = nearby(hits.map(\.hits.places))
    var lines = hits.first?.hits.lines ?? []
    // The largest number of words on a line.
    var most = lines.isEmpty ? 0 : 1
    if hits.count > 1 {
      var counts: [LineRange: Int] = [:]
      for line in hits.lazy.flatMap(\.hits.lines) { counts[line, default: 0] += 1 }
      lines = counts.keys.sorted { $0.start < $1.start }
      most = counts.values.max() ?? 0
      for (pattern, hits) in hits where hits.definitionLine.map({ counts[$0] == 1 }) ?? false {
        found.aloneDefinitions.insert(pattern)
      }
    }
    found.nearby = nearby * 2 + (most == nearby ? 1 : 0)
    found.count = lines.count
    var (number, counted) = (1, 0)
    for line in shown(of: lines, hits.map(\.hits)) {
      number += text.lineFeeds(in: counted..<line.start)
      counted = line.start
      var ranges: [Range<Int>] = []
      var first: Int?
      for (pattern, hit) in hits {
        guard let place = hit.place(of: line) else { continue }
        ranges += matches(pattern, line, in: text)
        first = min(first ?? .max, hit.places[place])
      }
      let shown = LineText(text, line, LineText.merged(ranges))
      found.matches.append(
        CodeMatch(
          line: number, column: (first ?? line.start) - line.start + 1, text: shown.text,
          ranges: shown.ranges, before: before(line, in: text), after: after(line, in: text)))
    }
    return found
  }

  /// The lines that are shown, in their order: first those that hold the most words, then those that define a word, then
  /// those with the most words near them, then the first.
  private func shown(of lines: [LineRange], _ hits: [Hits]) -> [LineRange] {
    let limit = max(0, options.limit)
    guard lines.count > limit, limit > 0 else { return Array(lines.prefix(limit)) }
    if hits.count == 1 {
      guard let best = hits[0].definitionLine ?? hits[0].wholeLine, best.start > lines[limit - 1].start else {
        return Array(lines.prefix(limit))
      }
      return lines.prefix(limit - 1) + [best]
    }
    let definitions = Set(hits.compactMap(\.definitionLine))
    var words = [[Int]](repeating: [], count: lines.count)
    for (word, hit) in hits.enumerated() {
      var place = 0
      for line in hit.lines {
        while lines[place] != line { place += 1 }
        words[place].append(word)
      }
    }
    var counts = [Int](repeating: 0, count: hits.count)
    var (from, to, distinct) = (0, 0, 0)
    let ranks = lines.indices.map { place -> (defines: Int, held: Int, near: Int) in
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
      return (definitions.contains(lines[place]) ? 1 : 0, words[place].count, distinct)
    }
    let order = lines.indices.sorted {
      let (a, b) = (ranks[$0], ranks[$1])
      return (b.held, b.defines, b.near, $0) < (a.held, a.defines, a.near, $1)
    }
    return order.prefix(limit).sorted().map { lines[$0] }
  }

  /// The largest number of words within the bytes that count as near.
  private func nearby(_ places: [[Int]]) -> Int {
    guard places.count > 1 else { return places.first.map { $0.isEmpty ? 0 : 1 } ?? 0 }
    let all = places.enumerated().flatMap { word, places in places.map { (place: $0, word: word) } }.sorted {
      $0.place < $1.place
    }
    var counts = [Int](repeating: 0, count: places.count)
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

  private func before(_ line: LineRange, in text: UnsafeRawBufferPointer) -> [String] {
    var (result, start) = ([String](), line.start)
    while result.count < options.contextLines, start > 0 {
      let end = start - 1
      start = text.lineStart(before: end)
      result.append(LineText(text, LineRange(start: start, end: end), []).text)
    }
    return result.reversed()
  }

  private func after(_ line: LineRange, in text: UnsafeRawBufferPointer) -> [String] {
    var (result, start) = ([String](), line.end + 1)
    while result.count < options.contextLines, start < text.count {
      let end = text.lineEnd(from: start)
      result.append(LineText(text, LineRange(start: start, end: end), []).text)
      start = end + 1
    }
    return result
  }
}
