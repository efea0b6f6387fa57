import ForageCore
import Foundation

/// The rows about merging, in this process.
enum Merging {
  private static let (lists, length, entities) = (10, 1000, 4000)
  /// Milliseconds for merging by rank.
  private static let goal = 20.0

  /// Prints the time of merging by rank.
  static func ranked() async {
    let providers = Sample.lists(lists, length: length, entities: entities).enumerated().map {
      FixedProvider(id: "p\($0.offset)", items: $0.element)
    }
    let search = FederatedSearch(query: Sample.query, limit: lists * length)
    let times = await times(providers, search)
    Report.single("merging \(lists) providers x \(length) results", milliseconds: times, goal: goal)
  }

  /// Prints the time of merging lists that are sorted already.
  static func sorted() async {
    let providers = Sample.lists(lists, length: length, entities: entities).enumerated().map {
      let items = ResultOrder.sorted($0.element, by: "stars", order: .descending)
      return FixedProvider(id: "p\($0.offset)", items: items, sorts: ["stars"])
    }
    let search = FederatedSearch(query: Sample.query, limit: lists * length, sort: "stars")
    let times = await times(providers, search)
    Report.single(
      "--sort, k-way merge of \(lists) providers x \(length) results", milliseconds: times)
  }

  /// Prints how the time grows with the number of providers, as a multiple of n log2 n.
  static func growth() async {
    let counts = [1, 2, 4, 8, 16, 32, 64]
    let (length, reference, goal) = (200, 4, 1.5)
    var medians: [(count: Int, spread: Spread)] = []
    for count in counts {
      // About two and a half sightings of each entity, however many providers there are.
      let lists = Sample.lists(count, length: length, entities: max(2 * length, 2 * count * length / 5))
      let providers = lists.enumerated().map { FixedProvider(id: "p\($0.offset)", items: $0.element) }
      let search = FederatedSearch(query: Sample.query, limit: count * length)
      medians.append((count, Spread(await times(providers, search))))
    }
    func work(_ count: Int) -> Double { Double(count) * log2(Double(count)) }
    let unit = medians.first { $0.count == reference }.map { $0.spread.median / work($0.count) } ?? .nan
    var lines = medians.map { count, spread in
      let providers = Report.pad("\(count)", 3)
      // One provider's n log2 n is 0.
      guard count > 1 else { return "\(providers) \(Report.milliseconds(spread))" }
      let ratio = Report.number(spread.median / work(count) / unit, 2)
      return "\(providers) \(Report.pad(Report.milliseconds(spread), 30)) ratio \(ratio)"
    }
    if let last = medians.last {
      let ratio = last.spread.median / work(last.count) / unit
      lines.append(
        "grows at most n log n: last ratio \(Report.number(ratio, 2))   "
          + Report.verdict(ratio, goal: goal, digits: 1))
    }
    Report.lines(
      "merging n providers x \(length) results, as a multiple of n log2 n (1 at n = \(reference))"
        + "  (\(Report.runs) runs: median, lowest to highest)", lines)
  }

  private static func times(_ providers: [FixedProvider], _ search: FederatedSearch) async -> [Double] {
    let registry = ProviderRegistry(providers)
    var times: [Double] = []
    for _ in 0...Report.runs {
      let before = ContinuousClock.now
      _ = await SearchRun(search, registry).more()
      times.append((ContinuousClock.now - before) / .milliseconds(1))
    }
    return Array(times.dropFirst())
  }
}
