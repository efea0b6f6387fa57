/// One rule of the contract of `SearchProvider` and its evaluation.
struct ComplianceCheck: Sendable {
  /// The id in kebab-case.
  let id: String
  /// The rule in one line.
  let summary: String
  /// Whether the check calls the provider, as opposed to evaluating pages that were read before.
  let callsProvider: Bool
  let evaluate: @Sendable (Trial) async -> Verdict

  init(
    _ id: String, _ summary: String, callsProvider: Bool = false,
    evaluate: @escaping @Sendable (Trial) async -> Verdict
  ) {
    self.id = id
    self.summary = summary
    self.callsProvider = callsProvider
    self.evaluate = evaluate
  }

  /// All checks, in the order of a report. The last ones evaluate the calls of all others.
  static let all: [ComplianceCheck] =
    declarationChecks + sampleChecks + pageChecks + itemChecks + valueChecks + listChecks + cursorChecks
    + conditionChecks + sortChecks + feedChecks + detailsChecks + concurrencyChecks + endingChecks
    + oddityChecks + closingChecks
}

enum Verdict: Sendable {
  /// The rule was evaluated; the observations are violations, whose `check` is still empty.
  case evaluated([Observation])
  /// The rule could not be evaluated, and why.
  case notApplicable(String)
}

/// A violation of a rule, not yet assigned to a check.
typealias Observation = ComplianceFinding

extension Observation {
  init(_ subject: String, _ expected: String, _ found: String) {
    self.init(check: "", subject: subject, expected: expected, found: found)
  }
}

extension Trial {
  /// Evaluates a rule on every item.
  ///
  /// - Parameter fault: Returns how an item violates the rule, as expected and found; `nil` if it does not.
  func everyItem(_ fault: (Walk.Sighting) -> (expected: String, found: String)?) -> Verdict {
    let seen = sightings
    guard !seen.isEmpty else { return .notApplicable("no item was found") }
    return .evaluated(
      seen.compactMap { sighting in
        fault(sighting).map { Observation(sighting.subject, $0.expected, $0.found) }
      })
  }
}
