public import ForageFoundation
package import ForagePlatform

/// An entity that a provider found.
///
/// An unknown field is absent; it is never empty or a placeholder such as -1.
public struct SearchResult: Hashable, Sendable {
  /// The canonical id: for a repository `host/owner/name`, as ``EntityReference/id`` has it, for a clone
  /// without a forge its path, for any other thing a text that no other thing has, for example
  /// `index:parser`.
  ///
  /// Items with one id are one entity. The host is the one that users write, with its port and path unless
  /// they are the usual ones; on public forges, which ignore it, owner and name are in lower case.
  public var id: String
  /// The forge and the entity's id there, if that survives renames: `github.com:1234`.
  public var forgeID: String?
  /// Why there is nothing to clone of a repository, as its forge says, for example `is empty`; `nil` where
  /// there is.
  package var obstacle: String?
  /// The kind of entity.
  public var kind: ResultKind
  /// The display name; for a repository `owner/name`.
  public var title: String
  /// The address of the entity's web page.
  public var url: String?
  /// Its properties.
  public var fields: [ResultField: FieldValue]
  /// Entities that it refers to, for example the repository that it mirrors or the repository of a package.
  public var related: [RelatedEntity]
  /// When the data was observed, if that is earlier than the answer: for a clone, when its folder was
  /// scanned.
  public var observedAt: Date?
  /// When the page that contains it was read, until it is merged.
  var readAt: Date?
  /// The definitions of those fields that only its providers have; set by the search.
  package var definitions: [FieldDefinition] = []

  /// Creates a result.
  public init(
    id: String, forgeID: String? = nil, kind: ResultKind, title: String, url: String? = nil,
    fields: [ResultField: FieldValue] = [:], related: [RelatedEntity] = [],
    observedAt: Date? = nil
  ) {
    self.id = id
    self.forgeID = forgeID
    self.kind = kind
    self.title = title
    self.url = url
    self.fields = fields
    self.related = related
    self.observedAt = observedAt
  }

  /// The value of a field.
  public subscript(field: ResultField) -> FieldValue? {
    get { fields[field] }
    set { fields[field] = newValue }
  }

  /// Sets a text field, unless the text is `nil` or empty.
  public mutating func set(_ field: ResultField, _ text: String?) {
    if let text, !text.isEmpty { fields[field] = .text(text) }
  }

  /// Sets a number field, unless the number is `nil`.
  public mutating func set(_ field: ResultField, _ number: Int?) {
    if let number { fields[field] = .number(number) }
  }

  /// Sets a flag field, unless the flag is `nil`.
  public mutating func set(_ field: ResultField, _ flag: Bool?) {
    if let flag { fields[field] = .flag(flag) }
  }

  /// Sets a date field, unless the date is `nil`.
  public mutating func set(_ field: ResultField, _ date: Date?) {
    if let date { fields[field] = .date(date) }
  }

  /// Sets a list field, unless the list is `nil`, which is unknown; an empty one is known to have nothing.
  public mutating func set(_ field: ResultField, _ list: [String]?) {
    if let list { fields[field] = .list(list) }
  }

  /// The names of the fields in output order.
  package var orderedFields: [ResultField] {
    typealias Placed = (place: Int, field: ResultField)
    let placed = fields.keys.map { field -> Placed in (ResultField.positions[field] ?? .max, field) }
    let ordered = placed.sorted { (a: Placed, b: Placed) -> Bool in
      a.place != b.place ? a.place < b.place : a.field.rawValue < b.field.rawValue
    }
    return ordered.map(\.field)
  }
}

extension SearchResult {
  /// Derives the canonical id of an entity from its address and its id at the provider.
  ///
  /// A repository is identified by its address, so that it is the same entity for every provider. Any other
  /// entity, and a repository whose address names none, is identified by the provider and its id there.
  ///
  /// - Parameters:
  ///   - kind: The kind of the entity.
  ///   - url: The address of its web page.
  ///   - provider: The provider's id.
  ///   - ownID: The entity's id at the provider.
  public static func id(_ kind: ResultKind, at url: String?, provider: String, ownID: String) -> String {
    if kind == .repo, let name = url.flatMap(RepositoryIdentity.repository) { return name }
    if [.issue, .commit, .notification].contains(kind), let url,
      let entity = EntityReference(url, defaultHost: ""),
      entity.kind == (kind == .notification ? .issue : kind)
    {
      return entity.id
    }
    return provider + ":" + ownID
  }
}

/// The kind of a result. Providers can add their own kinds.
public struct ResultKind: RawRepresentable, Hashable, Sendable, ExpressibleByStringLiteral {
  /// The name in lower case.
  public let rawValue: String

  /// Creates a kind.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// Creates a kind from a literal.
  public init(stringLiteral value: String) { rawValue = value }

  /// A repository.
  public static let repo: ResultKind = "repo"
  /// A match in a file.
  public static let code: ResultKind = "code"
  /// An issue or a pull request.
  public static let issue: ResultKind = "issue"
  /// A commit.
  public static let commit: ResultKind = "commit"
  /// A user or organisation account.
  public static let user: ResultKind = "user"
  /// A topic label of repositories.
  public static let topic: ResultKind = "topic"
  /// A story of a news site.
  public static let story: ResultKind = "story"
  /// A question of a question-and-answer site.
  public static let question: ResultKind = "question"
  /// A package of a registry or a distribution.
  public static let package: ResultKind = "package"

  /// News of a thread that an account follows.
  public static let notification: ResultKind = "notification"

  /// The kinds above, in their order for people.
  package static let known: [ResultKind] = [
    .repo, .code, .issue, .commit, .user, .topic, .story, .question, .package, .notification,
  ]

  /// Whether results are part of a repository, which their field `repository` names.
  package var belongsToRepository: Bool { Self.ofRepositories.contains(self) }

  private static let ofRepositories: Set<ResultKind> = [.code, .issue, .commit, .notification]
}

extension SearchResult {
  /// The number of bytes of a result besides its texts and fields.
  private static let overhead = 160
  /// The length in bytes up to which the name of a field takes no memory of its own.
  private static let shortName = 15

  /// About the number of bytes that the result takes in memory.
  var size: Int {
    var size = Self.overhead + id.utf8.count + title.utf8.count + (url?.utf8.count ?? 0)
    for (field, value) in fields {
      let length = field.rawValue.utf8.count
      // The name of a field occurs again in the record of its providers.
      size += value.size + (length > Self.shortName ? 2 * length : 0)
    }
    for entity in related { size += FieldValue.overhead + entity.id.utf8.count }
    return size
  }
}

extension FieldValue {
  /// The number of bytes of a value besides its text.
  fileprivate static let overhead = 64

  fileprivate var size: Int {
    switch self {
    case .text(let text): Self.overhead + text.utf8.count
    case .number, .fraction, .flag, .date: Self.overhead
    case .list(let texts): texts.reduce(Self.overhead) { $0 + Self.overhead + $1.utf8.count }
    case .items(let values): values.reduce(Self.overhead) { $0 + $1.size }
    case .record(let members): members.reduce(Self.overhead) { $0 + $1.key.utf8.count + $1.value.size }
    }
  }
}

extension SearchResult {
  /// The number of the first line in which something was found in a file; `nil` if it is unknown.
  package var firstLine: LineNumber? {
    self[.matches]?.elements.first?["line"]?.lineNumber ?? self["line"]?.lineNumber ?? firstLineOfFragments
  }

  /// The line of the first match in the fragments that a service sends, where they have numbers.
  private var firstLineOfFragments: LineNumber? {
    for fragment in self[.fragments]?.elements ?? [] {
      guard let first = fragment["line"]?.lineNumber, let text = fragment["text"]?.text,
        let place = fragment["matches"]?.ranges.first?.lowerBound
      else { continue }
      return first + text.unicodeScalars.prefix(place).count { $0 == "\n" }
    }
    return nil
  }

  /// The address of the web page, of a file at the first line in which something was found.
  package var pageAddress: String? {
    guard kind == .code, let url, !url.contains("#"), let firstLine else { return url }
    if url.hasPrefix("https://bitbucket.org/") { return "\(url)#lines-\(firstLine)" }
    let pages = ["/blob/", "/src/commit/", "/src/branch/"]
    return pages.contains(where: url.contains) ? "\(url)#L\(firstLine)" : url
  }

  /// The file on this disk in which something was found; `nil` for other kinds, and for a name that is not
  /// UTF-8.
  package var fileLocation: FileLocation? {
    guard kind == .code, let path = self[.file]?.text, path.hasPrefix("/") else { return nil }
    return FileLocation(path: path, line: firstLine, column: firstColumn)
  }

  /// The byte from 1 at which the first match begins in its line; `nil` if it is unknown.
  package var firstColumn: LineNumber? {
    self[.matches]?.elements.first?["column"]?.lineNumber ?? self["column"]?.lineNumber
  }

  /// The file on this disk that is opened in place of a page: there is none, or it shows another commit;
  /// `nil` where a page is opened.
  package var fileToOpen: FileLocation? {
    let isOfCommit = self[.commit]?.text.map { url?.contains("/blob/\($0)/") == true } ?? false
    return isOfCommit ? nil : fileLocation
  }
}

/// A line of a file on this disk.
package struct FileLocation: Hashable, Sendable {
  /// The absolute path.
  package var path: String
  /// Its number from 1; `nil` if it is unknown.
  package var line: LineNumber?
  /// The byte from 1 at which the match begins in the line; `nil` if it is unknown.
  package var column: LineNumber?

  package init(path: String, line: LineNumber? = nil, column: LineNumber? = nil) {
    (self.path, self.line, self.column) = (path, line, column)
  }

  /// The path, and the line behind a colon.
  package var text: String { path + (line.map { ":\($0)" } ?? "") }
}

extension SearchResult {
  /// The bytes of one kB of `sizeKB`, as GitHub counts them.
  private static let bytesOfKB = 1024

  /// The size of a repository in bytes, from `sizeKB`; set, it is rounded up so that a small repository is
  /// not empty.
  package var sizeBytes: Int? {
    get { (self[.sizeKB]?.count).map { ($0 * Self.bytesOfKB).value } }
    set {
      set(.sizeKB, newValue.map { $0 / Self.bytesOfKB + ($0 % Self.bytesOfKB > 0 ? 1 : 0) })
    }
  }
}
