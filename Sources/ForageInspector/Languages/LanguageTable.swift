/// The table of languages: kinds, groups, colours, file names, extensions, interpreters and aliases.
///
/// The table is text in the binary. It is indexed on first use, in some milliseconds, and costs nothing at
/// start-up.
package final class LanguageTable: Sendable {
  /// The kind of a language, as github-linguist has it.
  package enum Kind: UInt8, Sendable, Equatable {
    case programming, markup, data, prose

    /// Whether files of this kind count in the language statistics.
    package var counts: Bool { self == .programming || self == .markup }
  }

  /// The properties of a language.
  struct Record: Sendable {
    let name: String
    let kind: Kind
    /// The language under which its bytes are counted: its group, or else itself.
    var group: UInt16
    /// 24 bits of red, green and blue; nil if it has none.
    let color: Int?
  }

  /// The table that is compiled in.
  package static let shared = LanguageTable(facts)

  /// All languages, in the order of the facts; other members refer to them by index.
  let records: [Record]
  /// By name or alias, in lower case.
  private let names: [String: Int]
  private let filenames: [String: Int]
  /// By extension in lower case, with its dot.
  private let extensions: [String: [Int]]
  private let interpreters: [String: [Int]]

  /// Indexes the facts: languages, separated by semicolons or line feeds, each with tab-separated fields:
  /// name, kind (`p`rogramming, `m`arkup, `d`ata, `t`ext), group, colour (six hexadecimal digits), extensions
  /// (separated by spaces), file names (`|`), interpreters (spaces) and aliases (`|`). Trailing fields may be
  /// missing. Popular languages come first: of several that share an extension the first is the likeliest.
  ///
  /// The facts are from `lib/linguist/languages.yml` and `popular.yml` of github-linguist at
  /// b45dbe9b2825a43285bcd035861be91cc0a7299e (MIT license, copyright GitHub, Inc.).
  init(_ facts: StaticString) {
    var records: [Record] = []
    var groups: [String] = []
    var (names, aliases, filenames): ([String: Int], [String: Int], [String: Int]) = ([:], [:], [:])
    var (extensions, interpreters): ([String: [Int]], [String: [Int]]) = ([:], [:])
    let bytes = UnsafeBufferPointer(start: facts.utf8Start, count: facts.utf8CodeUnitCount)
    for record in bytes.split(whereSeparator: { $0 == UInt8(ascii: ";") || $0 == UInt8(ascii: "\n") }) {
      let fields = record.split(separator: UInt8(ascii: "\t"), omittingEmptySubsequences: false)
      let index = records.count
      func field(_ number: Int) -> String {
        number < fields.count ? String(decoding: fields[number], as: UTF8.self) : ""
      }
      func words(_ number: Int, by separator: Unicode.Scalar) -> [String] {
        number < fields.count
          ? fields[number].split(separator: UInt8(ascii: separator)).map {
            String(decoding: $0, as: UTF8.self)
          }
          : []
      }
      let name = field(0)
      records.append(
        Record(name: name, kind: Self.kind(field(1)), group: UInt16(index), color: Int(field(3), radix: 16)))
      groups.append(field(2))
      names[name.lowercased()] = index
      for word in words(4, by: " ") { extensions[word.lowercased(), default: []].append(index) }
      for word in words(5, by: "|") { filenames[word] = filenames[word] ?? index }
      for word in words(6, by: " ") { interpreters[word, default: []].append(index) }
      for word in words(7, by: "|") { aliases[word.lowercased()] = aliases[word.lowercased()] ?? index }
    }
    for (index, group) in groups.enumerated() where !group.isEmpty {
      if let language = names[group.lowercased()] { records[index].group = UInt16(language) }
    }
    // A name has precedence over another language's alias.
    self.names = names.merging(aliases) { name, _ in name }
    self.records = records
    self.filenames = filenames
    self.extensions = extensions
    self.interpreters = interpreters
  }

  /// Returns the language of files with exactly this name.
  func language(filename: String) -> Int? { filenames[filename] }

  /// Returns the languages that share an extension (with its dot, in any case), likeliest first.
  package func languages(extension suffix: some StringProtocol) -> [Int] {
    extensions[suffix.lowercased()] ?? []
  }

  /// Returns the languages that an interpreter runs, likeliest first.
  package func languages(interpreter: String) -> [Int] { interpreters[interpreter] ?? [] }

  /// Returns the language with a name or alias, in any case; dashes match spaces.
  package func language(named name: some StringProtocol) -> Int? {
    let name = name.lowercased()
    return names[name] ?? names[name.replacing("-", with: " ")]
  }

  /// Returns the name of a language as GitHub shows it.
  package func name(_ language: Int) -> String { records[language].name }

  package var count: Int { records.count }

  private static func kind(_ letter: String) -> Kind {
    switch letter {
    case "p": .programming
    case "m": .markup
    case "d": .data
    default: .prose
    }
  }
}

extension LanguageTable {
  /// The colour of a language by name or alias, of 24 bits with red in the highest byte; nil if it is unknown
  /// or has no colour.
  package static func color(of name: String) -> Int? {
    shared.language(named: name).flatMap { shared.records[$0].color }
  }

  /// The name of the language that a name or alias means, ignoring case; nil if there is none.
  package func languageName(_ name: String) -> String? {
    language(named: name).map { self.name($0) }
  }

  /// The names of all languages.
  package var languageNames: [String] { records.indices.map { name($0) } }
}
