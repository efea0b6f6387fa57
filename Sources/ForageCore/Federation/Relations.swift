/// Relates the entities of a page to each other and to those of earlier pages.
///
/// - A relation that an entity contains (it mirrors, packages or links to another) is added on both sides if
///   the other is on the page. An entity of an earlier page cannot be changed any more; the later one of a
///   pair always contains the relation, so the set of related pairs does not depend on the division into
///   pages.
/// - Two entities with a common root commit are related, unless their forge reports one of them as a fork: a
///   repository can have thousands of forks. A local clone does not show whether it is a fork, so it is
///   related but never merged. A pair that is already related, for example as mirror, gets no second
///   relation.
enum Relations {
  /// The maximum distance in the list between two entities with a common root commit, counted in such
  /// entities. It bounds the number of pairs.
  static let familyReach = 20

  /// Relates the entities of a page.
  ///
  /// The time is proportional to the number of relations and common root commits, not to the number of pairs.
  ///
  /// - Parameters:
  ///   - page: The entities with their own relations; the function is idempotent.
  ///   - earlier: The entities of earlier pages, in order.
  static func resolve(_ page: inout [MergedItem], earlier: [EntityName]) {
    let roots = page.indices.map { page[$0].result.familyRoots }
    guard
      page.contains(where: { !$0.result.related.isEmpty }) || roots.contains(where: { $0 != nil })
        || earlier.contains(where: { $0.related != nil })
    else { return }
    var links = Links(page)
    for name in earlier {
      for alias in name.aliases ?? [] { links.name(alias, name.id) }
      for claim in name.related ?? [] { links.relate(claim.id, of: name.id, claim.why) }
    }
    for index in page.indices {
      for claim in page[index].result.related { links.claim(claim, by: index) }
    }
    links.addFamilies(earlier, roots)
    for index in page.indices where !links.related[index].isEmpty || !page[index].result.related.isEmpty {
      page[index].result.related = RelatedEntity.ordered(links.related[index])
    }
  }
}

private struct Links {
  let ids: [String]
  /// The indices on the page by name.
  private var places: [String: [Int]] = [:]
  /// The shown ids of entities of earlier pages, by their other names.
  private var shown: [String: String] = [:]
  /// The relations of each entity of the page, unordered.
  private(set) var related: [[RelatedEntity]]

  init(_ page: [MergedItem]) {
    ids = page.map { $0.result.id }
    related = Array(repeating: [], count: page.count)
    for index in page.indices {
      places[ids[index], default: []].append(index)
      guard page[index].fieldObservations != nil else { continue }
      for alias in page[index].aliases { places[alias, default: []].append(index) }
    }
  }

  /// Records the shown id of an entity of an earlier page.
  mutating func name(_ alias: String, _ id: String) { shown[alias] = shown[alias] ?? id }

  /// Adds a relation to the entities of the page with a given name.
  mutating func relate(_ name: String, of id: String, _ why: RelatedEntity.Reason) {
    for place in places[name] ?? [] { add(id, why, to: place) }
  }

  /// Adds a relation on both sides, with the shown ids.
  mutating func claim(_ claim: RelatedEntity, by index: Int) {
    guard let found = places[claim.id] else { return add(shown[claim.id] ?? claim.id, claim.why, to: index) }
    for place in found {
      add(ids[place], claim.why, to: index)
      add(ids[index], claim.why, to: place)
    }
  }

  /// Relates entities with a common root commit.
  mutating func addFamilies(_ earlier: [EntityName], _ roots: [[String]?]) {
    guard roots.contains(where: { $0 != nil }) else { return }
    var families: [String: [(id: String, place: Int?)]] = [:]
    var known = related.map { Set($0.map(\.id)) }
    for name in earlier {
      for root in name.roots ?? [] { families[root, default: []].append((name.id, nil)) }
    }
    for (place, roots) in roots.enumerated() {
      for root in roots ?? [] {
        for other in (families[root] ?? []).suffix(Relations.familyReach)
        where known[place].insert(other.id).inserted {
          add(other.id, .sameHistory, to: place)
          guard let otherPlace = other.place else { continue }
          known[otherPlace].insert(ids[place])
          add(ids[place], .sameHistory, to: otherPlace)
        }
        families[root, default: []].append((ids[place], place))
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
  package mutating func relateItems() {
    Relations.resolve(&items, earlier: state?.names(before: nextOffset - items.count) ?? [])
  }
}
