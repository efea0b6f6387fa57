/// A field of a provider's own: the type of its values, and how people see them.
///
/// A definition makes a field one like any other: it is a qualifier (`citations:>100`, checked by the search
/// unless the provider declares how it handles it; not a number with decimals), a line of `forage show`, and
/// a column of lists.
public struct FieldDefinition: Hashable, Sendable {
  /// The name in JSON, which is also that of the qualifier, there in lower case.
  public var name: ResultField
  /// The type of its values.
  public var type: FieldType
  /// The heading of its column; `nil` for the words of the name.
  public var title: String?
  /// The place of its column in lists, from 1. Without one numbers, times and flags are the last columns,
  /// where a terminal is wide enough, and texts have none.
  public var column: Int?
  /// The unit that stands behind a number, such as `km`; `nil` for none.
  public var unit: String?

  /// Creates a definition.
  ///
  /// - Parameters:
  ///   - name: The name in JSON, not that of a field of ``ResultField``.
  ///   - type: The type of its values.
  ///   - title: The heading of its column; `nil` for the words of the name.
  ///   - column: The place of its column, from 1; `nil` for the last ones.
  ///   - unit: What stands behind a number; `nil` for nothing.
  public init(
    _ name: ResultField, _ type: FieldType, title: String? = nil, column: Int? = nil, unit: String? = nil
  ) {
    (self.name, self.type, self.title, self.unit) = (name, type, title, unit)
    self.column = column.map { min(max(1, $0), Self.lastColumn) }
  }

  /// The last place that a column can be given: no list has so many.
  package static let lastColumn = 20
  /// Words that mean something else in queries and in items.
  private static let otherWords: Set = ["column", "line", "size", "sort"]

  /// Whether a name is that of a known field, of a member of items or of a common qualifier.
  package static func isTaken(_ name: String) -> Bool {
    let field = ResultField(rawValue: name)
    return !field.isOwn || field.isReserved(for: .repo) || otherWords.contains(name.lowercased())
      || QualifierVocabulary.common[name] != nil
  }

  /// The words of the name: `downloadCount` is "download count", `sizeKB` "size KB".
  package var words: String {
    var words: [String] = []
    var wasCapital = true
    for letter in name.rawValue.unicodeScalars {
      let isCapital = letter.properties.isUppercase
      if words.isEmpty || isCapital && !wasCapital { words.append("") }
      words[words.count - 1].unicodeScalars.append(letter)
      wasCapital = isCapital
    }
    return words.map { $0.count > 1 && $0 == $0.uppercased() ? $0 : $0.lowercased() }.joined(separator: " ")
  }
}

extension QualifierDefinition {
  /// The qualifier that reads a field.
  package init(_ field: FieldDefinition) {
    self.init(field.name.rawValue.lowercased(), QualifierType(field.type), field: field.name)
  }
}
