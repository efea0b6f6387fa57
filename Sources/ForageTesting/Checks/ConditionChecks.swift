import ForageCore

extension ComplianceCheck {
  static let conditionChecks = [
    ComplianceCheck("exact-qualifiers", "an exact qualifier holds for every item") { trial in
      let read = trial.conditionWalks.filter { $0.condition.isExact && $0.condition.isReadable }
      guard read.contains(where: { !$0.walk.items.isEmpty }) else {
        return .notApplicable("no sample qualifier is exact and has results")
      }
      return .evaluated(read.flatMap { trial.violations($0.walk, $0.condition.expression) })
    },
    ComplianceCheck("qualifiers-complete", "a qualifier removes no item that fulfils it") { trial in
      var compared = false
      var faults: [Observation] = []
      for (walk, condition) in trial.conditionWalks where condition.isReadable && walk.isComplete {
        guard let whole = trial.wordWalk(of: walk), whole.isComplete else { continue }
        compared = true
        let kept = Set(walk.items.map(\.id))
        let lost = whole.items.filter {
          condition.expression.matches($0, vocabulary: trial.vocabulary) && !kept.contains($0.id)
        }
        faults += lost.map {
          Observation(
            walk.label, "every item that fulfils \(condition.expression)",
            "\(ReportText.short($0.id)) is missing")
        }
      }
      guard compared else {
        return .notApplicable("no list was read to its end both with and without a sample qualifier")
      }
      return .evaluated(faults)
    },
  ]
}

extension Walk {
  /// Whether the walk read all items that the provider has.
  fileprivate var isComplete: Bool {
    guard isWhole, !pages.contains(where: { $0.notes.contains(where: \.isMissing) || $0.unreadable > 0 })
    else {
      return false
    }
    // A list that ends at the reachable maximum is incomplete, too.
    return pages.last?.total.map { $0.value <= items.count } ?? true
  }
}

extension Trial {
  /// The lists for a sample word with a condition.
  fileprivate var conditionWalks: [(walk: Walk, condition: Walk.Condition)] {
    walks.compactMap { walk in
      if case .condition(let condition) = walk.purpose { (walk, condition) } else { nil }
    }
  }

  /// Returns the list for the word alone, which contains the list with a condition.
  fileprivate func wordWalk(of narrowed: Walk) -> Walk? {
    wordWalks.first { walk in
      guard let word = walk.request.query, walk.request.kind == narrowed.request.kind else { return false }
      return narrowed.request.query?.conjuncts.contains(word) ?? false
    }
  }

  /// Returns the items that do not fulfil a condition, up to the page that names it in `unapplied`.
  fileprivate func violations(_ walk: Walk, _ condition: QueryExpression) -> [Observation] {
    let qualifiers = condition.qualifiers
    var faults: [Observation] = []
    var unapplied: Set<String> = []
    for seen in walk.sightings {
      unapplied.formUnion(walk.pages[seen.page].unapplied)
      guard unapplied.isDisjoint(with: qualifiers.map(\.name)) else { break }
      guard !condition.matches(seen.item, vocabulary: vocabulary) else { continue }
      let read = qualifiers.flatMap { $0.fields(for: seen.item.kind, vocabulary: vocabulary) }
      let fields = Set(read).sorted { $0.rawValue < $1.rawValue }
      let found = fields.map { field in
        seen.item[field].map { "\(field.rawValue) is \(ReportText.value($0))" }
          ?? "it has no \(field.rawValue)"
      }
      faults.append(
        Observation(
          seen.subject, "\(condition) to hold",
          found.isEmpty ? "it does not" : found.joined(separator: " and ")))
    }
    return faults
  }
}
