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
  /// What the line defines, as far as `symbol:` found it.
  var definitions: [CodeSymbol] = []
  /// The definition that a use is in.
  var user: CodeSymbol?
}

/// The name that a line defines, as far as it has words of the query.
struct DefinedWords: Sendable {
  /// The words that the name has, and the keywords on the line, one a bit.
  var words: UInt64 = 0
  /// How well the name fits, the larger the better: more words; then a function, type or macro, or a name
  /// with capitals in the same case, rather than another variable; then a name of nothing but words; then the
  /// same case.
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
  /// The matching lines that are shown: those with the most words in them, then the first that defines a
  /// word, then those with the most words near them, then the first; of one word that no line defines, the
  /// first in which it stands best.
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
  /// Places of a name that define nothing, after which a file is read whole.
  private static let mostRejected = 2_000
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
  /// The name of files that the query may mean; `nil` for none.
  private let fileName: String?
  private let isLate: () -> Bool
  private let definitions = Definitions()
  /// The names of the text that is looked at, once they were asked for; `nil` inside if nothing is known of
  /// its language.
  private var known: CodeNames??

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
    fileName = query.fileName
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
    /// The names that are defined or used, in order, where these are looked for.
    var names: [Range<Int>] = []

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
  ///   - wantsLines: Asked once of a match, before its lines are there: whether those that are shown are
  ///     wanted.
  /// - Returns: What was found and the places that match, as indices; `nil` if none does.
  /// - Throws: `Failure` if a limit ends the search.
  func find(
    in text: UnsafeRawBufferPointer, at files: [CodeFile],
    wantsLines: (_ found: FoundMatches, _ places: [Int]) -> Bool
  ) throws(CodePattern.Failure) -> (matches: FoundMatches, places: [Int])? {
    let languages = files.map { CodeNames.areKnown(of: $0.language) ? $0.language : nil }
    let first = languages.lazy.compactMap(\.self).first
    guard query.patterns.contains(where: { $0.role != .text }), Set(languages).count > 1 else {
      return try find(in: text, at: files, Array(files.indices), of: first, wantsLines)
    }
    // A text may be a program of several languages.
    var found: (matches: FoundMatches, places: [Int])?
    for (place, language) in languages.enumerated() where languages.firstIndex(of: language) == place {
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
    known = nil
    defer { known = nil }
    var hits = [Hits?](repeating: nil, count: patterns.count)
    let named = query.searchesPaths ? files.map { patternsInPath($0.path) } : []
    func holds(_ place: Int) -> Bool? {
      let file = files[place]
      func occurs(_ pattern: Int) -> Bool? {
        guard let hits = hits[pattern] else { return nil }
        let isText = query.patterns[pattern].role == .text
        if query.searchesPaths, isText, named[place].contains(pattern) { return true }
        if isText, let fileName, file.isNamed(fileName) { return true }
        // Prose defines and uses nothing.
        if !isText, !CodeNames.areKnown(of: file.language) { return false }
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
    switch pattern.role {
    case .text: break
    case .definition(let kinds): return try defined(index, kinds, in: text, of: language)
    case .use: return try used(index, in: text, of: language)
    }
    var hits = Hits()
    let limited = try patterns[index].lines(in: text) { line, place in
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

  // MARK: Names

  /// What a text defines and uses.
  private func names(in text: UnsafeRawBufferPointer, of language: String?) -> CodeNames? {
    if let known { return known }
    let found = CodeNames(of: language, in: text, definitions)
    known = .some(found)
    return found
  }

  /// The lines that define the text of a pattern, or a name in which its expression matches.
  private func defined(
    _ index: Int, _ kinds: SymbolKinds, in text: UnsafeRawBufferPointer, of language: String?
  ) throws(CodePattern.Failure) -> Hits {
    let isLiteral = query.patterns[index].source.kind == .literal
    if isLiteral {
      guard let first = try patterns[index].match(in: text, from: 0) else { return Hits() }
      if try !mayBeDefined(index, from: first, in: text, of: language) { return Self.hits([], in: text) }
    }
    var ranges: [Range<Int>] = []
    for (number, definition) in (names(in: text, of: language)?.definitions ?? []).enumerated() {
      if number % Self.uncheckedLines == Self.uncheckedLines - 1, isLate() { throw .limit }
      guard kinds.contains(definition.kind) else { continue }
      let name = text.part(definition.name)
      guard let found = try match(index, isLiteral, in: name) else { continue }
      let start = definition.name.lowerBound
      ranges.append(start + found.lowerBound..<start + found.upperBound)
      if !query.patterns[index].isPositive { break }
    }
    return Self.hits(ranges, in: text)
  }

  /// Where a pattern is in a name: a literal is all of it, or its last part, as in `A::b` of Perl.
  private func match(
    _ index: Int, _ isLiteral: Bool, in name: UnsafeRawBufferPointer
  ) throws(CodePattern.Failure) -> Range<Int>? {
    var start = 0
    while let found = try patterns[index].match(in: name, from: start), !found.isEmpty {
      guard isLiteral else { return found }
      let isLast = found.upperBound == name.count
      if isLast, found.lowerBound == 0 || ":.\\/".utf8.contains(name[found.lowerBound - 1]) { return found }
      start = found.lowerBound + 1
    }
    return nil
  }

  private func isDefined(
    inLineOf range: Range<Int>, in text: UnsafeRawBufferPointer, of language: String?
  ) -> Bool {
    let line = text.lineStart(before: range.lowerBound)..<text.lineEnd(from: range.lowerBound)
    return definitions.name(in: text.part(line), of: language) != nil
  }

  /// Whether a literal stands where a name may be defined. Few files that have a word define it, and reading a
  /// file as a program takes longer than all else.
  private func mayBeDefined(
    _ index: Int, from first: Range<Int>, in text: UnsafeRawBufferPointer, of language: String?
  ) throws(CodePattern.Failure) -> Bool {
    let places = DefinitionPlaces(text, language.flatMap(Language.init(rawValue:)))
    let areByLine = CodeNames.areByLine(of: language)
    var next: Range<Int>? = first
    var rejected = 0
    while let found = next, !found.isEmpty {
      if places.canBe(found), !areByLine || isDefined(inLineOf: found, in: text, of: language) { return true }
      rejected += 1
      // By then reading the file costs less.
      if rejected > Self.mostRejected { return true }
      next = try patterns[index].match(in: text, from: found.lowerBound + 1)
    }
    return false
  }

  /// The lines of code in which a pattern is a whole word, and no name that is defined there.
  private func used(
    _ index: Int, in text: UnsafeRawBufferPointer, of language: String?
  ) throws(CodePattern.Failure) -> Hits {
    var ranges: [Range<Int>] = []
    let limited = try patterns[index].lines(in: text) { line, _ in
      let words = patterns[index].matches(in: text, line, limit: Self.rangeLimit).filter {
        WordFit(of: $0, in: text) == .whole
      }
      guard !words.isEmpty, let names = names(in: text, of: language) else { return true }
      ranges += words.filter(names.isUse)
      return query.patterns[index].isPositive || ranges.isEmpty
    }
    if limited > 0 { throw .limit }
    return Self.hits(ranges, in: text)
  }

  /// The lines of names, which are in order.
  private static func hits(_ names: [Range<Int>], in text: UnsafeRawBufferPointer) -> Hits {
    var hits = Hits()
    for name in names where hits.lines.last.map({ name.lowerBound > $0.end }) ?? true {
      let start = text.lineStart(before: name.lowerBound)
      hits.lines.append(LineRange(start: start, end: text.lineEnd(from: name.lowerBound)))
      hits.places.append(name.lowerBound)
    }
    hits.names = names
    (hits.fit, hits.fitLine) = (.whole, hits.lines.first)
    return hits
  }

  /// Finds out what lines define, and returns the one with the best definition of words of the query.
  private func judge(
    _ found: inout FoundMatches, in text: UnsafeRawBufferPointer, of language: String?,
    _ hits: [(pattern: Int, hits: Hits)]
  ) -> LineRange? {
    guard CodeNames.areKnown(of: language), !words.words.isEmpty else { return nil }
    var best: LineRange?
    var seen: Set<Int> = []
    for (pattern, hits) in hits where query.patterns[pattern].source.kind == .literal {
      for line in hits.lines.prefix(Self.judgedLines) where seen.insert(line.start).inserted {
        let part = text.part(line.start..<line.end)
        guard let name = nameDefined(by: line, in: text, of: language),
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

  /// The name that a line defines, which is known exactly if the outline was needed anyway.
  private func nameDefined(
    by line: LineRange, in text: UnsafeRawBufferPointer, of language: String?
  ) -> Definitions.Name? {
    guard case .some(.some(let names)) = known else {
      return definitions.name(in: text.part(line.start..<line.end), of: language)
    }
    return names.definitions(in: line).last.map { definition in
      let name =
        definition.name.lowerBound - line.start..<min(definition.name.upperBound, line.end) - line.start
      return Definitions.Name(range: name, isVariable: definition.kind == .variable)
    }
  }

  // MARK: What is shown

  /// All matches of a pattern in one line.
  private func matches(_ index: Int, _ hits: Hits, _ line: LineRange, in text: UnsafeRawBufferPointer)
    -> [Range<Int>]
  {
    guard query.patterns[index].role != .text else {
      return patterns[index].matches(in: text, line, limit: Self.rangeLimit)
    }
    let first = hits.names.indices.search { hits.names[$0].lowerBound < line.start }
    return hits.names[first...].prefix { $0.lowerBound < line.end }.prefix(Self.rangeLimit).map {
      $0.lowerBound..<min($0.upperBound, line.end)
    }
  }

  /// Adds what a line defines, or what uses a name in it.
  private func addSymbol(
    to match: inout CodeMatch, _ index: Int, _ first: Range<Int>, in text: UnsafeRawBufferPointer
  ) {
    guard case .some(.some(let names)) = known else { return }
    switch query.patterns[index].role {
    case .text: break
    case .definition:
      let place = names.definitions.indices.search {
        names.definitions[$0].name.upperBound <= first.lowerBound
      }
      guard place < names.definitions.count else { return }
      match.definitions.append(names.symbol(names.definitions[place], line: match.line))
    case .use:
      guard match.user == nil, let user = names.definition(around: first.lowerBound) else { return }
      match.user = names.symbol(user, line: nil)
    }
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
      var names: [(pattern: Int, range: Range<Int>)] = []
      var first: Int?
      for (pattern, hit) in hits {
        guard let place = hit.place(of: line) else { continue }
        let own = matches(pattern, hit, line, in: text)
        if query.patterns[pattern].role != .text { names += own.map { (pattern, $0) } }
        ranges += own
        first = min(first ?? .max, hit.places[place])
      }
      let shown = LineText(text, line, LineText.merged(ranges))
      var match = CodeMatch(
        line: number, column: (first ?? line.start) - line.start + 1, text: shown.text,
        ranges: shown.ranges, before: text.lines(before: line, options.contextLines),
        after: text.lines(after: line, options.contextLines))
      for (pattern, name) in names { addSymbol(to: &match, pattern, name, in: text) }
      found.matches.append(match)
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

  /// The lines that are shown, in their order: first those that hold the most words, then the one that
  /// defines a word, then those with the most words near them, then the first.
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
