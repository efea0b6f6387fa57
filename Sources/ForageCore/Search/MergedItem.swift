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

  /// Creates an item of the list of one provider.
  ///
  /// - Parameter rank: From 1.
  package init(_ result: SearchResult, of provider: String, rank: Int) {
    let score = RankFusion.contribution(rank: rank, weight: 1)
    self.init(
      result: result, sources: [Source(provider: provider, rank: rank, id: nil, contribution: score)],
      score: score)
  }
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
