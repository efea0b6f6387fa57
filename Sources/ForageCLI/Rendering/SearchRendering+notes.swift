import ForageCore

extension SearchRendering {
  /// Tells on standard error what is missing and why, and on a terminal how the list came about.
  func writeNotes() {
    // Several that have nothing of the kind are no news one by one.
    let lacking = result.outcomes.filter(\.lacksKind)
    let isCrowd = lacking.count > 1
    for outcome in result.outcomes where !(isCrowd && outcome.lacksKind) { writeNote(outcome) }
    if isCrowd {
      output.problem(
        "not asked, because they have nothing of what is wanted: \(lacking.map(\.id).joined(separator: ", "))",
        hint: "choose kinds with --kind and providers with --provider (see: forage providers)")
    }
    if output.isMessageTerminal, output.isTerminal { writeFooter() }
    let hasAnswer = result.outcomes.contains(where: \.state.isAnswer)
    if result.items.isEmpty, hasAnswer {
      output.problem("nothing found", hint: adviceForNothing)
    } else if !hasAnswer {
      output.problem("no provider answered", hint: "see above, or run forage doctor")
    }
  }

  private func writeNote(_ outcome: ProviderOutcome) {
    let label = label(outcome)
    if let error = outcome.error, !isToldBefore(outcome) {
      let kept =
        outcome.state == .partial
        ? " (its first \(HumanFormat.plural(outcome.returned, "result")) \(outcome.returned == 1 ? "is" : "are") in the list)"
        : ""
      output.problem("\(label): " + error.message + kept, hint: error.hint)
    }
    // Who has said what is wrong needs no second reason.
    if outcome.isIncomplete, outcome.error == nil {
      output.problem(
        "\(label): \(outcome.name) ran out of time, so its list may lack results",
        hint: "make the query more specific")
    }
    if outcome.isStale, let age = outcome.cacheAge {
      output.problem(
        "\(label): \(outcome.name) could not be asked; its answer is \(HumanFormat.duration(age)) old",
        hint: "run again when it can be reached")
    }
    if outcome.isScanLimited {
      output.problem(
        "\(label): only its first \(outcome.requests) pages were checked for \(outcome.residual.joined(separator: ", "))",
        hint: "make the rest of the query more specific")
    }
    for shortfall in outcome.shortfalls {
      output.problem("\(label): " + Self.reached(outcome) + shortfall.message, hint: shortfall.hint)
    }
    if outcome.shortfalls.isEmpty, let reachable = outcome.reachable, let total = outcome.total {
      output.problem(
        "\(label): \(outcome.name) gives out only \(reachable) of its \(total.value) results",
        hint: "split the search, for example by created: or stars: ranges")
    }
    if outcome.unreadable > 0 {
      output.problem(
        "\(label): \(HumanFormat.plural(outcome.unreadable, "result")) of \(outcome.name) could not be read and \(outcome.unreadable == 1 ? "is" : "are") left out",
        hint: "run again with --verbose to see the request")
    }
    if outcome.isSortApproximate, outcome.state.isAnswer, let total = outcome.total,
      total.value > outcome.returned
    {
      output.problem(
        "\(label): cannot sort by this key, so only its first \(HumanFormat.plural(outcome.returned, "result")) are sorted",
        hint: "choose a provider that can, with --provider")
    }
  }

  /// What names an outcome: its provider, with the kind where its others have another story.
  private func label(_ outcome: ProviderOutcome) -> String {
    let isShared = result.outcomes.allSatisfy { $0.id != outcome.id || Self.failAlike($0, outcome) }
    return isShared ? outcome.id : "\(outcome.id) (\(outcome.kind.rawValue))"
  }

  /// Whether another kind of the same provider failed in the same way: a server that is down is told of once.
  private func isToldBefore(_ outcome: ProviderOutcome) -> Bool {
    let same = result.outcomes.first { $0.id == outcome.id && Self.failAlike($0, outcome) }
    return same.map { $0.kind != outcome.kind } ?? false
  }

  private static func failAlike(_ a: ProviderOutcome, _ b: ProviderOutcome) -> Bool {
    a.kind == b.kind || (!a.state.isAnswer && a.state == b.state && a.error?.message == b.error?.message)
  }

  /// How much of a list was reached, where that is known to be less than all.
  private static func reached(_ outcome: ProviderOutcome) -> String {
    guard let reachable = outcome.reachable, let total = outcome.total, reachable < total.value else {
      return ""
    }
    return
      "only \(HumanFormat.grouped(reachable)) of its \(HumanFormat.grouped(total.value)) results were reached: "
  }

  private func writeFooter() {
    let parts = result.outcomes.filter(\.state.isAnswer).map { outcome in
      let total =
        outcome.total.map {
          " of \($0.relation == .atLeast ? "at least " : "")\(HumanFormat.count($0.value))"
        }
        ?? ""
      return "\(label(outcome)) \(outcome.returned)\(total) in \(HumanFormat.duration(outcome.elapsed))"
    }
    if let next {
      output.writeMessage(
        Style.dim.apply("more: \(continuation ?? "--after " + next)", output.hasMessageColor) + "\n")
    }
    if !parts.isEmpty {
      output.writeMessage(Style.dim.apply(parts.joined(separator: " · "), output.hasMessageColor) + "\n")
    }
  }
}
