/// Reciprocal rank fusion with integer arithmetic, so that the result is independent of arrival order and
/// hash seeds.
///
/// Source: Cormack, Clarke, Buettcher, "Reciprocal Rank Fusion outperforms Condorcet and individual Rank
/// Learning Methods", SIGIR 2009 (k = 60); weights scale the ranks.
package enum RankFusion {
  /// The fixed-point unit of scores.
  package static let one: UInt64 = 1 << 40
  /// The constant k of the formula.
  static let k: UInt64 = 60
  /// The number of results that each provider contributes to a block of the merged list.
  package static let window = 50

  /// The number of windows that contain at least a given number of results.
  ///
  /// - Parameters:
  ///   - count: The number of results.
  ///   - size: The number of results of a window.
  static func windows(_ count: Int, of size: Int = window) -> Int { (count + size - 1) / size }

  /// The contribution of a rank to the score: `floor(2^40 W / (60 W + 1000 rank))` with `W = 1000 weight`.
  ///
  /// - Parameters:
  ///   - rank: The rank, from 1.
  ///   - weight: More than 0, at most 1,000; other values are clamped.
  package static func contribution(rank: Int, weight: Double) -> UInt64 {
    let clamped = weight.isFinite ? min(max(weight, 0.001), 1000) : 1
    let scaled = UInt64((clamped * 1000).rounded())
    return one * scaled / (k * scaled + 1000 * UInt64(max(1, rank)))
  }

  /// The sort key of an entity: score descending, best rank ascending, number of groups descending, provider
  /// order ascending, id bytes ascending.
  struct Standing {
    var score: UInt64
    var bestRank: Int
    var groups: Int
    var firstList: Int
    var id: String

    init(id: String, sightings: some Collection<EntityMerger.Node>) {
      (score, bestRank, groups, firstList, self.id) = (0, .max, 0, .max, id)
      // A group contributes only its best rank. There are few lists, so a linear search is faster than
      // hashing.
      var best: [(group: Int, contribution: UInt64)] = []
      best.reserveCapacity(sightings.count)
      for sighting in sightings {
        bestRank = min(bestRank, sighting.rank)
        firstList = min(firstList, sighting.list)
        if let index = best.firstIndex(where: { $0.group == sighting.group }) {
          best[index].contribution = max(best[index].contribution, sighting.contribution)
        } else {
          best.append((sighting.group, sighting.contribution))
        }
      }
      score = best.reduce(0) { $0 + $1.contribution }
      groups = best.count
    }

    static func precedes(_ a: Standing, _ b: Standing) -> Bool {
      if a.score != b.score { return a.score > b.score }
      if a.bestRank != b.bestRank { return a.bestRank < b.bestRank }
      if a.groups != b.groups { return a.groups > b.groups }
      if a.firstList != b.firstList { return a.firstList < b.firstList }
      return a.id.bytesPrecede(b.id)
    }
  }
}
