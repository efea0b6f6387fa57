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
  /// One of a closed list of words, in lower case.
  case choice([String])
  /// Any text, of which these words in lower case are known: an unknown one is passed on with a warning.
  case words([String])

  /// Whether it takes any text at all.
  var isOpen: Bool {
    switch self {
    case .text, .words: true
    case .number, .date, .boolean, .choice: false
    }
  }

  /// The words that it knows.
  var knownWords: [String] {
    switch self {
    case .choice(let words), .words(let words): words
    case .text, .number, .date, .boolean: []
    }
  }
}

/// A qualifier that the query language knows.
public struct QualifierDefinition: Hashable, Sendable {
  /// The name in lower case.
  public var name: String
  /// The type of its value.
  public var type: QualifierType
  /// The result field that the qualifier reads, `nil` where no result carries what it asks for.
  public var field: ResultField?
  /// The kinds of results that it is for, empty for every kind.
  public var kinds: [ResultKind]

  /// Creates a definition.
  public init(
    _ name: String, _ type: QualifierType, field: ResultField? = nil, kinds: [ResultKind] = []
  ) {
    self.name = name
    self.type = type
    self.field = field
    self.kinds = kinds
  }
}

/// The qualifiers that a query may use: the common ones and those that the chosen providers declare.
///
/// One name can mean different things for different kinds of results: a definition for certain kinds goes before one for every kind.
public struct QualifierVocabulary: Sendable {
  /// The definitions for every kind.
  private let general: [String: QualifierDefinition]
  /// The definitions for certain kinds; the first of several wins.
  private let special: [QualifierDefinition]
  /// The kind that the vocabulary is narrowed to, `nil` for none.
  private let kind: ResultKind?
  /// What is special for that kind.
  private let narrowed: [QualifierDefinition]

  /// Creates a vocabulary; of two definitions with one name for the same kinds the later wins.
  public init(_ definitions: [QualifierDefinition]) {
    self.init(
      general: Dictionary(
        definitions.lazy.filter(\.kinds.isEmpty).map { ($0.name, $0) },
        uniquingKeysWith: { _, later in later }),
      special: definitions.reversed().filter { !$0.kinds.isEmpty })
  }

  private init(
    general: [String: QualifierDefinition], special: [QualifierDefinition], kind: ResultKind? = nil
  ) {
    self.general = general
    self.special = special
    self.kind = kind
    narrowed = kind.map { kind in special.filter { $0.kinds.contains(kind) } } ?? []
  }

  /// The vocabulary with further definitions, which do not replace those that are there.
  public func adding(_ further: [QualifierDefinition]) -> QualifierVocabulary {
    guard !further.isEmpty else { return self }
    var general = general
    for definition in further where definition.kinds.isEmpty && general[definition.name] == nil {
      general[definition.name] = definition
    }
    return QualifierVocabulary(
      general: general, special: special + further.filter { !$0.kinds.isEmpty }, kind: kind)
  }

  /// The vocabulary in which a name means what it means for one kind.
  public func of(_ kind: ResultKind) -> QualifierVocabulary {
    QualifierVocabulary(general: general, special: special, kind: kind)
  }

  /// The definition of a name in any letter case, for the kind that the vocabulary is narrowed to; `props.NAME` stands for every custom
  /// property.
  public subscript(name: some StringProtocol) -> QualifierDefinition? {
    let key = name.lowercased()
    guard let kind else { return known(key) ?? special.first { $0.name == key } }
    return definition(of: key, for: kind)
  }

  /// The definition that a name in lower case has for a kind.
  func definition(of name: String, for kind: ResultKind) -> QualifierDefinition? {
    if kind == self.kind {
      for definition in narrowed where definition.name == name { return definition }
    } else {
      for definition in special where definition.name == name && definition.kinds.contains(kind) {
        return definition
      }
    }
    return known(name)
  }

  /// The definition for every kind.
  private func known(_ key: String) -> QualifierDefinition? {
    if let definition = general[key] { return definition }
    return key.hasPrefix("props.") && key.count > 6 ? QualifierDefinition(key, .text) : nil
  }

  /// All definitions of a name in any letter case, the one for every kind first.
  func definitions(of name: some StringProtocol) -> [QualifierDefinition] {
    let key = name.lowercased()
    return (known(key).map { [$0] } ?? []) + special.filter { $0.name == key }
  }

  /// The kinds for which a name is defined without being for every kind, each once.
  func kinds(of name: String) -> [ResultKind] {
    var kinds: [ResultKind] = []
    for definition in special where definition.name == name {
      kinds += definition.kinds.filter { !kinds.contains($0) }
    }
    return kinds
  }

  /// Whether a qualifier's value has a meaning for the kind that the vocabulary is narrowed to: `is:open` has none for a repository.
  func takes(_ qualifier: Qualifier) -> Bool {
    switch (self[qualifier.name]?.type, qualifier.value) {
    case (nil, _), (.text, _), (.number, .number), (.date, .date), (.boolean, .boolean): return true
    case (.choice(let words), .text(let word)): return words.contains(word.lowercased())
    case (.words(let words), .text(let text)):
      let word = text.lowercased()
      // What nobody knows may be newer than this list, so it is left to the provider.
      return words.contains(word)
        || !special.contains { definition in
          definition.name == qualifier.name && definition.type.knownWords.contains(word)
        }
    default: return false
    }
  }

  /// Every name, sorted.
  public var names: [String] { Set(general.keys).union(special.map(\.name)).sorted() }

  /// The qualifiers of repositories, as GitHub names them, the names of the everyday flags, and what issues, stories and questions of many
  /// places have in common.
  ///
  /// Source: GitHub's documentation "Searching for repositories" and "Searching issues and pull requests"; `owner`, `updated`, `name` and
  /// `path` are ours.
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
    QualifierDefinition("author", .text, field: .author),
    QualifierDefinition("label", .text, field: .labels),
    QualifierDefinition("comments", .number, field: .comments),
    QualifierDefinition("state", .choice(["open", "closed"]), field: .state),
  ])
}
