import ForageCore

extension ComplianceCheck {
  /// The checks of how pages lead to each other.
  static let cursorChecks = [
    ComplianceCheck("cursor-advances", "every page with items holds something new") { trial in
      guard trial.walks.contains(where: { $0.pages.first?.next != nil }) else {
        return .notApplicable("no list has a second page")
      }
      return .evaluated(
        trial.walks.compactMap { walk in
          guard case .repeating = walk.end else { return nil }
          return Observation(
            walk.subject(page: walk.steps.count), "something new",
            "the cursor \(cursor(walk)) leads to items that were there before")
        })
    },
    ComplianceCheck("cursor-ends", "following the cursors comes to an end") { trial in
      let endless = trial.walks.compactMap { endlessness($0, trial) }
      guard !endless.isEmpty || trial.walks.contains(where: \.isWhole) else {
        return .notApplicable("no list was read to its end in \(trial.samples.maximumPages) pages")
      }
      return .evaluated(endless)
    },
    ComplianceCheck("cursor-repeatable", "the same cursor twice gives the same page", asks: true) { trial in
      let places = [trial.secondPages.first, trial.secondPagesOfFeeds.first].compactMap(\.self)
      guard !places.isEmpty else { return .notApplicable("no list has a second page") }
      var faults: [Observation] = []
      for (walk, step) in places {
        faults += await trial.comparing(walk.subject(page: 1) + " again", walk, step)
      }
      return .evaluated(faults)
    },
    ComplianceCheck("cursor-lasts", "a cursor is understood by the provider made anew", asks: true) { trial in
      guard let make = trial.make else { return .notApplicable("the run cannot make the provider anew") }
      let places = [trial.secondPages.last, trial.secondPagesOfFeeds.last].compactMap(\.self)
      guard let first = places.first else { return .notApplicable("no list has a second page") }
      let anew = " of the provider made anew"
      let subject = first.walk.subject(page: 1) + anew
      switch await trial.probe.call(subject, limit: trial.patience, make) {
      case .value(let other):
        var faults: [Observation] = []
        for (walk, step) in places {
          faults += await trial.comparing(walk.subject(page: 1) + anew, walk, step, other: other)
        }
        return .evaluated(faults)
      case .failed(let error):
        return .evaluated([Observation(subject, "a provider", "making it threw \(Legible.error(error))")])
      case .late: return .evaluated([Observation(subject, "a provider", "making it never ended")])
      }
    },
  ]

  private static func cursor(_ walk: Walk) -> String {
    Legible.short(QueryTerm.quoted(walk.steps.last?.page.next ?? ""))
  }

  private static func endlessness(_ walk: Walk, _ trial: Trial) -> Observation? {
    switch walk.end {
    case .empty:
      return Observation(
        walk.subject(page: walk.steps.count - 1), "the end of the list after empty pages",
        "\(Trial.emptyPages) follow each other and the cursor \(cursor(walk)) leads on")
    case .capped where walk.isPlain && walk.steps.count >= trial.samples.maximumPages:
      // A list that says of itself that it is longer may be.
      let total = walk.pages.last?.total
      let seen = walk.items.count
      if total?.relation == .atLeast || (total?.value ?? 0) > seen { return nil }
      if let reachable = trial.reachable(walk), reachable > seen { return nil }
      return Observation(
        walk.label, "an end within \(trial.samples.maximumPages) pages (or a rarer sample word)",
        "the cursor \(cursor(walk)) leads on")
    default: return nil
    }
  }
}

extension Walk {
  /// Whether the list was to be read as far as the samples allow.
  fileprivate var isPlain: Bool {
    switch purpose {
    case .word, .condition, .feed(nil, _): true
    case .sort, .largest, .feed: false
    }
  }
}

extension Trial {
  /// The lists of which a second page was read, with that page.
  var secondPages: [(walk: Walk, step: Walk.Step)] {
    wordWalks.compactMap { walk in walk.steps.count > 1 ? (walk, walk.steps[1]) : nil }
  }

  /// The feeds of which a second page was read, with that page.
  var secondPagesOfFeeds: [(walk: Walk, step: Walk.Step)] {
    walks.compactMap { walk in walk.isFeed && walk.steps.count > 1 ? (walk, walk.steps[1]) : nil }
  }

  /// Asks for a page that was read before and tells how it differs.
  func comparing(_ subject: String, _ walk: Walk, _ step: Walk.Step, other: (any SearchProvider)? = nil)
    async -> [Observation]
  {
    var request = walk.request
    request.cursor = step.cursor
    let expected = "the same items as before"
    switch await ask(subject, request, isFeed: walk.isFeed, other: other).result {
    case .value(let page):
      return Self.difference(page, step.page).map { [Observation(subject, expected, $0)] } ?? []
    case .failed(let error): return [Observation(subject, expected, "it threw \(Legible.error(error))")]
    case .late: return [Observation(subject, expected, "it never came")]
    }
  }

  /// How the items of a page differ from what they should be.
  static func difference(_ page: SearchPage, _ wanted: SearchPage) -> String? {
    let (found, expected) = (page.items.map(\.id), wanted.items.map(\.id))
    guard found != expected else { return nil }
    let place = zip(found, expected).enumerated().first { $0.element.0 != $0.element.1 }
    if let place {
      return "item \(place.offset + 1) is \(Legible.short(place.element.0)) "
        + "instead of \(Legible.short(place.element.1))"
    }
    return "there are \(Legible.count(found.count, "item")) instead of \(expected.count)"
  }
}
