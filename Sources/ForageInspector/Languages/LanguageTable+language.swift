extension LanguageTable {
  /// One language, for those that show it.
  package struct Language: Sendable, Equatable {
    /// The name as GitHub shows it.
    package let name: String
    package let kind: Kind
    /// The name under which its bytes are counted: that of its group, or else its own.
    package let group: String
    /// The colour in which GitHub shows it, 24 bits of red, green and blue; nil where it has none.
    package let color: Int?
  }

  /// All that is told of a language.
  package func language(_ index: Int) -> Language {
    let record = records[index]
    return Language(
      name: name(index), kind: record.kind, group: name(Int(record.group)),
      color: record.color == Self.noColor ? nil : Int(record.color))
  }

  /// The colour of the language with this name or alias, red, green and blue from 0 to 255; nil if it is not
  /// known or has none.
  package static func color(of name: String) -> (red: UInt8, green: UInt8, blue: UInt8)? {
    guard let index = shared.language(named: name) else { return nil }
    let color = shared.records[index].color
    guard color != noColor else { return nil }
    return (
      UInt8(truncatingIfNeeded: color >> 16), UInt8(truncatingIfNeeded: color >> 8),
      UInt8(truncatingIfNeeded: color)
    )
  }
}
