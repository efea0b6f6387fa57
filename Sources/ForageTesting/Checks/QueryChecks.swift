import ForageCore

extension ComplianceCheck {
  static let words = ComplianceCheck("words", "words and phrases select the results") { trial in
    let read = trial.walks.filter { [.phrase, .nonsense].contains($0.purpose) && !$0.pages.isEmpty }
    guard !read.isEmpty else { return .notApplicable("no search for a word has results") }
    return .evaluated(
      read.compactMap { walk in
        switch (walk.purpose, walk.items.isEmpty) {
        case (.nonsense, false):
          ComplianceFinding(walk.label, "nothing has this word, but there are results: is the word sent?")
        case (.phrase, true):
          ComplianceFinding(
            walk.label,
            "the search for the phrase has no results, although an item contains it; quotes that are sent along are a usual cause"
          )
        default: nil
        }
      })
  }

  static let filters = ComplianceCheck("filters", "every item meets the filters that are declared exact") {
    trial in
    let read = trial.walks.compactMap { walk in
      if case .filter(let condition) = walk.purpose, trial.isVerifiable(condition, walk.request.kind) {
        (walk, condition)
      } else {
        nil
      }
    }
    guard read.contains(where: { !$0.0.items.isEmpty }) else {
      return .notApplicable("no sample qualifier is declared exact and has results")
    }
    return .evaluated(read.flatMap { trial.violations($0.0, $0.1) })
  }

  static let sorts = ComplianceCheck("sorts", "the declared sorts order the items") { trial in
    var isCompared = false
    var findings: [ComplianceFinding] = []
    for walk in trial.walks {
      guard case .sort(let key, let order) = walk.purpose else { continue }
      // The position of items without the key is up to the provider; the search moves them to the end.
      let keyed = walk.sightings.filter { $0.item[ResultOrder.field(of: key)] != nil }
      isCompared = isCompared || keyed.count > 1
      for (before, after) in zip(keyed, keyed.dropFirst())
      where ResultOrder.sorted([before.item, after.item], by: key, order: order).first != before.item {
        findings.append(
          ComplianceFinding(
            after.subject, "it follows \(ReportText.short(before.item.id)), which should come after it"))
      }
    }
    return isCompared
      ? .evaluated(findings) : .notApplicable("no declared sort uses a field that the items have")
  }
}

extension Trial {
  /// Whether a filter is declared exact, and the fields of items show if it holds.
  fileprivate func isVerifiable(_ condition: QueryExpression, _ kind: ResultKind) -> Bool {
    guard let abilities = abilities[kind] else { return false }
    return condition.qualifiers.allSatisfy { qualifier in
      let fields = qualifier.fields(for: kind, vocabulary: vocabulary)
      return abilities.push(qualifier.name) == .exact && !fields.isEmpty
        && abilities.fields.isSuperset(of: fields)
    }
  }

  /// Returns the items that do not meet a filter, up to the page that names it in `unapplied`.
  fileprivate func violations(_ walk: Walk, _ condition: QueryExpression) -> [ComplianceFinding] {
    let qualifiers = condition.qualifiers
    var findings: [ComplianceFinding] = []
    var unapplied: Set<String> = []
    for seen in walk.sightings {
      unapplied.formUnion(walk.pages[seen.page].unapplied)
      guard unapplied.isDisjoint(with: qualifiers.map(\.name)) else { break }
      guard !condition.matches(seen.item, vocabulary: vocabulary) else { continue }
      let read = qualifiers.flatMap { $0.fields(for: seen.item.kind, vocabulary: vocabulary) }
      let values = Set(read).sorted { $0.rawValue < $1.rawValue }.map { field in
        seen.item[field].map { "\(field.rawValue) is \(ReportText.value($0))" }
          ?? "it has no \(field.rawValue)"
      }
      findings.append(
        ComplianceFinding(seen.subject, "\(condition) does not hold: " + values.joined(separator: " and ")))
    }
    return findings
  }
}
