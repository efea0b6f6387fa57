/// What is known of the programming languages: their kinds, groups, file names, extensions and interpreters.
///
/// The table is text in the binary and is parsed on first use, so that it costs nothing at start-up.
package struct LanguageTable: Sendable {
  /// What a language is for.
  package enum Kind: Sendable, Equatable {
    case programming, markup, data, prose

    /// Whether files of this kind count in the languages of a repository.
    package var counts: Bool { self == .programming || self == .markup }
  }

  /// One language.
  package struct Language: Sendable, Equatable {
    /// The name as GitHub shows it.
    package let name: String
    package let kind: Kind
    /// The name under which its bytes are counted: that of its group, or else its own.
    package let displayName: String
    /// Whether it wins a tie over languages that are not popular.
    package let isPopular: Bool
  }

  /// The table of this build.
  package static let shared = LanguageTable(facts: [facts1, facts2, facts3, facts4])

  /// Every language, in the order of the table; the other members refer to its indices.
  package let languages: [Language]
  /// Lowercase name (and the same with dashes for spaces) to index.
  private let byName: [String: Int]
  /// Exact file name to index.
  private let byFilename: [String: Int]
  /// Lowercase extension with its dot to indices, likeliest first: the popular, then by name.
  private let byExtension: [String: [Int]]
  private let filenameFilter: NameFilter
  private let extensionFilter: NameFilter
  /// Interpreter to indices, likeliest first.
  private let byInterpreter: [String: [Int]]

  /// Parses the facts: one language a line, its tab-separated fields being name, kind (`p`rogramming,
  /// `m`arkup,
  /// `d`ata, `t`ext), group, `1` if popular, extensions (spaces between), file names (`|` between) and
  /// interpreters (spaces between); fields at the end may be missing.
  ///
  /// The facts are read off github-linguist's `lib/linguist/languages.yml` and `popular.yml` at
  /// b45dbe9b2825a43285bcd035861be91cc0a7299e (MIT licence, copyright GitHub, Inc.).
  init(facts: [String]) {
    var languages: [Language] = []
    var byName: [String: Int] = [:]
    var byFilename: [String: Int] = [:]
    var byExtension: [String: [Int]] = [:]
    var byInterpreter: [String: [Int]] = [:]
    byExtension.reserveCapacity(2048)
    for part in facts {
      for line in part.utf8.split(separator: UInt8(ascii: "\n")) {
        let fields = line.split(separator: UInt8(ascii: "\t"), omittingEmptySubsequences: false)
        func field(_ number: Int) -> Substring.UTF8View? {
          number < fields.count && !fields[number].isEmpty ? fields[number] : nil
        }
        func words(_ number: Int, _ separator: Unicode.Scalar) -> [String] {
          (field(number)?.split(separator: UInt8(ascii: separator)) ?? []).map { String(Substring($0)) }
        }
        guard let name = field(0).map({ String(Substring($0)) }) else { continue }
        let index = languages.count
        languages.append(
          Language(
            name: name, kind: Self.kind(field(1)?.first),
            displayName: field(2).map { String(Substring($0)) } ?? name, isPopular: field(3) != nil))
        let lower = name.lowercased()
        byName[lower] = index
        if lower.utf8.contains(UInt8(ascii: " ")) {
          byName[String(lower.map { $0 == " " ? "-" : $0 })] = index
        }
        for word in words(4, " ") { byExtension[word.lowercased(), default: []].append(index) }
        for word in words(5, "|") where byFilename[word] == nil { byFilename[word] = index }
        for word in words(6, " ") { byInterpreter[word, default: []].append(index) }
      }
    }
    func likeliestFirst(_ indices: [Int]) -> [Int] {
      guard indices.count > 1 else { return indices }
      return indices.sorted { a, b in
        let (a, b) = (languages[a], languages[b])
        return a.isPopular == b.isPopular ? a.name < b.name : a.isPopular
      }
    }
    self.byExtension = byExtension.mapValues(likeliestFirst)
    self.byInterpreter = byInterpreter.mapValues(likeliestFirst)
    for (alias, name) in Self.aliases where byName[alias] == nil { byName[alias] = byName[name] }
    self.byName = byName
    filenameFilter = NameFilter(byFilename.keys)
    extensionFilter = NameFilter(byExtension.keys)
    self.byFilename = byFilename
    self.languages = languages
  }

  /// The language with this name or alias, whatever its case; spaces may be dashes.
  package func language(named name: some StringProtocol) -> Int? { byName[name.lowercased()] }

  /// The language that has files of exactly the name in this range of a path.
  func language(filename path: [UInt8], _ range: Range<Int>) -> Int? {
    guard filenameFilter.mayContain(path, range) else { return nil }
    return byFilename[String(decoding: path[range], as: UTF8.self)]
  }

  /// The languages that share the extension in this range of a path, whatever its case, likeliest first.
  func languages(extension path: [UInt8], _ range: Range<Int>) -> (suffix: String, languages: [Int])? {
    let lower = path[range].map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
    guard extensionFilter.mayContain(lower, 0..<lower.count) else { return nil }
    let suffix = String(decoding: lower, as: UTF8.self)
    return byExtension[suffix].map { (suffix, $0) }
  }

  /// The languages that share this lowercase extension (with its dot), likeliest first; nil if none has it.
  package func languages(extension suffix: String) -> [Int]? { byExtension[suffix] }

  /// The languages that this interpreter runs, likeliest first; nil if it is not known.
  package func languages(interpreter: String) -> [Int]? { byInterpreter[interpreter] }

  /// Every extension that several languages share; for tests of the rules that tell them apart.
  package var ambiguousExtensions: [String] { byExtension.filter { $0.value.count > 1 }.keys.sorted() }

  private static func kind(_ letter: UInt8?) -> Kind {
    switch letter {
    case UInt8(ascii: "p"): .programming
    case UInt8(ascii: "m"): .markup
    case UInt8(ascii: "d"): .data
    default: .prose
    }
  }
}
