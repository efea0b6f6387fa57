extension LanguageTable {
  /// The properties of a language.
  package struct Language: Sendable, Equatable {
    /// The name as GitHub shows it.
    package let name: String
    package let kind: Kind
    /// The name under which its bytes are counted: its group's, or else its own.
    package let group: String
    /// The colour that GitHub shows, 24 bits of red, green and blue; nil if it has none.
    package let color: Int?
  }

  /// Returns the properties of the language at an index.
  package func language(_ index: Int) -> Language {
    let record = records[index]
    return Language(
      name: name(index), kind: record.kind, group: name(Int(record.group)),
      color: record.color == Self.noColor ? nil : Int(record.color))
  }

  /// Returns the colour of a language by name or alias, each component 0 to 255; nil if it is unknown or has
  /// no colour.
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
