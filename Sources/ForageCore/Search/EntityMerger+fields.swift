import ForageFoundation

extension EntityMerger {
  /// A sighting with the properties that determine its precedence.
  private struct Weighed {
    var list: Int
    var index: Int
    var isFirstHand: Bool
    var observedAt: Date?

    /// Whether its fields take precedence: the forge's own answer first, then the more recent one.
    func precedes(_ other: Weighed) -> Bool {
      if isFirstHand != other.isFirstHand { return isFirstHand }
      guard let observedAt else { return false }
      return other.observedAt.map { observedAt > $0 } ?? true
    }
  }

  private func weighed(_ node: Int) -> Weighed {
    let (list, index) = (nodes[node].list, nodes[node].index)
    let hosts = runs[list].descriptor.hosts
    return Weighed(
      list: list, index: index,
      isFirstHand: !hosts.isEmpty
        && runs[list].items[index].fields[.host]?.text.map(hosts.contains) ?? false,
      observedAt: runs[list].items[index].observedAt ?? runs[list].items[index].readAt)
  }

  /// The sighting that determines the value of a field in a sorted list.
  ///
  /// The order is that of `merged`, but when a page was read does not count: it depends on the page size.
  ///
  /// - Parameter seen: The sightings in the order of the providers.
  /// - Returns: `nil` if no sighting contains the field.
  func decisive(_ field: ResultField, among seen: [Int]) -> Int? {
    var best: (node: Int, sighting: Weighed)?
    for node in seen {
      var sighting = weighed(node)
      let item = runs[sighting.list].items[sighting.index]
      guard item.fields[field] != nil else { continue }
      sighting.observedAt = item.observedAt
      if best.map({ sighting.precedes($0.sighting) }) ?? true { best = (node, sighting) }
    }
    return best?.node
  }

  /// Merges the sightings of an entity. The forge's own answer takes precedence, then the more recent one,
  /// then the order of the providers.
  ///
  /// - Parameter seen: The sightings in the order of the providers, at least one.
  func merged(_ seen: ArraySlice<Int>) -> MergedItem {
    if let only = seen.first, seen.count == 1 {
      var result = item(of: only)
      result.readAt = nil
      return MergedItem(result: result, sources: [], score: 0, observedAt: weighed(only).observedAt)
    }
    var ordered: [Weighed] = []
    ordered.reserveCapacity(seen.count)
    for node in seen {
      let sighting = weighed(node)
      // After equal ones, so that the order of the providers decides.
      var place = ordered.count
      while place > 0, sighting.precedes(ordered[place - 1]) { place -= 1 }
      if place == ordered.count { ordered.append(sighting) } else { ordered.insert(sighting, at: place) }
    }
    var result = runs[ordered[0].list].items[ordered[0].index]
    (result.observedAt, result.readAt) = (nil, nil)
    var fieldObservations: [FieldObservation] = []
    fieldObservations.reserveCapacity(ordered.count)
    for (place, sighting) in ordered.enumerated() {
      add(sighting, isFirst: place == 0, to: &result, &fieldObservations)
    }
    return MergedItem(
      result: result, sources: [], score: 0, observedAt: ordered[0].observedAt,
      fieldObservations: fieldObservations)
  }

  private func add(
    _ sighting: Weighed, isFirst: Bool, to result: inout SearchResult,
    _ fieldObservations: inout [FieldObservation]
  ) {
    // Copies only what is needed, because thousands of sightings are merged.
    let (list, index) = (sighting.list, sighting.index)
    let fields = runs[list].items[index].fields
    let isKnown = isFirst || runs[list].items[index].id == result.id
    fieldObservations.append(
      FieldObservation(
        provider: runs[list].outcome.id, alias: isKnown ? nil : runs[list].items[index].id,
        observedAt: sighting.observedAt, fields: fields))
    guard !isFirst else { return }
    if result.url == nil { result.url = runs[list].items[index].url }
    if result.forgeID == nil { result.forgeID = runs[list].items[index].forgeID }
    if !runs[list].items[index].related.isEmpty { result.related += runs[list].items[index].related }
    // Fields that are set are not touched, which avoids copies.
    let filling = runs[list].items[index].fields(atPlaceOf: result)
    // The page of a file is that of the lines that are shown, and not of another revision.
    if result.kind == .code, result.fields[.matches] == nil, filling[.matches] != nil,
      fields[.path] == result.fields[.path], fields[.repository] == result.fields[.repository]
    {
      result.url = runs[list].items[index].url ?? result.url
    }
    for (field, value) in filling where result.fields[field] == nil { result.fields[field] = value }
  }
}
