/// The `linguist-*` attributes of the repository's `.gitattributes` files.
struct LinguistAttributes: Sendable {
  /// What the attributes say of one path; nil where they say nothing.
  struct Values: Sendable, Equatable {
    var language: String?
    var isVendored: Bool?
    var isGenerated: Bool?
    var isDocumentation: Bool?
    var isDetectable: Bool?
  }

  private enum Name: Int, CaseIterable {
    case language, vendored, generated, documentation, detectable
  }

  private enum Setting: Sendable {
    case set, unset, unspecified
    case value(String)

    /// GitHub takes every value but `false` for true.
    var flag: Bool? {
      switch self {
      case .set: true
      case .unset: false
      case .unspecified: nil
      case .value(let text): text != "false"
      }
    }
  }

  private struct Rule: Sendable {
    /// The directory of the file with a slash at the end; empty for the root.
    let directory: [UInt8]
    let pattern: AttributePattern
    let settings: [(name: Name, setting: Setting)]
  }

  /// Weakest first: outer directories before inner ones, then the order of the lines.
  /// How many attributes are heeded in all rules together: each rule is tried on each file; the largest
  /// known repositories have some hundred.
  private static let settingLimit = 5_000

  private let rules: [Rule]
  /// Whether rules were left out because there are too many.
  let isCut: Bool

  /// Whether there is any rule.
  var isEmpty: Bool { rules.isEmpty }

  /// Parses the files; lines that set none of the attributes, macros and faulty patterns are ignored.
  init(_ files: [GitAttributesFile]) {
    var byDepth: [(depth: Int, rules: [Rule])] = []
    var rest = Self.settingLimit
    var isCut = false
    for file in files where !isCut {
      let names = file.directory.utf8.split(separator: UInt8(ascii: "/"))
      let directory = names.flatMap { Array($0) + [UInt8(ascii: "/")] }
      var rules: [Rule] = []
      for line in file.text.utf8.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }) {
        guard let rule = Self.rule(Array(line), directory: directory) else { continue }
        rest -= rule.settings.count
        isCut = rest < 0
        if isCut { break }
        rules.append(rule)
      }
      if !rules.isEmpty { byDepth.append((names.count, rules)) }
    }
    // Sorted by depth and, within one depth, as given: `sort` is not documented to be stable.
    let order = byDepth.indices.sorted { (byDepth[$0].depth, $0) < (byDepth[$1].depth, $1) }
    rules = order.flatMap { byDepth[$0].rules }
    self.isCut = isCut
  }

  /// What the attributes say of a path, relative to the root.
  func values(of path: [UInt8]) -> Values {
    var values = Values()
    var decided = 0
    let all = (1 << Name.allCases.count) - 1
    for rule in rules.reversed() where decided != all {
      guard path.count > rule.directory.count, path.starts(with: rule.directory) else { continue }
      let open = rule.settings.filter { decided & (1 << $0.name.rawValue) == 0 }
      guard !open.isEmpty, rule.pattern.matches(path[rule.directory.count...]) else { continue }
      // The last setting of an attribute on a line wins.
      for (name, setting) in open.reversed() where decided & (1 << name.rawValue) == 0 {
        decided |= 1 << name.rawValue
        switch name {
        case .language:
          if case .value(let text) = setting { values.language = text }
        case .vendored: values.isVendored = setting.flag
        case .generated: values.isGenerated = setting.flag
        case .documentation: values.isDocumentation = setting.flag
        case .detectable: values.isDetectable = setting.flag
        }
      }
    }
    return values
  }

  private static func rule(_ line: [UInt8], directory: [UInt8]) -> Rule? {
    let isBlank = { (byte: UInt8) in byte == 0x20 || byte == 0x09 }
    let line = line.drop(while: isBlank)
    guard let first = line.first, first != UInt8(ascii: "#"), !line.starts(with: "[attr]".utf8) else {
      return nil
    }
    let pattern: [UInt8]
    let rest: ArraySlice<UInt8>
    if first == UInt8(ascii: "\""), let quoted = unquote(line) {
      (pattern, rest) = quoted
    } else {
      pattern = Array(line.prefix { !isBlank($0) })
      rest = line.dropFirst(pattern.count)
    }
    let settings = rest.split(whereSeparator: isBlank).compactMap(setting)
    guard !settings.isEmpty, let parsed = AttributePattern(pattern) else { return nil }
    return Rule(directory: directory, pattern: parsed, settings: settings)
  }

  private static func setting(_ word: ArraySlice<UInt8>) -> (name: Name, setting: Setting)? {
    var word = word
    var setting = Setting.set
    if word.first == UInt8(ascii: "-") || word.first == UInt8(ascii: "!") {
      setting = word.removeFirst() == UInt8(ascii: "-") ? .unset : .unspecified
    } else if let equals = word.firstIndex(of: UInt8(ascii: "=")) {
      setting = .value(String(decoding: word[(equals + 1)...], as: UTF8.self))
      word = word[..<equals]
    }
    switch String(decoding: word, as: UTF8.self) {
    case "linguist-language": return (.language, setting)
    case "linguist-vendored": return (.vendored, setting)
    case "linguist-generated": return (.generated, setting)
    case "linguist-documentation": return (.documentation, setting)
    case "linguist-detectable": return (.detectable, setting)
    default: return nil
    }
  }

  /// Reads a pattern in double quotes with C escapes; nil if the closing quote is missing.
  private static func unquote(_ line: ArraySlice<UInt8>) -> (pattern: [UInt8], rest: ArraySlice<UInt8>)? {
    var pattern: [UInt8] = []
    var rest = line.dropFirst()
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "\"") { return (pattern, rest) }
      guard byte == UInt8(ascii: "\\") else {
        pattern.append(byte)
        continue
      }
      guard let escaped = rest.popFirst() else { return nil }
      switch escaped {
      case UInt8(ascii: "a"): pattern.append(0x07)
      case UInt8(ascii: "b"): pattern.append(0x08)
      case UInt8(ascii: "t"): pattern.append(0x09)
      case UInt8(ascii: "n"): pattern.append(0x0A)
      case UInt8(ascii: "v"): pattern.append(0x0B)
      case UInt8(ascii: "f"): pattern.append(0x0C)
      case UInt8(ascii: "r"): pattern.append(0x0D)
      case UInt8(ascii: "0")...UInt8(ascii: "3"):
        let digits = [escaped] + rest.prefix(2)
        guard digits.count == 3, digits.allSatisfy({ (0x30...0x37).contains($0) }) else { return nil }
        rest = rest.dropFirst(2)
        pattern.append(digits.reduce(0) { $0 &* 8 &+ ($1 - 0x30) })
      default: pattern.append(escaped)
      }
    }
    return nil
  }
}
