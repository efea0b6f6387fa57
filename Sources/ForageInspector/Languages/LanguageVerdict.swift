/// The classification of a file.
package struct LanguageVerdict: Sendable, Hashable {
  /// The language, as an index of ``LanguageTable/shared``.
  package let language: UInt16
  /// Reasons why the file may not be the project's own work.
  package let traits: FileTraits
  /// Whether the file counts in the language statistics.
  package let counts: Bool

  /// Whether the file's lines count: those of every text of the project itself, also of data and prose.
  var hasLines: Bool { traits.isDisjoint(with: [.vendored, .generated]) }

  /// The language's own name.
  package var languageName: String { LanguageTable.shared.name(Int(language)) }

  /// The name under which the file's bytes are counted: the language's group, or else the language.
  package var name: String { LanguageTable.shared.name(group) }

  /// The language under which the file's bytes are counted, as an index of ``LanguageTable/shared``.
  package var group: Int { Int(LanguageTable.shared.records[Int(language)].group) }
}
