import ForageGit

/// The `linguist-*` attributes of the repository's `.gitattributes` files.
struct LinguistAttributes: Sendable {
  /// The attributes of a path; nil where none is set.
  struct Values: Sendable, Equatable {
    var language: NamedLanguage?
    var isVendored: Bool?
    var isGenerated: Bool?
    var isDocumentation: Bool?
    var isDetectable: Bool?
  }

  /// The value of `linguist-language`.
  enum NamedLanguage: Sendable, Equatable {
    /// An index of ``LanguageTable/shared``.
    case known(UInt16)
    /// No known language; the file then has none.
    case unknown
  }

  /// The most attribute settings of all rules together, because each rule is tried on each file; the largest
  /// known repositories have some hundred.
  private static let settingLimit = 5_000
  /// The most matching steps for all files together (some seconds). A hundred rules on a million files need a
  /// tenth of that, but patterns can be made to be slow.
  private static let workLimit = 500_000_000

  /// Highest precedence first: inner directories before outer ones, later lines before earlier ones.
  private let rules: [AttributeLine]
  private let macros: [[AttributeLine.Setting]]
  /// Whether a limit excluded some rules.
  private(set) var isCut: Bool
  private var work = 0
  /// The rules for the current directory, as indices of `rules`.
  private var active: [Int] = []

  /// Parses the files; lines that set none of the attributes and invalid patterns are ignored.
  init(_ files: [GitAttributesFile]) {
    var names = AttributeNames()
    // Git allows macros in the root's file only; they may be used before the line that defines them.
    for file in files where file.directory.isEmpty { names.addMacros(file.text) }
    var byDepth: [(depth: Int, rules: [AttributeLine])] = []
    var rest = Self.settingLimit
    var isCut = names.isCut
    for file in files where rest >= 0 {
      let folders = file.directory.utf8.split(separator: UInt8(ascii: "/"))
      let directory = folders.flatMap { Array($0) + [UInt8(ascii: "/")] }
      var rules: [AttributeLine] = []
      for line in AttributeLine.lines(file.text) {
        guard let rule = AttributeLine(line, directory: directory, names) else { continue }
        rest -= rule.settings.count
        if rest < 0 {
          isCut = true
          break
        }
        rules.append(rule)
      }
      if !rules.isEmpty { byDepth.append((folders.count, rules)) }
    }
    // By depth and then in the given order; `sort` is not documented to be stable.
    let order = byDepth.indices.sorted { (byDepth[$0].depth, $0) < (byDepth[$1].depth, $1) }
    rules = order.flatMap { byDepth[$0].rules }.reversed()
    macros = names.macros
    self.isCut = isCut
  }

  /// Selects the rules for files in a directory, which is given with a trailing slash.
  mutating func enter(_ directory: UnsafeRawBufferPointer) {
    guard !rules.isEmpty else { return }
    active.removeAll(keepingCapacity: true)
    if work > Self.workLimit {
      isCut = true
      return
    }
    active += rules.indices.filter { directory.starts(with: rules[$0].directory) }
    work += rules.count
  }

  /// Returns the attributes of a path relative to the root, in the current directory.
  mutating func values(of path: UnsafeRawBufferPointer, nameStart: Int) -> Values? {
    guard !active.isEmpty else { return nil }
    if work > Self.workLimit {
      isCut = true
      return nil
    }
    var values = Values()
    var decided: UInt64 = 0
    for index in active {
      let rule = rules[index]
      guard rule.settings.contains(where: { decided & (1 << UInt64($0.attribute)) == 0 }) else { continue }
      let start = rule.directory.count
      let relative = path.from(start)
      work += rule.pattern.cost(0, relative)
      guard rule.pattern.matches(0, relative, nameStart: nameStart - start, isDirectory: false) else {
        continue
      }
      apply(rule.settings, &values, &decided)
    }
    return decided == 0 ? nil : values
  }

  /// Applies the settings that are not decided yet; the last setting of a line wins. A macro that is set
  /// applies its own settings; it is marked as decided first, so macros that refer to each other terminate.
  private func apply(
    _ settings: [AttributeLine.Setting], _ values: inout Values, _ decided: inout UInt64
  ) {
    for setting in settings.reversed() {
      let bit: UInt64 = 1 << UInt64(setting.attribute)
      guard decided & bit == 0 else { continue }
      decided |= bit
      let isSet = setting.flag
      switch setting.attribute {
      case AttributeNames.language: values.language = setting.language
      case AttributeNames.vendored: values.isVendored = isSet
      case AttributeNames.generated: values.isGenerated = isSet
      case AttributeNames.documentation: values.isDocumentation = isSet
      case AttributeNames.detectable: values.isDetectable = isSet
      default:
        let macro = setting.attribute - AttributeNames.firstMacro
        if setting.isPlainlySet, macros.indices.contains(macro) {
          apply(macros[macro], &values, &decided)
        }
      }
    }
  }
}
