import ForageCore

extension ComplianceCheck {
  static let cursorChecks = [
    ComplianceCheck("cursor-advances", "every page with items has a new item") { trial in
      guard trial.walks.contains(where: { $0.pages.first?.next != nil }) else {
        return .notApplicable("no list has a second page")
      }
      return .evaluated(
        trial.walks.compactMap { walk in
          guard case .repeating = walk.end else { return nil }
          return Observation(
            walk.subject(page: walk.steps.count), "a new item",
            "the cursor \(cursor(walk)) leads to items of earlier pages")
        })
    },
    ComplianceCheck("cursor-ends", "a list that is read page by page ends") { trial in
      let endless = trial.walks.compactMap(endlessWalk)
      guard !endless.isEmpty || trial.walks.contains(where: \.isWhole) else {
        return .notApplicable("no list was read to its end in \(ProviderComplianceTests.maximumPages) pages")
      }
      return .evaluated(endless)
    },
    ComplianceCheck("cursor-repeatable", "the same cursor gives the same page again", callsProvider: true) {
      trial in
      let places = [trial.secondPages.first, trial.secondPagesOfFeeds.first].compactMap(\.self)
      guard !places.isEmpty else { return .notApplicable("no list has a second page") }
      var faults: [Observation] = []
      for (walk, step) in places {
        faults += await trial.comparing(walk.subject(page: 1) + " requested again", walk, step)
      }
      return .evaluated(faults)
    },
    ComplianceCheck("cursor-lasts", "a new instance of the provider accepts a cursor", callsProvider: true) {
      trial in
      guard let make = trial.make else { return .notApplicable("the run cannot create a new instance") }
      let places = [trial.secondPages.last, trial.secondPagesOfFeeds.last].compactMap(\.self)
      guard let first = places.first else { return .notApplicable("no list has a second page") }
      let anew = " of a new instance"
      let subject = first.walk.subject(page: 1) + anew
      switch await trial.probe.call(subject, limit: trial.patience, make) {
      case .value(let other):
        var faults: [Observation] = []
        for (walk, step) in places {
          faults += await trial.comparing(walk.subject(page: 1) + anew, walk, step, other: other)
        }
        return .evaluated(faults)
      case .failed(let error):
        return .evaluated([
          Observation(subject, "a provider", "creating it failed with \(ReportText.error(error))")
        ])
      case .late: return .evaluated([Observation(subject, "a provider", "creating it did not end")])
      }
    },
  ]

  private static func cursor(_ walk: Walk) -> String {
    ReportText.short(QueryTerm.quoted(walk.steps.last?.page.next ?? ""))
  }

  private static func endlessWalk(_ walk: Walk) -> Observation? {
    switch walk.end {
    case .empty:
      return Observation(
        walk.subject(page: walk.steps.count - 1), "the end of the list after empty pages",
        "there are more than \(Trial.emptyPages) in a row and the cursor \(cursor(walk)) leads to another page"
      )
    case .capped where walk.steps.count >= ProviderComplianceTests.maximumPages:
      // A long list without an exact total cannot be told from an endless one, see `uncheckedEnds`.
      guard let total = walk.pages.last?.total, total.relation == .equal, total.value <= walk.items.count
      else { return nil }
      return Observation(
        walk.label, "an end after all \(ReportText.count(total.value, "item"))",
        "the cursor \(cursor(walk)) leads to another page")
    default: return nil
    }
  }
}

extension Trial {
  /// The lists that go on after the pages that were read, as a note.
  var uncheckedEnds: [String] {
    let rest = walks.filter { walk in
      guard case .capped = walk.end else { return false }
      return walk.sort == nil && walk.steps.count >= ProviderComplianceTests.maximumPages
    }
    guard !rest.isEmpty else { return [] }
    return [
      "not checked to the end, because there are more than \(ProviderComplianceTests.maximumPages) pages (use a rarer sample word): "
        + rest.map(\.label).joined(separator: ", ")
    ]
  }

  var secondPages: [(walk: Walk, step: Walk.Step)] {
    wordWalks.compactMap { walk in walk.steps.count > 1 ? (walk, walk.steps[1]) : nil }
  }

  var secondPagesOfFeeds: [(walk: Walk, step: Walk.Step)] {
    walks.compactMap { walk in walk.isFeed && walk.steps.count > 1 ? (walk, walk.steps[1]) : nil }
  }

  /// Requests a page again and returns how it differs from the first time.
  func comparing(_ subject: String, _ walk: Walk, _ step: Walk.Step, other: (any SearchProvider)? = nil)
    async -> [Observation]
  {
    var request = walk.request
    request.cursor = step.cursor
    let answer = await ask(subject, request, isFeed: walk.isFeed, other: other)
    return answer.result.fault(subject, "the same items as before") { Self.difference($0, step.page) }
  }

  /// Describes how the items of a page differ from the expected ones; `nil` if they do not.
  static func difference(_ page: SearchPage, _ wanted: SearchPage) -> String? {
    let (found, expected) = (page.items.map(\.id), wanted.items.map(\.id))
    guard found != expected else { return nil }
    let place = zip(found, expected).enumerated().first { $0.element.0 != $0.element.1 }
    if let place {
      return "item \(place.offset + 1) is \(ReportText.short(place.element.0)) "
        + "instead of \(ReportText.short(place.element.1))"
    }
    return "there are \(ReportText.count(found.count, "item")) instead of \(expected.count)"
  }
}
