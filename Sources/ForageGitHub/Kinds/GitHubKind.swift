import ForageCore
import ForageFoundation
import ForageHTTP
import ForagePlatform

/// A kind of results of GitHub's search: its abilities, its endpoint, and the decoding of its items.
struct GitHubKind: Sendable {
  let kind: ResultKind
  /// The last path segment of its search endpoint.
  let path: String
  let abilities: Abilities
  /// Qualifiers whose meaning differs from, or adds to, the common ones.
  let vocabulary: [QualifierDefinition]
  /// Qualifiers that replace a required word; `nil` if no word is required.
  let wordsOr: [String]?
  /// Whether it has no qualifier `updated`, although it sorts by that time.
  let lacksUpdated: Bool
  /// Reads an item of a response; `nil` if it does not identify an entity.
  let item: Item
  /// The members that an item must have.
  private let required: [String]
  /// The media type to request.
  let accept: String

  /// Reads an item; the host is that of the server, for items that do not contain it.
  typealias Item = @Sendable (_ item: JSONTree, _ host: String) -> SearchResult?

  static let all: [GitHubKind] = [.repositories, .code, .issues, .commits, .users, .topics]

  /// Creates a kind: words, phrases and its qualifiers are applied exactly by the server, unless they are
  /// named here.
  ///
  /// - Parameters:
  ///   - common: The qualifiers with their common meaning.
  ///   - own: The qualifiers with a meaning of their own.
  ///   - accept: The media type to request.
  ///   - read: The fields that are read from members of an item.
  ///   - fields: The other fields.
  ///   - required: The members that an item must have.
  ///   - lacksUpdated: Whether it has no qualifier `updated`, although it sorts by that time.
  ///   - reachable: The most results of a query; `nil` where a search can be split by date, so that all can
  ///     be reached.
  ///   - item: Reads an item.
  init(
    _ kind: ResultKind, path: String, common: [String],
    own: [(name: String, type: QualifierType, field: ResultField?)], read members: [ResponseField],
    fields: Set<ResultField>, required: [String], sorts: [String], accept: String = GitHubClient.json,
    needsToken: Bool = false,
    wordsOr: [String]? = nil,
    lacksUpdated: Bool = false, reachable: Int? = nil, feed: Abilities.Feed? = nil, item: @escaping Item
  ) {
    self.kind = kind
    self.path = path
    self.wordsOr = wordsOr
    self.lacksUpdated = lacksUpdated
    let kinds = [kind]
    vocabulary = own.map { QualifierDefinition($0.name, $0.type, field: $0.field, kinds: kinds) }
    var pushes: [String: Pushdown] = [:]
    pushes.reserveCapacity(common.count + own.count)
    for name in common { pushes[name] = .exact }
    for definition in own { pushes[definition.name] = .exact }
    if lacksUpdated { pushes[GitHubQuery.updated] = .inexact }
    abilities = Abilities(
      fields: fields.union(members.map(\.field)), text: .exact, qualifiers: pushes, sorts: sorts,
      booleans: true,
      needsToken: needsToken, maximumPageSize: GitHubProvider.maximumPageSize, reachable: reachable,
      feed: feed)
    (self.item, self.required, self.accept) = (item, required, accept)
  }

  /// Reads an item; `nil` for one that cannot be read, which is reported.
  func read(_ tree: JSONTree, host: String, report: (String) -> Void) -> SearchResult? {
    if let result = item(tree, host) { return result }
    let missing = required.filter { name in
      if case .null? = tree[name] { true } else { tree[name] == nil }
    }
    let fault =
      !tree.isObject
      ? "that is no object"
      : missing.isEmpty
        ? "whose \(required.joined(separator: ", ")) do not name it"
        : "without \(missing.joined(separator: ", "))"
    report("sent a result \(fault), which is left out")
    return nil
  }
}

/// A field of a result, and the member of a response that it is read from.
struct ResponseField: Sendable {
  let field: ResultField
  /// The object that has the member; `nil` for the item itself.
  let parent: String?
  let member: String

  init(_ field: ResultField, _ member: String, of parent: String? = nil) {
    (self.field, self.parent, self.member) = (field, parent, member)
  }
}

extension SearchResult {
  mutating func read(_ fields: [ResponseField], from item: JSONTree) {
    for entry in fields {
      guard let object = entry.parent.map({ item[$0] }) ?? item else { continue }
      switch FieldType.known[entry.field.rawValue] {
      case .text: set(entry.field, object.text(entry.member))
      case .number: set(entry.field, object.count(entry.member))
      case .flag: set(entry.field, object.flag(entry.member))
      case .date: set(entry.field, object.date(entry.member))
      case .list: set(entry.field, object.texts(entry.member))
      case .fraction, nil: continue
      }
    }
  }
}

/// The repository that contains a file, an issue or a commit.
struct BelongingRepository {
  var id: String
  /// The id as GitHub spells it.
  var name: String
  var host: String

  /// The repository of a page in it.
  ///
  /// - Parameters:
  ///   - object: The repository object of the response, if there is one.
  ///   - page: The address of the page, which on GitHub begins with the repository's address.
  init?(_ object: JSONTree?, page: String) {
    let beginning = page.split(separator: "/", maxSplits: 5, omittingEmptySubsequences: false).prefix(5)
    let address = object?.text("html_url")
    guard
      let canonical = address.flatMap(RepositoryIdentity.canonical)
        ?? RepositoryIdentity.canonical(beginning.joined(separator: "/")),
      let parts = RepositoryIdentity.components(canonical)
    else { return nil }
    (id, host) = (canonical, parts.host)
    name = RepositoryIdentity.spelled(canonical, as: address ?? page)
  }

  /// The qualifiers that restrict a search to repositories or owners.
  static let qualifiers = ["repo", "user", "org", "owner"]
}

extension SearchResult {
  mutating func setPage(_ address: String) {
    if HTTPURL(address) != nil { url = address }
  }
}

/// Lenient reading of the members of an object: a missing member or one of another type is `nil`.
extension JSONTree {
  func text(_ name: String) -> String? { self[name]?.string }

  /// A text that is not empty.
  func words(_ name: String) -> String? { text(name).flatMap { $0.isEmpty ? nil : $0 } }

  /// A whole number, also if it is encoded as a string.
  func number(_ name: String) -> Int? { self[name].flatMap { $0.integer ?? $0.string.flatMap { Int($0) } } }

  /// A whole number that is not negative: -1 stands for an unknown one. Of one beyond 64 bits the largest.
  func count(_ name: String) -> Int? {
    self[name].flatMap { $0.count ?? $0.string.flatMap { Count($0) } }?.value
  }

  func flag(_ name: String) -> Bool? { self[name]?.bool }

  /// Parses GitHub's times: `2024-01-31T10:00:00Z`, `2024-01-31T10:00:00.000+02:00` or `2024-01-31`.
  /// Fractions of a second are dropped.
  func date(_ name: String) -> Date? { text(name).flatMap(DatePoint.instant) }

  /// A list of texts; `nil` if one of its elements is none.
  func texts(_ name: String) -> [String]? {
    guard let list = self[name]?.array else { return nil }
    let texts = list.compactMap(\.string)
    return texts.count == list.count ? texts : nil
  }

  /// The objects of a list, without other elements; empty if there is no list.
  func objects(_ name: String, upTo maximum: Int) -> [JSONTree] {
    (self[name]?.array ?? []).prefix(maximum).filter { $0.isObject }
  }

  /// What the elements of a list say, without those that say nothing; `nil` if there is no list, or all of it
  /// says nothing.
  func texts(_ name: String, upTo maximum: Int, _ read: (JSONTree) -> String?) -> [String]? {
    guard let list = self[name]?.array else { return nil }
    let texts = list.prefix(maximum).compactMap(read).filter { !$0.isEmpty }
    return texts.isEmpty && !list.isEmpty ? nil : texts
  }
}
