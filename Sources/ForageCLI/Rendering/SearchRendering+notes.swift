import ForageCore

extension SearchRendering {
  /// Tells on standard error what is missing and why, and on a terminal how the list came about.
  ///
  /// - Parameter named: The providers that the user named.
  func writeNotes(named: Set<String>) {
    for outcome in result.outcomes { writeNote(outcome, isNamed: named.contains(outcome.id)) }
    if output.isMessageTerminal, output.isTerminal { writeFooter() }
    let hasAnswer = result.outcomes.contains(where: \.state.isAnswer)
    if result.items.isEmpty, hasAnswer {
      output.problem("nothing found", hint: adviceForNothing)
    } else if !hasAnswer {
      output.problem("no provider answered", hint: "see above, or run forage doctor")
    }
  }

  private func writeNote(_ outcome: ProviderOutcome, isNamed: Bool) {
    if let error = outcome.error {
      let kept =
        outcome.state == .partial
        ? " (its first \(Humane.plural(outcome.returned, "result")) are in the list)" : ""
      output.problem("\(outcome.id): " + error.message + kept, hint: error.hint)
    }
    if outcome.isIncomplete {
      output.problem(
        "\(outcome.id): \(outcome.name) ran out of time, so its list may lack results",
        hint: "make the query more specific")
    }
    if outcome.isStale, let age = outcome.cacheAge {
      output.problem(
        "\(outcome.id): \(outcome.name) could not be asked; its answer is \(Humane.duration(age)) old",
        hint: "run again when it can be reached")
    }
    if outcome.isScanLimited {
      output.problem(
        "\(outcome.id): only its first \(outcome.requests) pages were checked for \(outcome.residual.joined(separator: ", "))",
        hint: "make the rest of the query more specific")
    }
    for shortfall in outcome.shortfalls {
      output.problem("\(outcome.id): " + Self.reached(outcome) + shortfall.message, hint: shortfall.hint)
    }
    if outcome.shortfalls.isEmpty, let reachable = outcome.reachable, let total = outcome.total {
      output.problem(
        "\(outcome.id): \(outcome.name) gives out only \(reachable) of its \(total.value) results",
        hint: "split the search, for example by created: or stars: ranges")
    }
    if outcome.unreadable > 0 {
      output.problem(
        "\(outcome.id): \(Humane.plural(outcome.unreadable, "result")) of \(outcome.name) could not be read and are left out",
        hint: "run again with --verbose to see the request")
    }
    if outcome.isSortApproximate, outcome.state.isAnswer, let total = outcome.total,
      total.value > outcome.returned
    {
      output.problem(
        "\(outcome.id): cannot sort by this key, so only its first \(Humane.plural(outcome.returned, "result")) are sorted",
        hint: "choose a provider that can, with --provider")
    }
  }

  /// How much of a list was reached, where that is known to be less than all.
  private static func reached(_ outcome: ProviderOutcome) -> String {
    guard let reachable = outcome.reachable, let total = outcome.total, reachable < total.value else {
      return ""
    }
    return
      "only \(Humane.grouped(reachable)) of its \(Humane.grouped(total.value)) results were reached: "
  }

  private func writeFooter() {
    let parts = result.outcomes.filter(\.state.isAnswer).map { outcome in
      let total =
        outcome.total.map { " of \($0.relation == .atLeast ? "at least " : "")\(Humane.count($0.value))" }
        ?? ""
      return "\(outcome.id) \(outcome.returned)\(total) in \(Humane.duration(outcome.elapsed))"
    }
    if let next {
      output.writeMessage(Style.dim.apply("more: --after \(next)", output.hasMessageColor) + "\n")
    }
    if !parts.isEmpty {
      output.writeMessage(Style.dim.apply(parts.joined(separator: " · "), output.hasMessageColor) + "\n")
    }
  }
}
