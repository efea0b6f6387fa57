#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// What one provider told of an entity that several know.
struct FieldObservation: Hashable, Sendable, Codable {
  /// The provider's id.
  var provider: String
  /// The id by which the provider knows the entity, `nil` for the one that is shown.
  var alias: String?
  /// When it was observed, `nil` where nobody knows.
  var observedAt: Date?
  /// The fields as the provider told them.
  var fields: [ResultField: FieldValue]
}

/// One value of a field, with who told it and when.
public struct FieldSighting: Hashable, Sendable {
  /// The value.
  public var value: FieldValue
  /// The id of the provider that told it.
  public var provider: String
  /// When it was observed: when the provider answered, or when what it answered from was looked at; `nil` where nobody knows.
  public var observedAt: Date?

  /// Creates a sighting.
  public init(value: FieldValue, provider: String, observedAt: Date? = nil) {
    self.value = value
    self.provider = provider
    self.observedAt = observedAt
  }
}

extension MergedItem {
  /// What the providers told of a field, each for itself: the first is the one that is shown.
  ///
  /// The forge's own answer comes first, then the fresher, then the order of the providers. Numbers of several providers are never added up.
  ///
  /// - Parameter field: Any field; one that nobody told has no sightings.
  public func provenance(of field: ResultField) -> [FieldSighting] {
    guard let fieldObservations else {
      guard let value = result[field], let provider = sources.first?.provider else { return [] }
      return [FieldSighting(value: value, provider: provider, observedAt: observedAt)]
    }
    return fieldObservations.compactMap { telling in
      telling.fields[field].map {
        FieldSighting(value: $0, provider: telling.provider, observedAt: telling.observedAt)
      }
    }
  }

  /// The fields of which the providers told different values, in the order in which fields are written.
  public var disputedFields: [ResultField] {
    guard fieldObservations != nil else { return [] }
    return result.orderedFields.filter { field in
      let sightings = provenance(of: field)
      return sightings.contains { $0.value != sightings[0].value }
    }
  }

  /// The other ids by which providers know the entity, each once, best first.
  var aliases: [String] {
    var names: [String] = []
    for telling in fieldObservations ?? [] {
      if let alias = telling.alias, !names.contains(alias) { names.append(alias) }
    }
    return names
  }
}
