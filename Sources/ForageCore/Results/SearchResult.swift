public import ForageFoundation

/// A related entity of a result.
public struct RelatedEntity: Hashable, Sendable {
  /// The canonical id of the other entity; for a repository `host/owner/name`.
  public var id: String
  /// The type of relation.
  public var why: Reason

  /// The type of relation between two entities. Providers can add their own types.
  public struct Reason: RawRepresentable, Hashable, Sendable, ExpressibleByStringLiteral {
    /// The name in JSON.
    public let rawValue: String

    /// Creates a reason.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Creates a reason from a literal.
    public init(stringLiteral value: String) { rawValue = value }

    /// One is a mirror of the other.
    public static let mirror: Reason = "mirror"
    /// Both have a root commit in common and are on different hosts.
    public static let sameHistory: Reason = "same history"
    /// One is the source repository of the other, for example of a package.
    public static let repository: Reason = "repository"
    /// One links to the other, for example a story to its subject.
    public static let link: Reason = "link"
  }

  /// Creates a relation.
  public init(id: String, why: Reason) {
    self.id = id
    self.why = why
  }
}

/// An entity that a provider found.
///
/// An unknown field is absent; it is never empty or a placeholder such as -1.
public struct SearchResult: Hashable, Sendable {
  /// The canonical id: for a repository `host/owner/name`, for a clone without a forge its path.
  public var id: String
  /// The forge and the entity's id there, if that survives renames: `github.com:1234`.
  public var forgeID: String?
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

  /// Sets a list field, unless the list is `nil` or empty.
  public mutating func set(_ field: ResultField, _ list: [String]?) {
    if let list, !list.isEmpty { fields[field] = .list(list) }
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
    return provider + ":" + ownID
  }
}

extension SearchResult {
  /// The number of the first line in which something was found in a file; `nil` if it is unknown.
  package var firstLine: Int? {
    self[.matches]?.elements.first?["line"]?.number ?? self["line"]?.number
  }

  /// The address of the web page, of a file at the first line in which something was found.
  package var pageAddress: String? {
    guard kind == .code, let url, url.contains("/blob/"), !url.contains("#"), let firstLine else {
      return url
    }
    return "\(url)#L\(firstLine)"
  }

  /// The file on this disk in which something was found; `nil` for other kinds, and for a name that is not UTF-8.
  package var filePlace: FilePlace? {
    guard kind == .code, let path = self[.file]?.text, path.hasPrefix("/") else { return nil }
    return FilePlace(path: path, line: firstLine)
  }

  /// The repository and path of a file, by which files of different providers are one entity whatever their
  /// revision, and those of the other places with the same content; empty for other kinds.
  var filePlaces: [String] {
    guard kind == .code else { return [] }
    let own = Self.place(fields[.repository], fields[.path])
    let others = fields[.places]?.elements.lazy.compactMap { Self.place($0["repository"], $0["path"]) }
    return (own.map { [$0] } ?? []) + (others.map(Array.init) ?? [])
  }

  private static func place(_ repository: FieldValue?, _ path: FieldValue?) -> String? {
    guard let repository = repository?.text, let path = path?.text else { return nil }
    return repository + ":" + path
  }

  /// The fields as they are at another place with the same content, which changes places with the own one; unchanged
  /// if `result` is at none of them.
  func fields(atPlaceOf result: SearchResult) -> [ResultField: FieldValue] {
    guard kind == .code, var places = fields[.places]?.elements,
      let wanted = Self.place(result.fields[.repository], result.fields[.path]),
      Self.place(fields[.repository], fields[.path]) != wanted,
      let index = places.firstIndex(where: { Self.place($0["repository"], $0["path"]) == wanted })
    else { return fields }
    var moved = fields
    var own: [String: FieldValue] = [:]
    for field in [ResultField.repository, .path, .ref, .commit, .file] {
      own[field.rawValue] = fields[field]
      moved[field] = places[index][field.rawValue]
    }
    places[index] = .record(own)
    moved[.places] = .items(places)
    return moved
  }
}

extension SearchResult {
  /// Adds a relation to the repository at an address.
  ///
  /// The repository is identified by its canonical id, without a path inside it (`/tree/main/Sources`). The
  /// entity itself, existing relations, and links to hosts that are not known forges are ignored, since most
  /// of those lead to articles.
  ///
  /// - Parameters:
  ///   - address: A clone or web address. `nil` and addresses that name no repository are ignored.
  ///   - why: The type of relation.
  public mutating func relate(to address: String?, _ why: RelatedEntity.Reason) {
    // The address must name its host.
    guard let address, let other = EntityReference(address, defaultHost: ""), !other.host.isEmpty,
      let repository = other.repositoryID, repository != id,
      why != .link || RepositoryIdentity.ignoresCase(other.host)
    else { return }
    let claim = RelatedEntity(id: repository, why: why)
    if !related.contains(claim) { related.append(claim) }
  }

  /// The root commits by which the entity is related to others; `nil` for a fork, which shares them with its
  /// whole network.
  var familyRoots: [String]? {
    guard let roots = fields[.rootCommits]?.texts, fields[.fork]?.flag != true else { return nil }
    return roots.isEmpty ? nil : roots
  }
}

extension RelatedEntity {
  /// Relations without duplicates, ordered by the bytes of the id, then of the reason.
  static func ordered(_ relations: [RelatedEntity]) -> [RelatedEntity] {
    guard relations.count > 1 else { return relations }
    return Set(relations).sorted { a, b in
      a.id == b.id
        ? a.why.rawValue.bytesPrecede(b.why.rawValue)
        : a.id.bytesPrecede(b.id)
    }
  }
}

extension SearchResult {
  /// The bytes of one kB of `sizeKB`, as GitHub counts them.
  private static let bytesOfKB = 1024

  /// The size of a repository in bytes, from `sizeKB`; set, it is rounded up so that a small repository is not empty.
  package var sizeBytes: Int? {
    get { self[.sizeKB]?.number.map { min($0, .max / Self.bytesOfKB) * Self.bytesOfKB } }
    set {
      set(.sizeKB, newValue.map { $0 / Self.bytesOfKB + ($0 % Self.bytesOfKB > 0 ? 1 : 0) })
    }
  }
}

/// A line of a file on this disk.
package struct FilePlace: Hashable, Sendable {
  /// The absolute path.
  package var path: String
  /// Its number from 1; `nil` if it is unknown.
  package var line: Int?

  package init(path: String, line: Int? = nil) { (self.path, self.line) = (path, line) }

  /// The path, and the line behind a colon.
  package var text: String { path + (line.map { ":\($0)" } ?? "") }
}
