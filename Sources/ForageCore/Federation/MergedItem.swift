#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// One entity of a merged list.
public struct MergedItem: Sendable, Codable {
  /// Who ranked the entity, and where.
  public struct Source: Hashable, Sendable, Codable {
    /// The provider's id.
    public var provider: String
    /// The provider's rank of it, from 1, after the residual filter.
    public var rank: Int
    /// The provider's own identifier, where it has one.
    public var id: String?
    /// What the rank added to the score, in units of 2^-40; 0 for a sighting after the entity was placed.
    public var contribution: UInt64
  }

  /// The entity with the fields that are shown.
  public var result: SearchResult
  /// Who ranked it, in the order of the providers.
  public var sources: [Source]
  /// The fused score in units of 2^-40.
  public var score: UInt64
  /// When the part of it that is shown first was observed, `nil` where nobody knows.
  public var observedAt: Date?
  /// What each provider told of it, best first; `nil` when only one did, which is then all in `result`.
  var fieldObservations: [FieldObservation]?

  /// Creates an item of a list that no provider ranked.
  public init(_ result: SearchResult) {
    self.result = result
    (sources, score) = ([], 0)
  }

  init(
    result: SearchResult, sources: [Source], score: UInt64, observedAt: Date? = nil,
    fieldObservations: [FieldObservation]? = nil
  ) {
    self.result = result
    self.sources = sources
    self.score = score
    self.observedAt = observedAt
    self.fieldObservations = fieldObservations
  }

  /// The fused score as a fraction.
  public var relativeScore: Double { Double(score) / Double(RankFusion.one) }
}
