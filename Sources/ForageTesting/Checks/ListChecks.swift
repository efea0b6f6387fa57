import ForageCore

extension ComplianceCheck {
  static let listChecks = [
    ComplianceCheck("total", "an exact total is not smaller than the number of items") { trial in
      guard trial.walks.flatMap(\.pages).contains(where: { $0.total?.relation == .equal }) else {
        return .notApplicable("it reports no exact total")
      }
      return .evaluated(trial.walks.compactMap(tooSmall))
    },
    ComplianceCheck("list-end", "a list ends at its exact total, without an empty last page") {
      trial in
      let whole = trial.walks.filter { $0.isWhole && $0.pages.last?.total?.relation == .equal }
      guard !whole.isEmpty else { return .notApplicable("no list with an exact total was read to its end") }
      return .evaluated(whole.compactMap { wrongEnd($0, trial) })
    },
    ComplianceCheck("reachable", "a list ends at the reachable maximum") { trial in
      let limited = trial.walks.filter { trial.reachable($0) != nil }
      guard !limited.isEmpty else { return .notApplicable("all results are reachable") }
      return .evaluated(
        limited.compactMap { walk in
          guard let most = trial.reachable(walk), walk.items.count > most else { return nil }
          return Observation(
            walk.label, "at most \(ReportText.count(most, "item"))", "\(walk.items.count) were delivered")
        })
    },
  ]

  /// Returns a violation at the first page whose total is smaller than the number of different items up to
  /// it.
  private static func tooSmall(_ walk: Walk) -> Observation? {
    var seen: Set<String> = []
    for (number, page) in walk.pages.enumerated() {
      seen.formUnion(page.items.map(\.id).filter { !$0.isEmpty })
      if let total = page.total, total.relation == .equal, total.value >= 0, total.value < seen.count {
        return Observation(
          walk.subject(page: number), "a total of \(seen.count) or more", "it is exactly \(total.value)")
      }
    }
    return nil
  }

  private static func wrongEnd(_ walk: Walk, _ trial: Trial) -> Observation? {
    guard let last = walk.pages.last, let total = last.total?.value else { return nil }
    let delivered = walk.items.count
    let known = delivered + walk.pages.reduce(0) { $0 + max(0, $1.unreadable) }
    let expected = min(total, trial.reachable(walk) ?? total)
    if known < expected, !walk.pages.contains(where: { $0.notes.contains(where: \.isMissing) }) {
      return Observation(walk.label, "\(ReportText.count(expected, "item"))", "the list ends after \(known)")
    }
    if last.items.isEmpty, walk.pages.count > 1, known >= expected {
      return Observation(
        walk.subject(page: walk.pages.count - 1), "no page after all \(ReportText.count(delivered, "item"))",
        "there is an empty one")
    }
    return nil
  }
}

extension Trial {
  /// Returns the reachable maximum of a list; feeds have none.
  func reachable(_ walk: Walk) -> Int? {
    walk.isFeed ? nil : abilities[walk.request.kind]?.reachable
  }
}
