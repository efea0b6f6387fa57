/// Tells the entities of a page what they have to do with each other, and with those given out before.
///
/// - What an entity claims (it mirrors, packages, links to another) is told on both sides, where the other is on the page. One that was given out
///   earlier cannot be told any more; the later of the two always is, so that all pages together tell the same pairs however they are cut.
/// - Two entities whose histories begin with the same commit are related, unless their forge says of one that it is a fork: the forks of a
///   repository are legion, and that they begin alike is no news. A clone alone does not know whether it is one, so it is related, and never
///   merged. Where a pair is related otherwise (a mirror begins alike by nature), history adds nothing.
enum Relations {
  /// How far apart in the list two entities of one beginning may be, counted in entities of that beginning: a provider that says the same of
  /// thousands must not make millions of pairs.
  static let familyReach = 20

  /// Relates the entities of a page.
  ///
  /// The work grows with the number of claims and of shared beginnings, not with that of pairs; where there are none, nothing is done.
  ///
  /// - Parameters:
  ///   - page: The entities, with what they claim themselves; doing it twice changes nothing.
  ///   - earlier: Those given out before, in order.
  static func resolve(_ page: inout [MergedItem], earlier: [EntityName]) {
    let roots = page.indices.map { page[$0].result.familyRoots }
    guard
      page.contains(where: { !$0.result.related.isEmpty }) || roots.contains(where: { $0 != nil })
        || earlier.contains(where: { $0.related != nil })
    else { return }
    var links = Links(page)
    for name in earlier {
      for alias in name.aliases ?? [] { links.name(alias, name.id) }
      for claim in name.related ?? [] { links.tell(claim.id, of: name.id, claim.why) }
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

/// The relations of a page while they are found.
private struct Links {
  let ids: [String]
  /// The places on the page of each name.
  private var places: [String: [Int]] = [:]
  /// The shown ids of entities that are not on the page, by their other names.
  private var shown: [String: String] = [:]
  /// What each entity of the page is related to, in no order.
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

  /// Says what an entity is shown as that is not on the page.
  mutating func name(_ alias: String, _ id: String) { shown[alias] = shown[alias] ?? id }

  /// Tells those on the page that go by a name of one that claims them.
  mutating func tell(_ name: String, of id: String, _ why: RelatedEntity.Reason) {
    for place in places[name] ?? [] { add(id, why, to: place) }
  }

  /// An entity of the page claims another: both are told, by the ids that are shown.
  mutating func claim(_ claim: RelatedEntity, by index: Int) {
    guard let found = places[claim.id] else { return add(shown[claim.id] ?? claim.id, claim.why, to: index) }
    for place in found {
      add(ids[place], claim.why, to: index)
      add(ids[index], claim.why, to: place)
    }
  }

  /// Relates what begins with the same commit.
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
  /// Relates the entities of the list anew, for a caller that has added to what is known of them.
  ///
  /// A search has done so already. `SearchResult.related` then names, on both sides, what belongs together without being one.
  public mutating func relateItems() {
    Relations.resolve(&items, earlier: state?.names(before: nextOffset - items.count) ?? [])
  }
}
