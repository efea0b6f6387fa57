public import ForageFoundation

/// An entity of a merged list.
public struct MergedItem: Sendable, Codable {
  /// The rank of an entity at a provider.
  public struct Source: Hashable, Sendable, Codable {
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
