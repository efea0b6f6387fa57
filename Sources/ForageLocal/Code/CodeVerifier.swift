import ForageCore
import ForageGit

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

/// The name that a line defines, as far as it has words of the query.
struct DefinedWords: Sendable {
  /// The words that the name has, and the keywords on the line, one a bit.
  var words: UInt64 = 0
  /// How well the name fits, the larger the better: more words; then a function, type or macro, or a name with capitals in
  /// the same case, rather than another variable; then a name of nothing but words; then the same case.
  var value: Int

  /// The words that a name has as parts; `nil` if there are none.
  init?(_ name: Definitions.Name, in line: UnsafeRawBufferPointer, _ words: [SoughtWords.Word]) {
    let folded = WordFit.folded(line)
    var rest = WordFit.length(folded[name.range])
    var (count, isSameCase) = (0, true)
    for (place, word) in words.enumerated() {
      let bit: UInt64 = 1 << UInt64(place)
      if let best = WordFit.best(of: word.text, in: line, folded, name.range), best.fit >= .part {
        self.words |= bit
        count += 1
        rest -= WordFit.length(word.text)
        if !line[best.place].elementsEqual(word.original) { isSameCase = false }
      } else if word.isKeyword, WordFit.best(of: word.text, in: line, folded, line.indices)?.fit == .whole {
        self.words |= bit
      }
    }
    guard count > 0 else { return nil }
    let isWhole = rest <= 0
    let hasCapitals = !line[name.range].elementsEqual(folded[name.range])
    let isNotable = !name.isVariable || isWhole && isSameCase && hasCapitals
    value = count * 8 + (isNotable ? 4 : 0) + (isWhole ? 2 : 0) + (isSameCase ? 1 : 0)
  }

  /// Whether the name is more than a variable as there are many.
  var isNotable: Bool { value & 4 != 0 }
}

/// What was found in a file.
struct FoundMatches: Sendable {
  /// The matching lines that are shown: those with the most words in them, then the first that defines a word, then those
  /// with the most words near them, then the first; of one word that no line defines, the first in which it stands best.
  var matches: [CodeMatch] = []
  /// The number of all matching lines.
  var count = 0
  /// The encoding of the file, unless its own bytes were searched.
  var encoding: CodeText.Encoding?
  /// The best definition of words; `nil` if there is none.
  var definition: DefinedWords?
  /// The words that some line defines as functions, types or macros, one a bit.
  var definedWords: UInt64 = 0
  /// The words that occur as whole words, twice, and as parts of names, once.
  var wholeWords = 0
  /// Twice the largest number of words that occur near each other, and one more if a line has as many.
  var nearness = 0
  /// Whether a line has the whole message that is looked for.
  var hasMessage = false
  /// How often the words occur: for each the binary digits of the number of its lines.
  var frequency = 0
}

/// Decides on the bytes whether a file matches a query, and how well; used by one thread.
final class CodeVerifier {
  /// Words within this many bytes are near each other: some ten lines.
  private static let nearBytes = 400
  /// The most ranges of a line: a shortened line has no more characters.
  private static let rangeLimit = LineText.limit
  /// The lines with a word that are looked at for how it stands in them, and what they define.
  private static let judgedLines = 1_000
  /// The lines between two looks at the time.
  private static let uncheckedLines = 4_096
  /// From this number of words they are taken for a message.
  private static let messageWords = 4

  private let query: CodeQuery
  private let options: MatchOptions
  private let clones: [CodeClone]
  private let patterns: [CodePattern]
  private let words: SoughtWords
  /// The words of a message in lower case, as they would stand in a text; empty for fewer words.
  private let message: [UInt8]
  private let isLate: () -> Bool
  private let definitions = Definitions()

  /// Compiles the patterns of a query, all of which are valid.
  ///
  /// - Parameter isLate: Whether the time is over.
  init(
    _ query: CodeQuery, _ words: SoughtWords, _ options: MatchOptions, _ clones: [CodeClone],
    isLate: @escaping () -> Bool
  ) throws(ExpressionProblem) {
    self.query = query
    self.options = options
    self.clones = clones
    self.words = words
    self.isLate = isLate
    message =
      words.words.count < Self.messageWords ? [] : Array(words.words.map(\.text).joined(separator: [0x20]))
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
    /// How the word stands in the text at best, and the first line in which it does.
    var fit = WordFit.inside
    var fitLine: LineRange?

    /// The place of a line; `nil` if the pattern is not in it.
    func place(of line: LineRange) -> Int? {
      let place = lines.indices.search { lines[$0].start < line.start }
      return place < lines.count && lines[place].start == line.start ? place : nil
    }
  }

  /// Whether a text contains what the query wants, and where.
  ///
  /// - Parameters:
  ///   - files: The places of the text, on which conditions, words in paths and definitions depend.
  ///   - wantsLines: Asked once of a match, before its lines are there: whether those that are shown are wanted.
  /// - Returns: What was found and the places that match, as indices; `nil` if none does.
  /// - Throws: `Failure` if a limit ends the search.
  func find(
    in text: UnsafeRawBufferPointer, at files: [CodeFile],
    wantsLines: (_ found: FoundMatches, _ places: [Int]) -> Bool
  ) throws(CodePattern.Failure) -> (matches: FoundMatches, places: [Int])? {
    let languages = files.map { LanguageFamily(of: $0.language) == nil ? nil : $0.language }
    let first = languages.lazy.compactMap(\.self).first
    guard query.patterns.contains(where: \.isDefinition), Set(languages).count > 1 else {
      return try find(in: text, at: files, Array(files.indices), of: first, wantsLines)
    }
    // A text may be a program of several languages.
    var found: (matches: FoundMatches, places: [Int])?
    for language in Set(languages) {
      let own = files.indices.filter { languages[$0] == language }
      guard let more = try find(in: text, at: files, own, of: language, { _, _ in true }) else { continue }
      found = (found?.matches ?? more.matches, (found?.places ?? []) + more.places)
    }
    if let found { _ = wantsLines(found.matches, found.places) }
    return found
  }

  private func find(
    in text: UnsafeRawBufferPointer, at files: [CodeFile], _ own: [Int], of language: String?,
    _ wantsLines: (FoundMatches, [Int]) -> Bool
  ) throws(CodePattern.Failure) -> (matches: FoundMatches, places: [Int])? {
    var hits = [Hits?](repeating: nil, count: patterns.count)
    let named = query.searchesPaths ? files.map { patternsInPath($0.path) } : []
    func holds(_ place: Int) -> Bool? {
      let file = files[place]
      func occurs(_ pattern: Int) -> Bool? {
        guard let hits = hits[pattern] else { return nil }
        if query.searchesPaths, !query.patterns[pattern].isDefinition, named[place].contains(pattern) {
          return true
        }
        // Lines of prose define nothing.
        if query.patterns[pattern].isDefinition, LanguageFamily(of: file.language) == nil { return false }
        return !hits.lines.isEmpty
      }
      return query.holds({ file.holds($0, in: clones[file.clone]) }, occurs)
    }
    var places = own
    for index in patterns.indices {
      hits[index] = query.searchesText ? try self.hits(index, in: text, of: language) : Hits()
      // A word that is missing may decide already.
      places.removeAll { holds($0) == false }
      if places.isEmpty { return nil }
    }
    places.removeAll { holds($0) != true }
    guard !places.isEmpty else { return nil }
    let positive = patterns.indices.filter { query.patterns[$0].isPositive }
    let found = try result(in: text, of: language, positive.map { ($0, hits[$0] ?? Hits()) }) {
      wantsLines($0, places)
    }
    return (found, places)
  }

  private func patternsInPath(_ path: String) -> [Int] {
    Array(path.utf8).withUnsafeBytes { bytes in
      patterns.indices.filter { (try? patterns[$0].match(in: bytes, from: 0)) != nil }
    }
  }

  private func hits(
    _ index: Int, in text: UnsafeRawBufferPointer, of language: String?
  ) throws(CodePattern.Failure) -> Hits {
    let pattern = query.patterns[index]
    if pattern.isNameExpression { return try defined(index, in: text, of: language) }
    var hits = Hits()
    let limited = try patterns[index].lines(in: text) { line, place in
      if pattern.isDefinition, !defines(index, line, in: text, of: language) { return true }
      hits.lines.append(line)
      hits.places.append(place.lowerBound)
      if hits.fit < .whole, hits.lines.count <= Self.judgedLines {
        let fit = fit(index, line, place, in: text)
        if fit > hits.fit || hits.fitLine == nil { (hits.fit, hits.fitLine) = (fit, line) }
      }
      // One is enough for a word that must not occur.
      return pattern.isPositive
    }
    if limited > 0 { throw .limit }
    return hits
  }

  /// How a pattern stands in a line at best.
  private func fit(
    _ index: Int, _ line: LineRange, _ first: Range<Int>, in text: UnsafeRawBufferPointer
  ) -> WordFit {
    let fit = WordFit(of: first, in: text)
    guard fit < .whole, line.end - line.start <= LineText.limit else { return fit }
    return patterns[index].matches(in: text, line, limit: Self.rangeLimit).map { WordFit(of: $0, in: text) }
      .max() ?? fit
  }

  // MARK: Definitions

  /// Whether a line defines the text of a pattern as a name.
  private func defines(
    _ index: Int, _ line: LineRange, in text: UnsafeRawBufferPointer, of language: String?
  ) -> Bool {
    let part = text.part(line.start..<line.end)
    guard let name = definitions.name(in: part, of: language)?.range else { return false }
    return (try? patterns[index].match(in: part.part(name), from: 0)) == 0..<name.count
  }

  /// The lines that define a name in which an expression matches.
  private func defined(
    _ index: Int, in text: UnsafeRawBufferPointer, of language: String?
  ) throws(CodePattern.Failure) -> Hits {
    var hits = Hits()
    guard LanguageFamily(of: language) != nil else { return hits }
    var (start, lines) = (0, 0)
    while start < text.count {
      let line = LineRange(start: start, end: text.lineEnd(from: start))
      start = line.end + 1
      lines += 1
      if lines % Self.uncheckedLines == 0, isLate() { throw .limit }
      guard let place = try match(index, inNameOf: line, in: text, of: language) else { continue }
      hits.lines.append(line)
      hits.places.append(place.lowerBound)
      if !query.patterns[index].isPositive { break }
    }
    (hits.fit, hits.fitLine) = (.whole, hits.lines.first)
    return hits
  }

  /// The match of an expression in the name that a line defines.
  private func match(
    _ index: Int, inNameOf line: LineRange, in text: UnsafeRawBufferPointer, of language: String?
  ) throws(CodePattern.Failure) -> Range<Int>? {
    guard let name = definitions.name(in: text.part(line.start..<line.end), of: language)?.range else {
      return nil
    }
    let start = line.start + name.lowerBound
    let found = try patterns[index].match(in: text.part(start..<line.start + name.upperBound), from: 0)
    return found.map { start + $0.lowerBound..<start + $0.upperBound }
  }

  /// Finds out what lines define, and returns the one with the best definition of words of the query.
  private func judge(
    _ found: inout FoundMatches, in text: UnsafeRawBufferPointer, of language: String?,
    _ hits: [(pattern: Int, hits: Hits)]
  ) -> LineRange? {
    guard LanguageFamily(of: language) != nil, !words.words.isEmpty else { return nil }
    var best: LineRange?
    var seen: Set<Int> = []
    for (pattern, hits) in hits where query.patterns[pattern].source.kind == .literal {
      for line in hits.lines.prefix(Self.judgedLines) where seen.insert(line.start).inserted {
        let part = text.part(line.start..<line.end)
        guard let name = definitions.name(in: part, of: language),
          let words = DefinedWords(name, in: part, words.words)
        else { continue }
        if words.isNotable { found.definedWords |= words.words }
        if found.definition.map({ words.value > $0.value }) ?? true {
          (found.definition, best) = (words, line)
        }
      }
    }
    return best
  }

  // MARK: What is shown

  /// All matches of a pattern in one line.
  private func matches(
    _ index: Int, _ line: LineRange, in text: UnsafeRawBufferPointer, of language: String?
  ) -> [Range<Int>] {
    guard query.patterns[index].isNameExpression else {
      return patterns[index].matches(in: text, line, limit: Self.rangeLimit)
    }
    guard let place = try? match(index, inNameOf: line, in: text, of: language), !place.isEmpty else {
      return []
    }
    return [place]
  }

  private func result(
    in text: UnsafeRawBufferPointer, of language: String?, _ hits: [(pattern: Int, hits: Hits)],
    _ wantsLines: (FoundMatches) -> Bool
  ) throws(CodePattern.Failure) -> FoundMatches {
    var found = FoundMatches()
    let definition = judge(&found, in: text, of: language, hits)
    found.wholeWords = hits.reduce(0) { $0 + $1.hits.fit.rawValue }
    found.frequency = hits.reduce(0) { $0 + Int.bitWidth - $1.hits.lines.count.leadingZeroBitCount }
    let nearby = nearby(hits.map(\.hits.places))
    let (lines, counts) = try merged(hits.map(\.hits.lines))
    // The largest number of words on a line.
    let most = counts.max() ?? 0
    found.nearness = nearby * 2 + (most == nearby ? 1 : 0)
    found.count = lines.count
    if !message.isEmpty, most == hits.count {
      found.hasMessage = zip(lines, counts).contains { $1 == most && hasMessage($0, in: text) }
    }
    guard wantsLines(found) else { return found }
    var (number, counted) = (1, 0)
    for line in shown(of: lines, hits.map(\.hits), definition) {
      number += text.lineFeeds(in: counted..<line.start)
      counted = line.start
      var ranges: [Range<Int>] = []
      var first: Int?
      for (pattern, hit) in hits {
        guard let place = hit.place(of: line) else { continue }
        ranges += matches(pattern, line, in: text, of: language)
        first = min(first ?? .max, hit.places[place])
      }
      let shown = LineText(text, line, LineText.merged(ranges))
      found.matches.append(
        CodeMatch(
          line: number, column: (first ?? line.start) - line.start + 1, text: shown.text,
          ranges: shown.ranges, before: text.lines(before: line, options.contextLines),
          after: text.lines(after: line, options.contextLines)))
    }
    return found
  }

  /// The lines of several words in their order, and how many of the words each has.
  private func merged(
    _ lists: [[LineRange]]
  ) throws(CodePattern.Failure) -> (lines: [LineRange], counts: [Int]) {
    if lists.count == 1 { return (lists[0], Array(repeating: 1, count: lists[0].count)) }
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
    return (lines, counts)
  }

  private func hasMessage(_ line: LineRange, in text: UnsafeRawBufferPointer) -> Bool {
    guard line.end - line.start >= message.count, line.end - line.start <= LineText.limit else {
      return false
    }
    let part = text.part(line.start..<line.end)
    return WordFit.best(of: message, in: part, WordFit.folded(part), part.indices) != nil
  }

  /// The lines that are shown, in their order: first those that hold the most words, then the one that defines a word, then
  /// those with the most words near them, then the first.
  private func shown(of lines: [LineRange], _ hits: [Hits], _ definition: LineRange?) -> [LineRange] {
    let limit = max(0, options.limit)
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
    let near = nearCounts(lines, words, of: hits.count)
    let order = lines.indices.sorted {
      let (a, b) = (lines[$0] == definition ? 1 : 0, lines[$1] == definition ? 1 : 0)
      return (words[$1].count, b, near[$1], $0) < (words[$0].count, a, near[$0], $1)
    }
    return order.prefix(limit).sorted().map { lines[$0] }
  }

  /// For each line, how many different words are near it.
  private func nearCounts(_ lines: [LineRange], _ words: [[Int]], of count: Int) -> [Int] {
    var counts = [Int](repeating: 0, count: count)
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
}
