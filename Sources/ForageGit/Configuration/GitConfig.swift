package struct ConfigEntry: Sendable, Hashable {
  /// `section.key` or `section.subsection.key`; section and key in lower case, the subsection as written.
  package let key: String
  /// The value; nil for a key without `=`, which means true.
  package let value: String?
}

/// The configuration of a repository: system, user, repository, work tree.
package struct GitConfig: Sendable, Hashable {
  /// All entries, lowest precedence first; the last value of a key applies.
  package let entries: [ConfigEntry]

  private let positions: [ExactText: [Int]]
  /// The distinct subsections by section, in order of appearance.
  private let sections: [String: [String]]

  package init(entries: [ConfigEntry]) {
    var (positions, sections): ([ExactText: [Int]], [String: [String]]) = ([:], [:])
    var seen: Set<ExactText> = []
    for (position, entry) in entries.enumerated() {
      positions[ExactText(entry.key), default: []].append(position)
      guard let (section, name) = Self.subsection(entry.key),
        seen.insert(ExactText(entry.key[..<name.endIndex])).inserted
      else { continue }
      sections[String(section), default: []].append(String(name))
    }
    (self.entries, self.positions, self.sections) = (entries, positions, sections)
  }

  package static func == (left: GitConfig, right: GitConfig) -> Bool { left.entries == right.entries }

  package func hash(into hasher: inout Hasher) { hasher.combine(entries) }

  /// Returns the value of a normalised key (section and key in lower case); nil if it is absent or has no
  /// `=`.
  package func string(_ key: String) -> String? { last(key)?.value }

  package func strings(_ key: String) -> [String] {
    (positions[ExactText(key)] ?? []).map { entries[$0].value ?? "" }
  }

  /// Returns a boolean; nil if the key is absent or the value is not a boolean.
  package func bool(_ key: String) -> Bool? {
    guard let entry = last(key) else { return nil }
    guard let value = entry.value else { return true }
    return Self.boolean(value)
  }

  /// Returns the distinct subsections of a section (a name without dots), in order of appearance.
  package func subsections(of section: String) -> [String] {
    sections[section] ?? []
  }

  /// Splits a key into section and subsection; nil if it has no subsection.
  private static func subsection(_ key: String) -> (section: Substring, name: Substring)? {
    let dot = UInt8(ascii: ".")
    guard let first = key.utf8.firstIndex(of: dot), let last = key.utf8.lastIndex(of: dot), first < last
    else { return nil }
    return (key[..<first], key[key.utf8.index(after: first)..<last])
  }

  private func last(_ key: String) -> ConfigEntry? { positions[ExactText(key)]?.last.map { entries[$0] } }

  /// Parses a boolean as git does.
  static func boolean(_ text: String) -> Bool? {
    switch text.lowercased() {
    case "true", "yes", "on": true
    case "false", "no", "off", "": false
    default: number(text).map { $0 != 0 }
    }
  }

  /// Parses a number as git does: decimal or hexadecimal, with an optional unit (1k is 1024).
  static func number(_ text: String) -> Int? {
    let factor: Int? =
      switch text.last {
      case "k", "K": 1 << 10
      case "m", "M": 1 << 20
      case "g", "G": 1 << 30
      default: nil
      }
    let digits = factor == nil ? text[...] : text.dropLast()
    let isHexadecimal = digits.hasPrefix("0x") || digits.hasPrefix("0X")
    guard let value = Int(isHexadecimal ? digits.dropFirst(2) : digits, radix: isHexadecimal ? 16 : 10) else {
      return nil
    }
    let (number, overflows) = value.multipliedReportingOverflow(by: factor ?? 1)
    return overflows ? nil : number
  }
}
