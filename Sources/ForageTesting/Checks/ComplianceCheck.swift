/// One rule of the contract and how it is looked into.
struct ComplianceCheck: Sendable {
  /// Its name in kebab-case.
  let id: String
  /// What it asks for.
  let summary: String
  /// Whether it calls the provider, as opposed to looking at what was read before.
  let asks: Bool
  /// Looks into it.
  let evaluate: @Sendable (Trial) async -> Verdict

  init(
    _ id: String, _ summary: String, asks: Bool = false, evaluate: @escaping @Sendable (Trial) async -> Verdict
  ) {
    self.id = id
    self.summary = summary
    self.asks = asks
    self.evaluate = evaluate
  }

  /// Every check. The last ones evaluate all calls that were made before.
  static let all: [ComplianceCheck] =
    descriptorChecks + sampleChecks + pageChecks + itemChecks + valueChecks + listChecks + cursorChecks
    + conditionChecks + sortChecks + feedChecks + detailsChecks + concurrencyChecks + endingChecks
    + oddityChecks
    + closingChecks
}

/// How a check came out.
enum Verdict: Sendable {
  /// It had something to look at, and this is wrong.
  case evaluated([Observation])
  /// It had nothing to look at, and why.
  case notApplicable(String)
}

/// One thing that is wrong, before it is known which check says so.
struct Observation: Sendable {
  var subject: String
  var expected: String
  var found: String

  init(_ subject: String, _ expected: String, _ found: String) {
    self.subject = subject
    self.expected = expected
    self.found = found
  }

  /// The finding of a check.
  func finding(check: String) -> ComplianceFinding {
    ComplianceFinding(check: check, subject: subject, expected: expected, found: found)
  }
}

extension Trial {
  /// The verdict of a rule that every item must keep.
  ///
  /// - Parameter fault: What is wrong with an item as expected and found, `nil` for nothing.
  func everyItem(_ fault: (Walk.Sighting) -> (expected: String, found: String)?) -> Verdict {
    let seen = sightings
    guard !seen.isEmpty else { return .notApplicable("no item was found") }
    return .evaluated(
      seen.compactMap { sighting in
        fault(sighting).map { Observation(sighting.subject, $0.expected, $0.found) }
      })
  }
}
