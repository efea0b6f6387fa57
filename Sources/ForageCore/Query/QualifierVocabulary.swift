/// What a qualifier's value may be.
public enum QualifierType: Hashable, Sendable {
  /// Any text.
  case text
  /// A whole number or a range.
  case number
  /// An ISO 8601 date, a time, or a range.
  case date
  /// `true` or `false`.
  case boolean
  /// One of a closed list of words.
  case choice([String])
}

/// A qualifier that the query language knows.
public struct QualifierDefinition: Hashable, Sendable {
  /// The name in lower case.
  public var name: String
  /// The type of its value.
  public var type: QualifierType
  /// The result field that the qualifier reads, `nil` where no result carries what it asks for.
  public var field: ResultField?

  /// Creates a definition.
  public init(_ name: String, _ type: QualifierType, field: ResultField? = nil) {
    self.name = name
    self.type = type
    self.field = field
  }
}

/// The qualifiers that a query may use: the common ones and those that the chosen providers declare.
public struct QualifierVocabulary: Sendable {
  private let definitions: [String: QualifierDefinition]

  /// Creates a vocabulary; of two definitions with one name the later wins.
  public init(_ definitions: [QualifierDefinition]) {
    self.definitions = Dictionary(definitions.map { ($0.name, $0) }, uniquingKeysWith: { _, later in later })
  }

  /// The vocabulary with further definitions, which do not replace those that are there.
  public func adding(_ further: [QualifierDefinition]) -> QualifierVocabulary {
    QualifierVocabulary(further + definitions.values)
  }

  /// The definition of a name in any letter case; `props.NAME` stands for every custom property.
  public subscript(name: some StringProtocol) -> QualifierDefinition? {
    let key = name.lowercased()
    if key.hasPrefix("props."), key.count > 6 { return QualifierDefinition(key, .text) }
    return definitions[key]
  }

  /// Every name, sorted.
  public var names: [String] { definitions.keys.sorted() }

  /// The qualifiers of repositories, as GitHub names them, and the names of the everyday flags.
  ///
  /// Source: GitHub's documentation "Searching for repositories"; `owner`, `updated`, `name` and `path` are ours.
  public static let common = QualifierVocabulary([
    QualifierDefinition("repo", .text, field: .fullName),
    QualifierDefinition("user", .text, field: .owner),
    QualifierDefinition("org", .text, field: .owner),
    QualifierDefinition("owner", .text, field: .owner),
    QualifierDefinition("name", .text, field: .name),
    QualifierDefinition("path", .text, field: .path),
    QualifierDefinition("language", .text, field: .language),
    QualifierDefinition("license", .text, field: .license),
    QualifierDefinition("topic", .text, field: .topics),
    QualifierDefinition("topics", .number, field: .topics),
    QualifierDefinition("stars", .number, field: .stars),
    QualifierDefinition("forks", .number, field: .forks),
    QualifierDefinition("size", .number, field: .sizeKB),
    QualifierDefinition("followers", .number),
    QualifierDefinition("good-first-issues", .number),
    QualifierDefinition("help-wanted-issues", .number),
    QualifierDefinition("created", .date, field: .createdAt),
    QualifierDefinition("updated", .date, field: .updatedAt),
    QualifierDefinition("pushed", .date, field: .pushedAt),
    QualifierDefinition("archived", .boolean, field: .archived),
    QualifierDefinition("mirror", .boolean, field: .mirror),
    QualifierDefinition("template", .boolean, field: .template),
    QualifierDefinition("fork", .choice(["true", "false", "only"]), field: .fork),
    QualifierDefinition("is", .text),
    QualifierDefinition("has", .text),
    QualifierDefinition("in", .text),
  ])
}
