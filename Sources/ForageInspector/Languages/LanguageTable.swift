/// The table of languages: kinds, groups, colours, file names, extensions, interpreters and aliases.
///
/// The table is text in the binary. It is indexed on first use, in less than a millisecond, and costs
/// nothing at start-up.
package final class LanguageTable: Sendable {
  /// The kind of a language, as github-linguist has it.
  package enum Kind: UInt8, Sendable, Equatable {
    case programming, markup, data, prose

    /// Whether files of this kind count in the language statistics.
    package var counts: Bool { self == .programming || self == .markup }
  }

  /// The properties of a language without a string.
  struct Record: Sendable {
    /// The byte range of the name in the text.
    let name: Range<UInt32>
    let kind: Kind
    /// The language under which its bytes are counted: its group, or else itself.
    var group: UInt16
    /// 24 bits of red, green and blue; ``noColor`` if it has none.
    let color: UInt32
  }

  /// The value for no colour; colours have 24 bits.
  static let noColor = UInt32.max

  /// The table that is compiled in.
  package static let shared = LanguageTable(facts)

  private let text: [UInt8]
  /// All languages, in the order of the facts; other members refer to them by index.
  let records: [Record]
  private let names: WordTable
  private let filenames: WordTable
  private let extensions: WordTable
  private let interpreters: WordTable

  /// Indexes the facts: languages, separated by semicolons or line feeds, each with tab-separated fields:
  /// name, kind (`p`rogramming, `m`arkup, `d`ata, `t`ext), group, colour (six hexadecimal digits), extensions
  /// (separated by spaces), file names (`|`), interpreters (spaces) and aliases (`|`). Trailing fields may be
  /// missing. Popular languages come first: of several that share an extension the first is the likeliest.
  ///
  /// The facts are from `lib/linguist/languages.yml` and `popular.yml` of github-linguist at
  /// b45dbe9b2825a43285bcd035861be91cc0a7299e (MIT license, copyright GitHub, Inc.).
  init(_ facts: StaticString) {
    let text = facts.withUTF8Buffer { [UInt8]($0) }
    var records: [Record] = []
    var groups: [Range<Int>] = []
    var (names, aliases): ([WordTable.Word], [WordTable.Word]) = ([], [])
    var filenames: [WordTable.Word] = []
    var extensions: [WordTable.Word] = []
    var interpreters: [WordTable.Word] = []
    let isRecordEnd = { (byte: UInt8) in byte == UInt8(ascii: ";") || byte == UInt8(ascii: "\n") }
    for record in text.indices.split(whereSeparator: { isRecordEnd(text[$0]) }) {
      let fields = record.split(omittingEmptySubsequences: false) { text[$0] == UInt8(ascii: "\t") }
      let index = records.count
      func field(_ number: Int) -> Range<Int> { number < fields.count ? fields[number] : 0..<0 }
      func words(_ number: Int, by separator: Unicode.Scalar) -> [WordTable.Word] {
        field(number).split { text[$0] == UInt8(ascii: separator) }.map { ($0, index) }
      }
      records.append(
        Record(
          name: UInt32(fields[0].lowerBound)..<UInt32(fields[0].upperBound),
          kind: Self.kind(text[field(1)].first ?? 0), group: UInt16(index), color: Self.color(text[field(3)]))
      )
      names.append((fields[0], index))
      groups.append(field(2))
      extensions += words(4, by: " ")
      filenames += words(5, by: "|")
      interpreters += words(6, by: " ")
      aliases += words(7, by: "|")
    }
    // A name has precedence over another language's alias.
    let named = WordTable(names + aliases, of: text, foldsCase: true)
    for (index, group) in groups.enumerated() where !group.isEmpty {
      let language = text[group].withUnsafeBytes(named.first)
      if let language { records[index].group = UInt16(language) }
    }
    self.names = named
    self.text = text
    self.records = records
    self.filenames = WordTable(filenames, of: text, foldsCase: false)
    self.extensions = WordTable(extensions, of: text, foldsCase: true)
    self.interpreters = WordTable(interpreters, of: text, foldsCase: false)
  }

  /// Returns the language of files with exactly this name.
  func language(filename: UnsafeRawBufferPointer) -> Int? { filenames.first(filename) }

  func isKnown(extension suffix: UnsafeRawBufferPointer) -> Bool { extensions.contains(suffix) }

  /// Returns the languages that share an extension (with its dot, in any case), likeliest first.
  func languages(extension suffix: UnsafeRawBufferPointer) -> WordTable.Values { extensions.values(suffix) }

  /// Returns the languages that share an extension (with its dot, in any case), likeliest first; nil if there
  /// are none.
  package func languages(extension suffix: some StringProtocol) -> [Int]? {
    let languages = extensions.values(suffix)
    return languages.isEmpty ? nil : languages
  }

  /// Returns the languages that an interpreter runs, likeliest first; nil if it is unknown.
  package func languages(interpreter: some StringProtocol) -> [Int]? {
    let languages = interpreters.values(interpreter)
    return languages.isEmpty ? nil : languages
  }

  /// Returns the language with a name or alias, in any case; dashes match spaces.
  package func language(named name: some StringProtocol) -> Int? {
    if let language = names.values(name).first { return language }
    guard name.utf8.contains(UInt8(ascii: "-")) else { return nil }
    return names.values(String(decoding: name.utf8.map { $0 == 0x2D ? 0x20 : $0 }, as: UTF8.self)).first
  }

  /// Returns the name of a language as GitHub shows it.
  package func name(_ language: Int) -> String {
    let range = records[language].name
    return String(decoding: text[Int(range.lowerBound)..<Int(range.upperBound)], as: UTF8.self)
  }

  package var count: Int { records.count }

  private static func kind(_ letter: UInt8) -> Kind {
    switch letter {
    case UInt8(ascii: "p"): .programming
    case UInt8(ascii: "m"): .markup
    case UInt8(ascii: "d"): .data
    default: .prose
    }
  }

  private static func color(_ digits: ArraySlice<UInt8>) -> UInt32 {
    guard digits.count == 6 else { return noColor }
    return digits.reduce(0) { $0 << 4 | UInt32($1 < 0x3A ? $1 &- 0x30 : $1 &- 0x57) & 0xF }
  }
}

extension LanguageTable {
  /// The colour of a language by name or alias, of 24 bits with red in the highest byte; nil if it is unknown or
  /// has no colour.
  package static func color(of name: String) -> Int? {
    guard let index = shared.language(named: name), shared.records[index].color != noColor else { return nil }
    return Int(shared.records[index].color)
  }

  /// The name of the language that a name or alias means, ignoring case; nil if there is none.
  package func languageName(_ name: String) -> String? {
    language(named: name).map { self.name($0) }
  }

  /// The names of all languages.
  package var languageNames: [String] { records.indices.map { name($0) } }
}
