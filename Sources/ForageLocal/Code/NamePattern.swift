/// A pattern that is looked for in the names that a program defines or uses.
struct NamePattern {
  /// Places of a name that define nothing, after which a file is read whole.
  private static let mostRejected = 2_000
  /// The definitions between two looks at the time.
  private static let uncheckedDefinitions = 4_096

  let pattern: CodePattern
  /// Whether it is a name, and no expression.
  let isLiteral: Bool
  /// Whether it must occur; one is enough of what must not.
  let isPositive: Bool
  /// Whether the time is over.
  let isLate: () -> Bool

  /// The lines that define the text of the pattern, or a name in which its expression matches.
  func definitions(of kinds: SymbolKinds, in program: CodeProgram) throws(CodePattern.Failure) -> PatternHits
  {
    let text = program.text
    if isLiteral {
      guard let first = try pattern.match(in: text, from: 0) else { return PatternHits() }
      if try !mayBeDefined(from: first, in: program) { return PatternHits(of: [], in: text) }
    }
    var ranges: [Range<Int>] = []
    for (number, definition) in (program.names?.definitions ?? []).enumerated() {
      if number % Self.uncheckedDefinitions == Self.uncheckedDefinitions - 1, isLate() { throw .limit }
      guard kinds.contains(definition.kind) else { continue }
      let name = text.part(definition.name)
      guard let found = try match(in: name) else { continue }
      let start = definition.name.lowerBound
      ranges.append(start + found.lowerBound..<start + found.upperBound)
      if !isPositive { break }
    }
    return PatternHits(of: ranges, in: text)
  }

  /// Where it is in a name: a literal is all of it, or its last part, as in `A::b` of Perl.
  private func match(in name: UnsafeRawBufferPointer) throws(CodePattern.Failure) -> Range<Int>? {
    var start = 0
    while let found = try pattern.match(in: name, from: start), !found.isEmpty {
      guard isLiteral else { return found }
      let isLast = found.upperBound == name.count
      if isLast, found.lowerBound == 0 || ":.\\/".utf8.contains(name[found.lowerBound - 1]) { return found }
      start = found.lowerBound + 1
    }
    return nil
  }

  /// Whether a literal stands where a name may be defined. Few files that have a word define it, and reading a
  /// file as a program takes longer than all else.
  private func mayBeDefined(from first: Range<Int>, in program: CodeProgram) throws(CodePattern.Failure)
    -> Bool
  {
    let places = DefinitionPlaces(program.text, program.language.flatMap(Language.init(rawValue:)))
    var next: Range<Int>? = first
    var rejected = 0
    while let found = next, !found.isEmpty {
      if places.canBe(found), program.mayDefine(inLineOf: found) { return true }
      rejected += 1
      // By then reading the file costs less.
      if rejected > Self.mostRejected { return true }
      next = try pattern.match(in: program.text, from: found.lowerBound + 1)
    }
    return false
  }

  /// The lines of code in which it is a whole word, and no name that is defined there.
  func uses(in program: CodeProgram) throws(CodePattern.Failure) -> PatternHits {
    var ranges: [Range<Int>] = []
    let limited = try pattern.lines(in: program.text) { line, _ in
      let words = pattern.matches(in: program.text, line, limit: PatternHits.rangeLimit).filter {
        WordFit(of: $0, in: program.text) == .whole
      }
      guard !words.isEmpty, let names = program.names else { return true }
      ranges += words.filter(names.isUse)
      return isPositive || ranges.isEmpty
    }
    if limited > 0 { throw .limit }
    return PatternHits(of: ranges, in: program.text)
  }
}
