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

  /// Relates the entities of a list.
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
