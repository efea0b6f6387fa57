#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension EntityMerger {
  /// When what a node tells was observed.
  private func observedAt(_ node: Int) -> Date? {
    let (list, index) = (nodes[node].list, nodes[node].index)
    return lists[list].items[index].observedAt ?? lists[list].observed.time(of: index)
  }

  /// The sightings in the order in which their fields count: the forge's own answer first, then the fresher, then the order of the providers.
  ///
  /// - Parameter seen: In the order of the providers.
  private func preferred(_ seen: [Int]) -> [(node: Int, observedAt: Date?)] {
    let weighed = seen.enumerated().map { place, node in
      let time = observedAt(node)
      let host = lists[nodes[node].list].items[nodes[node].index].fields[.host]?.text
      return (
        place: place, node: node, observedAt: time,
        isFirstHand: host.map(lists[nodes[node].list].hosts.contains) ?? false,
        age: -(time?.timeIntervalSinceReferenceDate ?? -.infinity)
      )
    }
    return weighed.sorted { a, b in
      if a.isFirstHand != b.isFirstHand { return a.isFirstHand }
      return a.age == b.age ? a.place < b.place : a.age < b.age
    }.map { ($0.node, $0.observedAt) }
  }

  /// One entity from all that was told of it, without its place.
  func merged(_ seen: [Int]) -> MergedItem {
    if seen.count == 1 {
      return MergedItem(result: item(of: seen[0]), sources: [], score: 0, observedAt: observedAt(seen[0]))
    }
    let ordered = preferred(seen)
    var result = item(of: ordered[0].node)
    result.observedAt = nil
    var tellings: [Telling] = []
    tellings.reserveCapacity(ordered.count)
    for (place, sighting) in ordered.enumerated() {
      let other = item(of: sighting.node)
      tellings.append(
        Telling(
          provider: lists[nodes[sighting.node].list].provider, id: other.id,
          observedAt: sighting.observedAt, fields: other.fields))
      guard place > 0 else { continue }
      result.url = result.url ?? other.url
      result.forgeID = result.forgeID ?? other.forgeID
      if !other.related.isEmpty { result.related += other.related }
      // What is shown already is not touched, so that it need not be copied.
      for (field, value) in other.fields where result.fields[field] == nil { result.fields[field] = value }
    }
    return MergedItem(
      result: result, sources: [], score: 0, observedAt: ordered[0].observedAt, tellings: tellings)
  }
}
