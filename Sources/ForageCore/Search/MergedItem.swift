public import ForageFoundation

/// An entity of a merged list.
public struct MergedItem: Sendable {
  /// The rank of an entity at a provider.
  public struct Source: Hashable, Sendable {
    /// The provider's id.
    public var provider: String
    /// The rank, from 1, among the items that passed the residual filter.
    public var rank: Int
    /// The provider's own id of the entity, if it has one.
    public var id: String?
    /// The rank's contribution to the score in units of 2^-40; 0 if the entity was already placed.
    public var contribution: UInt64
  }

  /// The merged result.
  public var result: SearchResult
  /// The ranks, in the order of the providers.
  public var sources: [Source]
  /// The fused score in units of 2^-40.
  public var score: UInt64
  /// When the data that takes precedence was observed; `nil` if unknown.
  public var observedAt: Date?
  /// The fields of each provider, best first; `nil` if there is only one, whose fields are all in `result`.
  var fieldObservations: [FieldObservation]?

  /// The fused score as a fraction.
  public var relativeScore: Double { Double(score) / Double(RankFusion.one) }
}

extension MergedItem {
  /// Creates an item of a list that no provider ranked.
  package init(_ result: SearchResult) { self.init(result: result, sources: [], score: 0) }
}

/// The fields that one of several providers returned for an entity.
struct FieldObservation: Hashable, Sendable {
  var provider: String
  /// The provider's id of the entity; `nil` if it is the one shown.
  var alias: String?
  /// When it was observed; `nil` if unknown.
  var observedAt: Date?
  var fields: [ResultField: FieldValue]
}

/// A value of a field, with its provider and time.
package struct FieldSighting: Hashable, Sendable {
  package var value: FieldValue
  /// The id of the provider.
  package var provider: String
  /// When it was observed: when the provider answered, or when its data was collected; `nil` if unknown.
  package var observedAt: Date?
}

extension MergedItem {
  /// The values of a field from all providers; the first is the one shown.
  ///
  /// The forge's own answer comes first, then the more recent one, then the order of the providers. Numbers
  /// are never added up.
  ///
  /// - Parameter field: The field. The result is empty if no provider returned it.
  package func provenance(of field: ResultField) -> [FieldSighting] {
    guard let fieldObservations else {
      guard let value = result[field], let provider = sources.first?.provider else { return [] }
      return [FieldSighting(value: value, provider: provider, observedAt: observedAt)]
    }
    return fieldObservations.compactMap { observation in
      observation.fields[field].map {
        FieldSighting(value: $0, provider: observation.provider, observedAt: observation.observedAt)
      }
    }
  }

  /// The fields for which providers returned different values, in output order.
  package var disputedFields: [ResultField] {
    guard fieldObservations != nil else { return [] }
    return result.orderedFields.filter { field in
      let sightings = provenance(of: field)
      return sightings.contains { $0.value != sightings[0].value }
    }
  }

  /// The other ids of the entity, without duplicates, best first.
  var aliases: [String] {
    var names: [String] = []
    for observation in fieldObservations ?? [] {
      if let alias = observation.alias, !names.contains(alias) { names.append(alias) }
    }
    return names
  }
}

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
    let hosts = runs[list].info.hosts
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

extension SearchResult {
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
