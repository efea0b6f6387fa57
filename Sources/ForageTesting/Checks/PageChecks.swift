import ForageCore

extension ComplianceCheck {
  /// The share of items that must be readable: a live source has a few odd rows, a wrong mapping many.
  private static let readableTenths = 9

  static let sampleChecks = [
    ComplianceCheck("samples", "the samples are valid and have results of each kind") { trial in
      .evaluated(trial.sampleFaults + trial.unfound)
    },
    ComplianceCheck("answers", "every plain query and every feed has an answer") { trial in
      guard !trial.walks.isEmpty else { return .notApplicable("no search is possible") }
      return .evaluated(
        trial.walks.compactMap { walk in
          guard case .failed(let error) = walk.end else { return nil }
          let subject = walk.subject(page: walk.steps.count)
          return Observation(subject, "an answer", "it failed with \(ReportText.error(error))")
        })
    },
  ]

  static let pageChecks = [
    ComplianceCheck("page-size", "no page is larger than requested") { trial in
      trial.everyPage { walk, _, page in
        let size = walk.request.pageSize
        guard page.items.count > size else { return nil }
        return ("at most \(ReportText.count(size, "item"))", "it has \(page.items.count)")
      }
    },
    ComplianceCheck("counts", "totals and numbers of unreadable items are not negative") { trial in
      trial.everyPage { _, _, page in
        if let total = page.total, total.value < 0 { return ("a total of 0 or more", "it is \(total.value)") }
        if page.unreadable < 0 { return ("0 unreadable items or more", "it is \(page.unreadable)") }
        return nil
      }
    },
    ComplianceCheck("readable", "at least \(readableTenths) of 10 items can be read") { trial in
      let pages = trial.walks.flatMap(\.pages)
      let lost = pages.reduce(0) { $0 + max(0, $1.unreadable) }
      let all = lost + pages.reduce(0) { $0 + $1.items.count }
      guard all > 0 else { return .notApplicable("no item was found") }
      guard (all - lost) * 10 < all * readableTenths else { return .evaluated([]) }
      return .evaluated([
        Observation(
          "all lists", "at least \(readableTenths) of 10 items to be readable",
          "\(lost) of \(all) were left out; each needs id, kind, title and a web address")
      ])
    },
    ComplianceCheck("unapplied", "`unapplied` names only qualifiers that were sent") { trial in
      trial.everyPage { walk, _, page in
        let sent = walk.request.query?.qualifiers.map(\.name)
        let other = page.unapplied.subtracting(sent ?? []).sorted()
        guard !other.isEmpty else { return nil }
        let names = sent.map { $0.isEmpty ? "no qualifier" : $0.joined(separator: ", ") } ?? "no qualifier"
        return ("nothing unapplied but what was sent (\(names))", "it names \(other.joined(separator: ", "))")
      }
    },
    ComplianceCheck("requests-counted", "the requests of the provider are counted") { trial in
      guard trial.samples.sendsRequests else {
        return .notApplicable("the samples do not say that it sends requests")
      }
      return .evaluated(
        trial.walks.compactMap { walk in
          guard let first = walk.steps.first, first.requests < 1 else { return nil }
          return Observation(walk.subject(page: 0), "1 request or more", "\(first.requests) were counted")
        })
    },
  ]
}

extension Trial {
  /// Evaluates a rule on every page.
  ///
  /// - Parameter fault: Returns how a page violates the rule, as expected and found; `nil` if it does not.
  func everyPage(_ fault: (Walk, Int, SearchPage) -> (expected: String, found: String)?) -> Verdict {
    guard walks.contains(where: { !$0.steps.isEmpty }) else { return .notApplicable("no page was delivered") }
    return .evaluated(
      walks.flatMap { walk in
        walk.pages.enumerated().compactMap { number, page in
          fault(walk, number, page).map {
            Observation(walk.subject(page: number), $0.expected, $0.found)
          }
        }
      })
  }

  /// The kinds for which no sample word has results although every search was answered.
  fileprivate var unfound: [Observation] {
    kinds.compactMap { kind in
      guard abilities[kind] != nil else {
        return Observation("the samples", "kinds that the provider offers", "\(kind.rawValue) is not one")
      }
      let asked = wordWalks.filter { $0.request.kind == kind }
      if asked.isEmpty, !samples.words.isEmpty, probe.hangs == 0 {
        return Observation("the kind \(kind.rawValue)", "a search for a sample word", "it takes no words")
      }
      guard asked.contains(where: \.isWhole), asked.allSatisfy(\.items.isEmpty) else { return nil }
      return Observation(
        "the kind \(kind.rawValue)", "items for one of the words \(samples.words.joined(separator: ", "))",
        "there are none")
    }
  }
}
