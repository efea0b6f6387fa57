import ForageCore

extension ComplianceCheck {
  /// The checks of how qualifiers are applied.
  static let conditionChecks = [
    ComplianceCheck("exact-qualifiers", "a qualifier that is taken exactly holds on every item") { trial in
      let read = trial.conditionWalks.filter { $0.condition.isExact && $0.condition.isReadable }
      guard read.contains(where: { !$0.walk.items.isEmpty }) else {
        return .notApplicable("no sample qualifier is taken exactly and found something")
      }
      return .evaluated(read.flatMap { trial.violations($0.walk, $0.condition.expression) })
    },
    ComplianceCheck("qualifiers-complete", "a qualifier takes away no item that fulfils it") { trial in
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
            "\(Legible.short($0.id)) is missing")
        }
      }
      guard compared else {
        return .notApplicable("no list with a sample qualifier and the one without it were read to the end")
      }
      return .evaluated(faults)
    },
  ]
}

extension Walk {
  /// Whether everything is there that the provider has.
  fileprivate var isComplete: Bool {
    guard isWhole, !pages.contains(where: { $0.isIncomplete || $0.unreadable > 0 }) else { return false }
    // A list that was cut at the reachable maximum lacks items, too.
    return pages.last?.total.map { $0.value <= items.count } ?? true
  }
}

extension Trial {
  /// The lists that were read for a sample word with a condition.
  fileprivate var conditionWalks: [(walk: Walk, condition: Walk.Condition)] {
    walks.compactMap { walk in
      if case .condition(let condition) = walk.purpose { (walk, condition) } else { nil }
    }
  }

  /// The list of the word alone that a list with a condition is a part of.
  fileprivate func wordWalk(of narrowed: Walk) -> Walk? {
    wordWalks.first { walk in
      guard let word = walk.request.query, walk.request.kind == narrowed.request.kind else { return false }
      return narrowed.request.query?.conjuncts.contains(word) ?? false
    }
  }

  /// The items of a list that do not fulfil a condition which the provider did not take back.
  fileprivate func violations(_ walk: Walk, _ condition: QueryExpression) -> [Observation] {
    let qualifiers = condition.leaves.compactMap { leaf in
      if case .qualifier(let qualifier) = leaf.expression { qualifier } else { nil }
    }
    var faults: [Observation] = []
    var unapplied: Set<String> = []
    for seen in walk.sightings {
      unapplied.formUnion(walk.pages[seen.page].unapplied)
      guard unapplied.isDisjoint(with: qualifiers.map(\.name)) else { break }
      guard !condition.matches(seen.item, vocabulary: vocabulary) else { continue }
      let read = qualifiers.flatMap { $0.fields(for: seen.item.kind, vocabulary: vocabulary) }
      let fields = Set(read).sorted { $0.rawValue < $1.rawValue }
      let found = fields.map { field in
        seen.item[field].map { "\(field.rawValue) is \(Legible.value($0))" } ?? "it has no \(field.rawValue)"
      }
      faults.append(
        Observation(
          seen.subject, "\(condition) to hold",
          found.isEmpty ? "it does not" : found.joined(separator: " and ")))
    }
    return faults
  }
}
