import Forage
import ForageCore
import ForageLocal

extension SearchRendering {
  /// Writes on standard error what is missing and why, and on a terminal how many results there are.
  func writeNotes() {
    for outcome in result.outcomes where !outcome.state.isExcluded {
      writeNote(outcome)
      writeChecked(outcome)
    }
    writeExcluded()
    if output.isMessageTerminal, output.isTerminal, showsList { writeFooter() }
    let isAnswered = result.outcomes.contains { !$0.state.isExcluded }
    if result.items.isEmpty, isAnswered, !result.outcomes.contains(where: \.state.isFailure) {
      let hasEmptyCatalogue = result.outcomes.contains { $0.id == LocalProvider.id && $0.state == .skipped }
      output.warning(
        "nothing found",
        hint: (adviceForNothing
          ?? (hasOneWord ? "use other words" : "use fewer words or qualifiers")
            + (hasEmptyCatalogue ? ", or add clone folders with: forage clones add DIR" : ""))
          + whoWasNotAsked)
    }
  }

  /// Who was asked, and which built-in providers the settings keep from it; empty where they keep none.
  private var whoWasNotAsked: String {
    guard let first = disabled.first else { return "" }
    let asked = result.outcomes.filter { !$0.state.isExcluded }.map(\.id)
    return "; \(disabled.joined(separator: ", ")) \(disabled.count == 1 ? "is" : "are") disabled, only "
      + "\(Set(asked).sorted().joined(separator: ", ")) was asked (see: forage providers enable \(first))"
  }

  /// Writes on standard error which providers had not answered when the user interrupted the search.
  func writeInterruption() {
    var awaited: [String] = []
    for outcome in result.outcomes where outcome.error?.code == .cancelled && !awaited.contains(outcome.id) {
      awaited.append(outcome.id)
    }
    output.problem(
      awaited.isEmpty ? "interrupted" : "interrupted while waiting for \(awaited.joined(separator: ", "))",
      hint: "")
  }

  /// Writes why providers were not asked: those that the user named, all where none was asked, and all on request.
  private func writeExcluded() {
    let excluded = result.outcomes.filter(\.state.isExcluded)
    if result.outcomes.areAllUnsupported(named: named),
      let failure = result.failure(named: named)
    {
      return output.problem(
        failure.message, hint: result.outcomes.nearest?.advice(callingIssues: nameOfIssues) ?? "")
    }
    let isNoneAsked = excluded.count == result.outcomes.count
    var written: Set<String> = []
    for outcome in excluded {
      let line = "\(outcome.id): \(outcome.reason ?? outcome.state.rawValue)"
      guard written.insert(line).inserted else { continue }
      if named.contains(outcome.id) || isNoneAsked {
        output.warning(line, hint: outcome.advice(callingIssues: nameOfIssues))
      } else if listsExcluded {
        output.message("\(outcome.id): not asked: \(outcome.reason ?? outcome.state.rawValue)")
      }
    }
  }

  /// Writes which conditions were not sent to a provider but checked on its results.
  private func writeChecked(_ outcome: ProviderOutcome) {
    guard listsExcluded, !outcome.residual.isEmpty else { return }
    let names = outcome.residual.map { $0 == "text" ? "words" : $0 }
    output.message("\(label(outcome)): checked here: \(names.joined(separator: ", "))")
  }

  private func writeNote(_ outcome: ProviderOutcome) {
    let label = label(outcome)
    if let error = outcome.error, !result.outcomes.hasReported(outcome) {
      let kept =
        outcome.state == .partial && outcome.coverage == nil
        ? "; its first \(HumanFormat.plural(outcome.returned, "result")) \(outcome.returned == 1 ? "is" : "are") in the list"
        : ""
      // What decides the exit status is an error, anything else a warning.
      if outcome.state.isFailure, result.items.isEmpty || named.contains(outcome.id) {
        output.problem("\(label): " + error.message + kept, hint: outcome.advice)
      } else {
        output.warning("\(label): " + error.message + kept, hint: outcome.advice)
      }
    }
    // An error is reason enough.
    if outcome.isIncomplete, outcome.error == nil {
      output.warning(
        "\(label): \(outcome.name) reports that its list is incomplete",
        hint: "make the query more specific")
    }
    if outcome.cache.isStale, let age = outcome.cache.age {
      output.warning(
        "\(label): \(outcome.name) was not asked again; its answer is from the cache and \(HumanFormat.span(age)) old",
        hint: "to refresh it, run again without --offline when the server can be reached")
    }
    if outcome.isScanLimited {
      let names = outcome.residual.joined(separator: ", ")
      output.warning(
        "\(label): only \(HumanFormat.plural(outcome.pages, "page")) of results \(outcome.pages == 1 ? "was" : "were") checked for \(names)",
        hint: "make the rest of the query more specific")
    }
    for shortfall in outcome.shortfalls {
      output.warning("\(label): " + Self.reached(outcome) + shortfall.message, hint: shortfall.advice)
    }
    if outcome.shortfalls.isEmpty, let reachable = outcome.reachable, let total = outcome.total {
      output.warning(
        "\(label): \(outcome.name) returns at most \(HumanFormat.grouped(reachable)) of \(HumanFormat.grouped(total.value)) results",
        hint: "split the search, for example by created: or stars: ranges")
    }
    if outcome.unreadable > 0 {
      output.warning(
        "\(label): \(HumanFormat.plural(outcome.unreadable, "result")) of \(outcome.name) could not be read and \(outcome.unreadable == 1 ? "is" : "are") left out",
        hint: "run again with --verbose to see why")
    }
    if outcome.isSortApproximate, outcome.state.isAnswer, outcome.returned > 0, let total = outcome.total,
      total.value > outcome.returned
    {
      output.warning(
        "\(label): cannot sort by this key, so only its first \(HumanFormat.plural(outcome.returned, "result")) are sorted",
        hint: "choose a provider that can, with --provider")
    }
  }

  private func label(_ outcome: ProviderOutcome) -> String { result.outcomes.label(of: outcome) }

  /// How much of a list was reached, where that is known to be less than all.
  private static func reached(_ outcome: ProviderOutcome) -> String {
    guard let reachable = outcome.reachable, let total = outcome.total, reachable < total.value else {
      return ""
    }
    return
      "only \(HumanFormat.grouped(reachable)) of its \(HumanFormat.grouped(total.value)) results were reached: "
  }

  /// Writes the cursor of the next page, and how many results are shown of how many.
  private func writeFooter() {
    if let next, !result.items.isEmpty, mayGoOn {
      output.footer(continuation ?? "--after " + next, label: "more: ")
    }
    if let counts { output.footer(counts) }
  }

  /// Whether a next page may have results: not where all is shown but what a limit, a refused token or a refused query keeps back.
  private var mayGoOn: Bool {
    let isFirstPage = result.nextOffset == result.items.count
    return !isFirstPage
      || result.outcomes.contains { outcome in
        switch outcome.state {
        case .ok, .partial:
          guard let total = outcome.total, total.relation != .atLeast else { return true }
          return total.value > shownCount(outcome)
        case .unauthorized, .rateLimited, .unsupported, .skipped: return false
        default: return outcome.error?.code != .invalidQuery
        }
      }
  }

  /// The number of results in the list that a provider found.
  private func shownCount(_ outcome: ProviderOutcome) -> Int {
    result.items.count { item in
      item.result.kind == outcome.kind && item.sources.contains { $0.provider == outcome.id }
    }
  }

  /// How many results of each provider are shown of how many, `nil` for an empty list.
  var counts: String? {
    let count = result.items.count
    guard count > 0 else { return nil }
    let answers = result.outcomes.filter(\.state.isAnswer)
    let first = result.nextOffset - count + 1
    if answers.count == 1, let total = answers[0].total {
      let range =
        first > 1
        ? "\(HumanFormat.grouped(first)) to \(HumanFormat.grouped(result.nextOffset))"
        : HumanFormat.grouped(count)
      let most = max(result.nextOffset, total.value)
      let bound = total.relation == .atLeast ? "at least " : ""
      return
        "showing \(range) of \(bound)\(HumanFormat.grouped(most)) \(most == 1 ? "result" : "results") from \(label(answers[0]))"
    }
    let parts = answers.compactMap { outcome -> String? in
      let shown = shownCount(outcome)
      // Who found nothing has no part in the list.
      if shown == 0, outcome.total?.value ?? 0 == 0 { return nil }
      let total = outcome.total.map { total in
        " of \(total.relation == .atLeast ? "at least " : "")\(HumanFormat.grouped(max(shown, total.value)))"
      }
      return "\(HumanFormat.grouped(shown))\(total ?? "") from \(label(outcome))"
    }
    let range =
      first > 1
      ? "results \(HumanFormat.grouped(first)) to \(HumanFormat.grouped(result.nextOffset))"
      : HumanFormat.plural(count, "result")
    return "showing \(range)" + (parts.isEmpty ? "" : ": ") + parts.joined(separator: ", ")
  }
}
