import Forage
import ForageCore
import ForagePlatform

/// A message about a list, which is written after it.
struct ListMessage {
  enum Level { case message, warning, problem }

  var level: Level
  var message: String
  var hint = ""

  static func warning(_ message: String, hint: String) -> ListMessage {
    ListMessage(level: .warning, message: message, hint: hint)
  }

  func write(to output: Output) {
    switch level {
    case .message: output.message(message)
    case .warning: output.warning(message, hint: hint)
    case .problem: output.problem(message, hint: hint)
    }
  }
}

extension SearchRendering {
  /// Writes on standard error what is missing and why, and on a terminal how many results there are.
  func writeNotes() {
    for note in notes { note.write(to: output) }
    if hasRowPerMatch {
      missingLines?.write(to: output)
      if !style.isForEditors { missingFiles?.write(to: output) }
    }
    if output.isMessageTerminal, output.isTerminal, style.showsList {
      writeFooter()
    } else if style.isForEditors, report.hasMore, mayGoOn, let counts {
      output.message(counts + "; print more with --limit")
    }
    let isAnswered = result.outcomes.contains { !$0.state.isExcluded }
    if result.items.isEmpty, isAnswered, !result.outcomes.contains(where: \.isWithoutAnswer) {
      let hasEmptyCatalogue = result.outcomes.contains {
        $0.id == BuiltInProvider.clonesID && $0.state == .skipped
      }
      output.warning(
        "nothing found",
        hint: (style.adviceForNothing
          ?? (report.search.query?.isOneWord == true ? "use other words" : "use fewer words or qualifiers")
            + (hasEmptyCatalogue ? ", or add clone folders with: forage clones add DIR" : "")
            + (leavesOutChanges ? "; \(Self.adviceForChanges)" : ""))
          + unsearched + whoWasNotAsked)
    }
  }

  /// How many clones were not searched because of their format; empty if none.
  private var unsearched: String {
    let count = result.outcomes.reduce(0) { $0 + ($1.coverage?.skipped["unsupported"] ?? 0) }
    return count == 0
      ? ""
      : "; \(HumanFormat.plural(count, "clone")) of an unsupported format \(count == 1 ? "was" : "were") not searched"
  }

  private static let adviceForChanges =
    "to search uncommitted changes too, add --worktree with repo: or path:"

  /// Whether code was searched in clones without their uncommitted changes.
  private var leavesOutChanges: Bool {
    !report.search.matches.searchesWorkTrees
      && result.outcomes.contains {
        $0.id == BuiltInProvider.clonesID && $0.kind == .code && $0.state.isAnswer
      }
      && !ReferencePath.isInClone(".")
  }

  /// How many matching lines of code have no row, `nil` where each has one.
  private var missingLines: ListMessage? {
    guard isCode, style.showsList else { return nil }
    var (lines, most): (Count, Count) = (0, 0)
    for item in result.items {
      guard let count = item.result[.matchCount]?.count, let found = item.result[.matches]?.elements.count
      else { continue }
      let missing = (count - found) * (style.isForEditors ? Self.files(item).count : 1)
      if missing > 0 { (lines, most) = (lines + missing, max(most, count)) }
    }
    guard lines > 0 else { return nil }
    return .warning(
      "\(HumanFormat.plural(lines.value, "matching line")) \(lines == 1 ? "is" : "are") not printed",
      hint: style.isForEditors
        ? "leave --matches out to print all" : "to print every line of each file, add --matches \(most)")
  }

  /// How many files that fit have no row because another one with the same content has it, `nil` where there
  /// are none.
  private var missingFiles: ListMessage? {
    guard isCode, style.showsList else { return nil }
    let count = result.items.reduce(0) { $0 + Self.otherPlaces($1).count }
    guard count > 0 else { return nil }
    return .warning(
      "\(HumanFormat.plural(count, "identical file")) \(count == 1 ? "is" : "are") not printed",
      hint: "print the lines of each with --vimgrep, or the list of them with --format json")
  }

  /// What is missing and why.
  var notes: [ListMessage] {
    result.outcomes.filter { !$0.state.isExcluded }.flatMap { notes($0) + checked($0) } + excluded
  }

  /// Who was asked, and which built-in providers the settings keep from it; empty where they keep none.
  private var whoWasNotAsked: String {
    let disabled = choice.disabled
    guard let first = disabled.first else { return "" }
    // A forge that lacks a repository was asked, too.
    let asked = result.outcomes.filter { !$0.state.isExcluded || $0.requests > 0 }.map(\.id)
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

  /// Why providers took no part: those that the user named, all where none was asked, and all on request.
  private var excluded: [ListMessage] {
    let excluded = result.outcomes.filter(\.state.isExcluded)
    if result.outcomes.areUnsupportedTogether(named: choice.named),
      let failure = result.failure(named: choice.named)
    {
      let hint = result.outcomes.nearest?.advice(callingIssues: style.nameOfIssues) ?? ""
      return [ListMessage(level: .problem, message: failure.message, hint: hint)]
    }
    let isNoneAsked = excluded.count == result.outcomes.count
    var written: Set<String> = []
    return excluded.compactMap { outcome in
      let reason = outcome.reason ?? outcome.state.rawValue
      guard written.insert("\(outcome.id): \(reason)").inserted else { return nil }
      if choice.named.contains(outcome.id) || isNoneAsked {
        return ListMessage(
          level: result.outcomes.areAllUnsupported ? .problem : .warning, message: "\(outcome.id): \(reason)",
          hint: outcome.advice(callingIssues: style.nameOfIssues))
      }
      return listsExcluded
        ? ListMessage(level: .message, message: "\(outcome.id): \(outcome.state.rawValue): \(reason)") : nil
    }
  }

  /// Whether standard error lists the providers that took no part, and the conditions that were checked here.
  private var listsExcluded: Bool { style.explains && !style.format.hasEnvelope }

  /// Which conditions were not sent to a provider but checked on its results.
  private func checked(_ outcome: ProviderOutcome) -> [ListMessage] {
    guard listsExcluded, !outcome.residual.isEmpty else { return [] }
    let names = outcome.residual.map { $0 == "text" ? "words" : $0 }
    return [
      ListMessage(
        level: .message, message: "\(label(outcome)): checked here: \(names.joined(separator: ", "))")
    ]
  }

  private func notes(_ outcome: ProviderOutcome) -> [ListMessage] {
    let label = label(outcome)
    var notes: [ListMessage] = []
    if let error = outcome.error, !result.outcomes.hasReported(outcome), !style.isKnown(error) {
      let count = shownCount(outcome)
      let old = outcome.staleness.map { "; " + $0 } ?? ""
      let kept =
        old.isEmpty && outcome.state == .partial && !outcome.isPartialByItsWord
          && !outcome.isMissingItems && count > 0
        ? "; \(HumanFormat.plural(count, "result")) from it \(count == 1 ? "is" : "are") in the list"
        : ""
      // What decides the exit status is an error, anything else a warning.
      let isError =
        result.items.isEmpty && outcome.isWithoutAnswer
        || outcome.state.isFailure && !outcome.lacksFiles && choice.named.contains(outcome.id)
      notes.append(
        ListMessage(
          level: isError ? .problem : .warning, message: "\(label): " + error.message + old + kept,
          hint: outcome.advice + (isWithoutNetwork(outcome) ? Self.onlyClones : "")))
    }
    // An error is reason enough, and has the age of the answer.
    for note in outcome.notes
    where outcome.error == nil || ![.incompleteResults, .stale].contains(note.code) {
      notes.append(.warning("\(label): " + note.message, hint: note.advice))
    }
    return notes
  }

  /// The end of a hint for a search that clones can answer, too.
  static let onlyClones = ", or search only clones with -p local"

  /// Whether a provider that was not named could not be reached, and clones have the same kind of results.
  private func isWithoutNetwork(_ outcome: ProviderOutcome) -> Bool {
    [.unreachable, .circuitOpen].contains(outcome.error?.code) && choice.named.isEmpty
      && result.outcomes.contains {
        $0.id == BuiltInProvider.clonesID && $0.kind == outcome.kind && $0.state.isAnswer
      }
  }

  private func label(_ outcome: ProviderOutcome) -> String { result.outcomes.label(of: outcome) }

  /// Writes the command for the next page, and how many results are shown of how many.
  private func writeFooter() {
    if let next = style.continuation, report.hasMore, !result.items.isEmpty, mayGoOn {
      output.footer(next, label: "more: ")
    }
    if let counts { output.footer(counts) }
    if let changes { output.footer(changes) }
  }

  /// How many results of a list of issues are pull requests, and how to leave them out; `nil` where they are
  /// all or none.
  private var changes: String? {
    let issues = result.items.filter { $0.result.kind == .issue }
    let count = issues.count { $0.result[.isPullRequest]?.flag == true }
    guard count > 0, count < issues.count else { return nil }
    return
      "\(count) of \(issues.count) \(count == 1 ? "is a pull request" : "are pull requests"); leave them out with is:issue"
  }

  /// Whether a next page may have results: not where all is shown but what a provider that failed keeps back.
  private var mayGoOn: Bool {
    report.offset > 0
      || result.outcomes.contains { outcome in
        switch outcome.state {
        case .ok, .partial:
          // What is left out of a whole list is on no further page.
          guard let total = outcome.total, total.relation != .atLeast || outcome.isPartialByItsWord else {
            return true
          }
          return total.value > shownCount(outcome)
        default: return false
        }
      }
  }

  /// The number of results in the list that a provider found.
  private func shownCount(_ outcome: ProviderOutcome) -> Int {
    result.items.count { item in
      item.result.kind == outcome.kind && item.sources.contains { $0.provider == outcome.id }
    }
  }

  /// What stands before a total, `nil` where it says nothing: results that are not read yet may fail the
  /// conditions that are checked here.
  private static func bound(_ outcome: ProviderOutcome, _ total: ResultTotal, shown: Int) -> String? {
    if total.relation == .atLeast { return outcome.residual.isEmpty ? "at least " : nil }
    return outcome.residual.isEmpty || total.value <= shown ? "" : "at most "
  }

  /// How many results of each provider are shown, and of how many where more are known; `nil` for an empty
  /// list.
  var counts: String? {
    let count = result.items.count
    guard count > 0 else { return nil }
    let answers = result.outcomes.filter(\.state.isAnswer)
    let end = report.offset + count
    let (first, last) = (report.offset + 1, HumanFormat.grouped(end))
    if answers.count == 1, let total = answers[0].total,
      let bound = Self.bound(answers[0], total, shown: end)
    {
      let most = max(end, total.value)
      let all = "\(bound)\(HumanFormat.grouped(most))"
      if first == 1, bound.isEmpty, most == end {
        return "\(HumanFormat.plural(count, "result")) from \(label(answers[0]))"
      }
      guard first == 1 || count > 1 else {
        return "showing result \(last) of \(all) from \(label(answers[0]))"
      }
      let range = first > 1 ? "\(HumanFormat.grouped(first)) to \(last)" : last
      return "showing \(range) of \(all) \(most == 1 ? "result" : "results") from \(label(answers[0]))"
    }
    var isWhole = first == 1
    let parts = answers.compactMap { outcome -> String? in
      let shown = shownCount(outcome)
      // Who found nothing has no part in the list.
      if shown == 0, outcome.total?.value ?? 0 == 0 { return nil }
      let bound = outcome.total.flatMap { Self.bound(outcome, $0, shown: shown) }
      let most = max(shown, outcome.total?.value ?? shown)
      let isAll = bound == "" && most == shown
      isWhole = isWhole && isAll
      let total = isAll ? nil : bound.map { " of \($0)\(HumanFormat.grouped(most))" }
      return "\(HumanFormat.grouped(shown))\(total ?? "") from \(label(outcome))"
    }
    let range =
      first == 1
      ? HumanFormat.plural(count, "result")
      : count == 1 ? "result \(last)" : "results \(HumanFormat.grouped(first)) to \(last)"
    return (isWhole && !parts.isEmpty ? range : "showing \(range)") + (parts.isEmpty ? "" : ": ")
      + parts.joined(separator: ", ")
  }
}
