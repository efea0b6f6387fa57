import ForageCore

extension ComplianceCheck {
  static let sortChecks = [
    ComplianceCheck("sort-order", "every declared sort holds, in each direction that it has") { trial in
      var compared = false
      var faults: [Observation] = []
      for walk in trial.walks {
        guard let (key, order) = walk.sort else { continue }
        // The position of items without the key is up to the provider; the search moves them to the end.
        let keyed = walk.sightings.filter { isKeyed($0.item, key) }
        compared = compared || keyed.count > 1
        for (before, after) in zip(keyed, keyed.dropFirst())
        where ResultOrder.sorted([before.item, after.item], by: key, order: order).first != before.item {
          faults.append(
            Observation(
              after.subject, "items by \(key) \(order.rawValue)",
              "it follows \(ReportText.short(before.item.id))"))
        }
      }
      guard compared else { return .notApplicable("no declared sort uses a field that the items have") }
      return .evaluated(faults)
    }
  ]

  /// Whether an item has the key of a sort; if so it precedes an item without fields.
  private static func isKeyed(_ item: SearchResult, _ key: String) -> Bool {
    let bare = SearchResult(id: "", kind: item.kind, title: "")
    return ResultOrder.sorted([bare, item], by: key, order: .ascending).first == item
  }
}
