/// Relates the entities of a list to each other.
///
/// - A relation that an entity contains (it mirrors, packages or links to another) is added on both sides if
///   the other is in the list.
/// - Two entities with a common root commit are related, unless their forge reports one of them as a fork: a
///   repository can have thousands of forks. A local clone does not show whether it is a fork, so it is
///   related but never merged. A pair that is already related, for example as mirror, gets no second
///   relation.
enum Relations {
  /// The maximum distance in the list between two entities with a common root commit, counted in such
  /// entities. It bounds the number of pairs.
  static let familyReach = 20

  /// Relates the entities of a list; nothing is done where none has relations or root commits.
  ///
  /// The time is proportional to the number of relations and common root commits, not to the number of pairs.
  ///
  /// - Parameter list: The entities with their own relations; the function is idempotent.
  static func resolve(_ list: inout [MergedItem]) {
    let roots = list.indices.map { list[$0].result.familyRoots }
    guard list.contains(where: { !$0.result.related.isEmpty }) || roots.contains(where: { $0 != nil }) else {
      return
    }
    var links = Links(list)
    for index in list.indices {
      for claim in list[index].result.related { links.claim(claim, by: index) }
    }
    links.addFamilies(roots)
    for index in list.indices where !links.related[index].isEmpty || !list[index].result.related.isEmpty {
      list[index].result.related = RelatedEntity.ordered(links.related[index])
    }
  }
}

private struct Links {
  let ids: [String]
  /// The indices in the list by name.
  private var places: [String: [Int]] = [:]
  /// The relations of each entity, unordered.
  private(set) var related: [[RelatedEntity]]

  init(_ list: [MergedItem]) {
    ids = list.map { $0.result.id }
    related = Array(repeating: [], count: list.count)
    for index in list.indices {
      places[ids[index], default: []].append(index)
      guard list[index].fieldObservations != nil else { continue }
      for alias in list[index].aliases { places[alias, default: []].append(index) }
    }
  }

  /// Adds a relation on both sides, with the shown ids.
  mutating func claim(_ claim: RelatedEntity, by index: Int) {
    guard let found = places[claim.id] else { return add(claim.id, claim.why, to: index) }
    for place in found {
      add(ids[place], claim.why, to: index)
      add(ids[index], claim.why, to: place)
    }
  }

  /// Relates entities with a common root commit.
  mutating func addFamilies(_ roots: [[String]?]) {
    guard roots.contains(where: { $0 != nil }) else { return }
    var families: [String: [Int]] = [:]
    var known = related.map { Set($0.map(\.id)) }
    for (place, roots) in roots.enumerated() {
      for root in roots ?? [] {
        for other in (families[root] ?? []).suffix(Relations.familyReach)
        where known[place].insert(ids[other]).inserted {
          add(ids[other], .sameHistory, to: place)
          known[other].insert(ids[place])
          add(ids[place], .sameHistory, to: other)
        }
        families[root, default: []].append(place)
      }
    }
  }

  private mutating func add(_ id: String, _ why: RelatedEntity.Reason, to place: Int) {
    if id != ids[place] { related[place].append(RelatedEntity(id: id, why: why)) }
  }
}

extension FederatedResult {
  /// Relates the entities of the list again, after the caller has added data to them.
  ///
  /// A search has already done so. `SearchResult.related` then names related entities on both sides.
  package mutating func relateItems() { Relations.resolve(&items) }
}

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
  /// Adds a relation to the repository at an address.
  ///
  /// The repository is identified by its canonical id, without a path inside it (`/tree/main/Sources`). The
  /// entity itself, existing relations, and relations of type `link` to hosts that are not known forges are
  /// ignored, since most of those lead to articles.
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
