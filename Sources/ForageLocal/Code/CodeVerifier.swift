import ForageCore

/// Decides on the bytes whether a file matches a query, and how well; used by one thread.
final class CodeVerifier {
  /// The lines with a word that are looked at for how it stands in them, and what they define.
  private static let judgedLines = 1_000
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
    let program = CodeProgram(text, of: language, definitions)
    var hits = [PatternHits?](repeating: nil, count: patterns.count)
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
      hits[index] = query.searchesText ? try self.hits(index, in: program) : PatternHits()
      // A word that is missing may decide already.
      places.removeAll { holds($0) == false }
      if places.isEmpty { return nil }
    }
    places.removeAll { holds($0) != true }
    guard !places.isEmpty else { return nil }
    let positive = patterns.indices.filter { query.patterns[$0].isPositive }
    let found = try result(in: program, positive.map { ($0, hits[$0] ?? PatternHits()) }) {
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
    _ index: Int, in program: CodeProgram
  ) throws(CodePattern.Failure) -> PatternHits {
    let (pattern, text) = (query.patterns[index], program.text)
    switch pattern.role {
    case .text: break
    case .definition(let kinds): return try name(index).definitions(of: kinds, in: program)
    case .use: return try name(index).uses(in: program)
    }
    var hits = PatternHits()
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

  private func name(_ index: Int) -> NamePattern {
    let pattern = query.patterns[index]
    return NamePattern(
      pattern: patterns[index], isLiteral: pattern.source.kind == .literal, isPositive: pattern.isPositive,
      isLate: isLate)
  }

  /// How a pattern stands in a line at best.
  private func fit(
    _ index: Int, _ line: LineRange, _ first: Range<Int>, in text: UnsafeRawBufferPointer
  ) -> WordFit {
    let fit = WordFit(of: first, in: text)
    guard fit < .whole, line.end - line.start <= LineText.limit else { return fit }
    return patterns[index].matches(in: text, line, limit: PatternHits.rangeLimit).map {
      WordFit(of: $0, in: text)
    }.max() ?? fit
  }

  /// Finds out what lines define, and returns the one with the best definition of words of the query.
  private func judge(
    _ found: inout FoundMatches, in program: CodeProgram, _ hits: [(pattern: Int, hits: PatternHits)]
  ) -> LineRange? {
    guard CodeNames.areKnown(of: program.language), !words.words.isEmpty else { return nil }
    var best: LineRange?
    var seen: Set<Int> = []
    for (pattern, hits) in hits where query.patterns[pattern].source.kind == .literal {
      for line in hits.lines.prefix(Self.judgedLines) where seen.insert(line.start).inserted {
        let part = program.text.part(line.start..<line.end)
        guard let name = program.nameDefined(by: line),
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

  private func result(
    in program: CodeProgram, _ hits: [(pattern: Int, hits: PatternHits)],
    _ wantsLines: (FoundMatches) -> Bool
  ) throws(CodePattern.Failure) -> FoundMatches {
    let text = program.text
    var found = FoundMatches()
    let definition = judge(&found, in: program, hits)
    found.wholeWords = hits.reduce(0) { $0 + $1.hits.fit.rawValue }
    found.frequency = hits.reduce(0) { $0 + Int.bitWidth - $1.hits.lines.count.leadingZeroBitCount }
    let merged = try LinesOfWords(hits.map(\.hits), isLate: isLate)
    let (nearby, most) = (merged.nearby, merged.most)
    found.nearness = nearby * 2 + (most == nearby ? 1 : 0)
    found.count = merged.lines.count
    if !message.isEmpty, most == hits.count {
      found.hasMessage = zip(merged.lines, merged.counts).contains { $1 == most && hasMessage($0, in: text) }
    }
    guard wantsLines(found) else { return found }
    var (number, counted) = (1, 0)
    for line in merged.best(options.limit, definition: definition) {
      number += text.lineFeeds(in: counted..<line.start)
      counted = line.start
      var ranges: [Range<Int>] = []
      var names: [(pattern: Int, range: Range<Int>)] = []
      var first: Int?
      for (pattern, hit) in hits {
        guard let place = hit.place(of: line) else { continue }
        if query.patterns[pattern].role == .text {
          ranges += patterns[pattern].matches(in: text, line, limit: PatternHits.rangeLimit)
        } else {
          let own = hit.names(in: line)
          names += own.map { (pattern, $0) }
          ranges += own
        }
        first = min(first ?? .max, hit.places[place])
      }
      let shown = LineText(text, line, LineText.merged(ranges))
      var match = CodeMatch(
        line: number, column: (first ?? line.start) - line.start + 1, text: shown.text,
        ranges: shown.ranges, before: text.lines(before: line, options.contextLines),
        after: text.lines(after: line, options.contextLines))
      for (pattern, name) in names { program.addSymbol(to: &match, query.patterns[pattern].role, name) }
      found.matches.append(match)
    }
    return found
  }

  private func hasMessage(_ line: LineRange, in text: UnsafeRawBufferPointer) -> Bool {
    guard line.end - line.start >= message.count, line.end - line.start <= LineText.limit else {
      return false
    }
    let part = text.part(line.start..<line.end)
    return WordFit.best(of: message, in: part, WordFit.folded(part), part.indices) != nil
  }
}
