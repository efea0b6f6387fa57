import ForageCore

/// What the readers of Python, Ruby, Lua, Perl, shells and SQL have in common.
extension OutlineReader {
  mutating func readLines() {
    switch language {
    case .python: readPython()
    case .ruby: readRuby()
    case .lua: readLua()
    case .perl: readPerl()
    case .shell: readShell()
    default: break
    }
  }

  /// The place behind the bracket that closes the one at `index`, or behind `index` if it is none or is not
  /// closed.
  func next(behind index: Int) -> Int {
    let partner = Int(partners[index])
    return partner > index ? partner + 1 : index + 1
  }

  /// Whether the token is there, on the line of the one before it.
  func isOnLine(_ index: Int) -> Bool { index < tokens.count && !tokens[index].isFirstOnLine }

  /// `=`, but neither `==` nor `=>` nor `=~`.
  func isAssignment(_ index: Int) -> Bool {
    guard mark(index) == Mark.equals else { return false }
    let next = mark(index + 1)
    return !isAdjacent(index + 1) || next != Mark.equals && next != Mark.greater && next != Mark.tilde
  }

  /// A name of capital letters, as constants have in many languages.
  func isUppercase(_ index: Int) -> Bool {
    var hasLetter = false
    for place in tokens[index].range {
      if text[place] &- 65 < 26 { hasLetter = true }
      if text[place] &- 97 < 26 { return false }
    }
    return hasLetter && tokens[index].range.count > 1
  }

  func beginsUppercase(_ index: Int) -> Bool { isWord(index) && text[Int(tokens[index].start)] &- 65 < 26 }

  /// Adds a definition whose end is not known yet, and gives its place among the definitions.
  mutating func begin(_ name: Int, _ kind: SymbolKind, from first: Int) -> Int {
    add(name, kind, from: first, to: name)
    return definitions.count - 1
  }

  /// The definition's last token is this one.
  mutating func end(_ definition: Int, with last: Int) {
    guard last >= 0, last < tokens.count else { return }
    let extent = definitions[definition].extent
    definitions[definition].extent = extent.lowerBound..<max(extent.upperBound, Int(tokens[last].end))
  }

  /// The bytes between the quotes of a string, which has one byte of a quote at each end.
  func content(_ index: Int) -> Range<Int> {
    let range = tokens[index].range
    return range.count > 2 ? range.lowerBound + 1..<range.upperBound - 1 : range.lowerBound..<range.lowerBound
  }

  /// The names between blanks in a part of the text.
  func names(in range: Range<Int>) -> [Range<Int>] {
    var names: [Range<Int>] = []
    var start = range.lowerBound
    for place in range {
      guard text[place] <= 32 else { continue }
      if start < place { names.append(start..<place) }
      start = place + 1
    }
    if start < range.upperBound { names.append(start..<range.upperBound) }
    return names
  }
}
