/// The type of a qualifier's value: that of a field, and the words that it can be.
public struct QualifierType: Hashable, Sendable {
  /// `text`, `number`, `date` or `flag`.
  public let value: FieldType
  /// The known words, in lower case; empty for values of any kind.
  public let words: [String]
  /// Whether only these words are accepted.
  public let isChoice: Bool

  private init(_ value: FieldType, words: [String], isChoice: Bool) {
    (self.value, self.words, self.isChoice) = (value, words, isChoice)
  }

  /// The type of a qualifier that reads a field of a type.
  package init(_ type: FieldType?) {
    switch type {
    case .fraction: self.init(.number, words: [], isChoice: false)
    case .list, nil: self.init(.text, words: [], isChoice: false)
    case let type?: self.init(type, words: [], isChoice: false)
    }
  }

  /// Any text.
  public static let text = QualifierType(.text)
  /// A whole number or a range.
  public static let number = QualifierType(.number)
  /// An ISO 8601 date, a time, or a range.
  public static let date = QualifierType(.date)
  /// `true` or `false`.
  public static let flag = QualifierType(.flag)
  /// The same as ``flag``.
  public static let boolean = flag
  /// One of a closed list of words, in lower case.
  public static func choice(_ words: [String]) -> QualifierType {
    QualifierType(.text, words: words, isChoice: true)
  }
  /// Any text. A word outside this lower-case list is passed on with a warning.
  public static func words(_ words: [String]) -> QualifierType {
    QualifierType(.text, words: words, isChoice: false)
  }

  var isOpen: Bool { value == .text && !isChoice }
}

/// A qualifier that the query language knows.
public struct QualifierDefinition: Hashable, Sendable {
  /// The name in lower case.
  public var name: String
  /// The type of its value.
  public var type: QualifierType
  /// The result field that the qualifier reads; `nil` when no result has such a field.
  public var field: ResultField?
  /// The kinds of results that the qualifier applies to; empty means all.
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

extension QualifierDefinition {
  /// A qualifier of which only the name is known: it reads the field of that name, or of its plural if that
  /// is a list, and has the type of that field.
  package init(ofField name: String, kinds: [ResultKind]) {
    let isElement = FieldType.known[name] == nil && FieldType.known[name + "s"] == .list
    let field = isElement ? name + "s" : name
    self.init(name, QualifierType(FieldType.known[field]), field: ResultField(rawValue: field), kinds: kinds)
  }
}

/// The qualifiers that a query may use: the common ones and those that the chosen providers declare.
///
/// A name can mean different things for different kinds of results. A definition for specific kinds takes
/// precedence over a definition for all kinds.
public struct QualifierVocabulary: Sendable {
  /// The definitions for all kinds, by name.
  private let general: [String: QualifierDefinition]
  /// The definitions for specific kinds; the first match wins.
  private let special: [QualifierDefinition]
  /// The kind that the vocabulary is restricted to, if any.
  private let kind: ResultKind?
  /// The definitions for that kind.
  private let narrowed: [QualifierDefinition]

  /// Creates a vocabulary. If two definitions have the same name and kinds, the later one wins.
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

  /// Returns the vocabulary with further definitions, which do not replace existing ones.
  package func adding(_ further: [QualifierDefinition]) -> QualifierVocabulary {
    guard !further.isEmpty else { return self }
    var general = general
    for definition in further where definition.kinds.isEmpty && general[definition.name] == nil {
      general[definition.name] = definition
    }
    return QualifierVocabulary(
      general: general, special: special + further.filter { !$0.kinds.isEmpty }, kind: kind)
  }

  /// Returns the vocabulary restricted to the definitions that apply to one kind.
  package func of(_ kind: ResultKind) -> QualifierVocabulary {
    QualifierVocabulary(general: general, special: special, kind: kind)
  }

  /// The definition of a name, ignoring case, for the kind that the vocabulary is restricted to. `props.NAME`
  /// matches every custom property.
  package subscript(name: some StringProtocol) -> QualifierDefinition? {
    let key = name.lowercased()
    guard let kind else { return known(key) ?? special.first { $0.name == key } }
    return definition(of: key, for: kind)
  }

  /// The definition of a lower-case name for a kind.
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

  /// The definition of a lower-case name for all kinds.
  private func known(_ key: String) -> QualifierDefinition? {
    if let definition = general[key] { return definition }
    return key.hasPrefix("props.") && key.count > 6 ? QualifierDefinition(key, .text) : nil
  }

  /// All definitions of a name, ignoring case; the one for all kinds comes first.
  func definitions(of name: some StringProtocol) -> [QualifierDefinition] {
    let key = name.lowercased()
    return (known(key).map { [$0] } ?? []) + special.filter { $0.name == key }
  }

  /// The kinds that have a definition of their own for a name, without duplicates.
  func kinds(of name: String) -> [ResultKind] {
    var kinds: [ResultKind] = []
    for definition in special where definition.name == name {
      kinds += definition.kinds.filter { !kinds.contains($0) }
    }
    return kinds
  }

  /// Whether a qualifier's value applies to the kind that the vocabulary is restricted to. For example,
  /// `is:open` does not apply to a repository.
  package func takes(_ qualifier: Qualifier) -> Bool {
    guard let type = self[qualifier.name]?.type, type != .text else { return true }
    switch (type.value, qualifier.value) {
    case (.number, .number), (.date, .date), (.flag, .boolean): return true
    case (.text, .text(let text)):
      let word = text.lowercased()
      if type.isChoice || type.words.contains(word) { return type.words.contains(word) }
      // An unknown word may be newer than this list: the provider decides.
      return !special.contains { $0.name == qualifier.name && $0.type.words.contains(word) }
    default: return false
    }
  }

  /// All names, sorted.
  package var names: [String] { Set(general.keys).union(special.map(\.name)).sorted() }

  /// The kinds of results that belong to a repository; notifications are listed and not searched.
  private static let belonging = ResultKind.known.filter { $0.belongsToRepository && $0 != .notification }

  /// The qualifiers of repositories as GitHub names them, the names of the everyday flags, and qualifiers
  /// that issues, stories and questions of many services share, and those of code search.
  ///
  /// | value | qualifiers |
  /// | --- | --- |
  /// | text | `repo` `user` `org` `owner` `name` `path` `language` `license` `topic` `author` `label` `is` `has` `in` |
  /// | number or range | `topics` `stars` `forks` `size` (KiB) `comments` `followers` `good-first-issues` `help-wanted-issues` |
  /// | date or range | `created` `updated` `pushed` |
  /// | `true` or `false` | `archived` `mirror` `template` |
  /// | a word | `fork`, `state` (`open`, `closed`), of code `case` (`yes`, `no`, `smart`) |
  /// | text, of code | `symbol` `content` |
  ///
  /// `fork:true` means forks and others, `fork:only` forks alone, `fork:false` no forks.
  ///
  /// Source: GitHub's documentation "Searching for repositories" and "Searching issues and pull requests";
  /// `owner`, `updated`, `name`, `path` and `case` are Forage's own.
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
    QualifierDefinition("archived", .flag, field: .archived),
    QualifierDefinition("mirror", .flag, field: .mirror),
    QualifierDefinition("template", .flag, field: .template),
    QualifierDefinition("fork", .choice(["true", "false", "only"]), field: .fork),
    QualifierDefinition("is", .text),
    QualifierDefinition("has", .text),
    QualifierDefinition("in", .text),
    QualifierDefinition("author", .text, field: .author),
    QualifierDefinition("label", .text, field: .labels),
    QualifierDefinition("comments", .number, field: .comments),
    QualifierDefinition("state", .choice(["open", "closed"]), field: .state),
    // What belongs to a repository has its owner and its name there.
    QualifierDefinition("repo", .text, field: .repository, kinds: belonging),
    QualifierDefinition("user", .text, field: .repository, kinds: belonging),
    QualifierDefinition("org", .text, field: .repository, kinds: belonging),
    QualifierDefinition("owner", .text, field: .repository, kinds: belonging),
    QualifierDefinition("symbol", .text, kinds: [.code]),
    QualifierDefinition("symbol-kind", .choice(SymbolKind.allCases.map(\.rawValue)), kinds: [.code]),
    QualifierDefinition("uses", .text, kinds: [.code]),
    QualifierDefinition("content", .text, kinds: [.code]),
    QualifierDefinition("case", .choice(["yes", "no", "smart"]), kinds: [.code]),
  ])
}
