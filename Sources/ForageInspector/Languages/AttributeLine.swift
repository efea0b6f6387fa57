import ForageGit

/// Numbers for the attributes that affect languages: the five `linguist-` ones and the macros that may set
/// them.
struct AttributeNames {
  static let language = 0
  static let vendored = 1
  static let generated = 2
  static let documentation = 3
  static let detectable = 4
  static let firstMacro = 5
  /// The macros that fit, with the five attributes, into the 64 bits of a word; real repositories have a
  /// handful.
  private static let macroLimit = 59

  private var numbers: [String: Int] = [
    "linguist-language": language, "linguist-vendored": vendored, "linguist-generated": generated,
    "linguist-documentation": documentation, "linguist-detectable": detectable,
  ]
  /// The settings of each macro.
  private(set) var macros: [[AttributeLine.Setting]] = []
  /// Whether there are more macros than the limit.
  private(set) var isCut = false

  /// Returns the number of an attribute; nil if it does not affect languages.
  func number(_ name: String) -> Int? { numbers[name] }

  /// Reads the lines that define macros (`[attr]name settings`); git allows them in the root's file only.
  mutating func addMacros(_ text: String) {
    var lines: [(macro: Int, words: ArraySlice<UInt8>)] = []
    for line in AttributeLine.lines(text) where line.starts(with: "[attr]".utf8) {
      let rest = line.dropFirst("[attr]".utf8.count).drop(while: AttributeLine.isBlank)
      let name = rest.prefix { !AttributeLine.isBlank($0) }
      let key = String(decoding: name, as: UTF8.self)
      if key.isEmpty || (numbers[key] ?? Self.firstMacro) < Self.firstMacro { continue }
      if numbers[key] == nil {
        guard macros.count < Self.macroLimit else {
          isCut = true
          continue
        }
        numbers[key] = Self.firstMacro + macros.count
        macros.append([])
      }
      if let number = numbers[key] { lines.append((number - Self.firstMacro, rest[name.endIndex...])) }
    }
    // In a second step, because macros may name each other; of two definitions the later one wins.
    for line in lines { macros[line.macro] = AttributeLine.settings(line.words, self) }
  }
}

/// A line of a `.gitattributes` file that sets attributes in ``AttributeNames``.
struct AttributeLine: Sendable {
  /// The value that a line gives one attribute.
  struct Setting: Sendable {
    let attribute: Int
    /// The value as a flag; GitHub takes every value but `false` for true. Nil for `!attribute`.
    let flag: Bool?
    /// Whether the attribute is set without a value.
    let isPlainlySet: Bool
    /// The language that `linguist-language` names; nil for other attributes.
    let language: LinguistAttributes.NamedLanguage?
  }

  /// The length limit of a line in bytes; git ignores longer lines.
  private static let lengthLimit = 2048

  /// The directory of the file with a trailing slash; empty for the root.
  let directory: [UInt8]
  /// One pattern.
  let pattern: PathPatterns
  let settings: [Setting]

  /// Parses a line; nil if it sets none of the attributes.
  init?(_ line: ArraySlice<UInt8>, directory: [UInt8], _ names: AttributeNames) {
    guard let first = line.first, first != UInt8(ascii: "#"), !line.starts(with: "[attr]".utf8) else {
      return nil
    }
    let pattern: [UInt8]
    let rest: ArraySlice<UInt8>
    if first == UInt8(ascii: "\""), let quoted = QuotedName(line) {
      (pattern, rest) = (quoted.bytes, quoted.rest)
    } else {
      pattern = Array(line.prefix { !Self.isBlank($0) })
      rest = line.dropFirst(pattern.count)
    }
    settings = Self.settings(rest, names)
    // A pattern that is negated or only for folders matches no file.
    guard !settings.isEmpty, !pattern.isEmpty, pattern.first != UInt8(ascii: "!"),
      pattern.last != UInt8(ascii: "/")
    else { return nil }
    var parsed = PathPatterns()
    parsed.append(pattern[...])
    self.pattern = parsed
    self.directory = directory
  }

  /// Returns the lines of a file without leading blanks; lines over the length limit are omitted.
  static func lines(_ text: String) -> [ArraySlice<UInt8>] {
    var bytes = Array(text.utf8)[...]
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes = bytes.dropFirst(3) }
    return bytes.split { $0 == 0x0A || $0 == 0x0D }.filter { $0.count <= lengthLimit }
      .map { $0.drop(while: isBlank) }
  }

  static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

  /// Parses the words of a line; attributes without a number are omitted.
  static func settings(_ words: ArraySlice<UInt8>, _ names: AttributeNames) -> [Setting] {
    words.split(whereSeparator: isBlank).compactMap { word in
      var word = word
      if word.first == UInt8(ascii: "-") || word.first == UInt8(ascii: "!") {
        let isUnset = word.removeFirst() == UInt8(ascii: "-")
        guard let number = names.number(String(decoding: word, as: UTF8.self)) else { return nil }
        return Setting(
          attribute: number, flag: isUnset ? false : nil, isPlainlySet: false, language: nil)
      }
      let equals = word.firstIndex(of: UInt8(ascii: "="))
      let name = String(decoding: word[..<(equals ?? word.endIndex)], as: UTF8.self)
      guard let number = names.number(name) else { return nil }
      guard let equals else {
        return Setting(attribute: number, flag: true, isPlainlySet: true, language: .unknown)
      }
      let value = String(decoding: word[(equals + 1)...], as: UTF8.self)
      return Setting(
        attribute: number, flag: value != "false", isPlainlySet: false,
        language: number == AttributeNames.language ? language(value) : nil)
    }
  }

  /// Finds a language by name or alias; text after a comma is ignored.
  private static func language(_ value: String) -> LinguistAttributes.NamedLanguage {
    let table = LanguageTable.shared
    let index =
      table.language(named: value) ?? table.language(named: String(value.prefix { $0 != "," }))
    return index.map { .known(UInt16($0)) } ?? .unknown
  }
}
