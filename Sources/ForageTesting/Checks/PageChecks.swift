import ForageCore

extension ComplianceCheck {
  static let pages = ComplianceCheck("pages", "no page is too large, and a list repeats nothing and ends") {
    trial in
    guard trial.walks.contains(where: { !$0.pages.isEmpty }) else {
      return .notApplicable("no page was read")
    }
    return .evaluated(
      trial.walks.flatMap { walk in
        let wrongEnd = wrongTotal(walk) ?? wrongEnd(walk, trial).map { ComplianceFinding(walk.label, $0) }
        return oversized(walk) + repeated(walk) + [wrongEnd].compactMap(\.self)
      })
  }

  private static func oversized(_ walk: Walk) -> [ComplianceFinding] {
    let size = walk.request.pageSize
    return walk.pages.enumerated().compactMap { number, page in
      guard page.items.count > size else { return nil }
      return ComplianceFinding(
        walk.subject(page: number),
        "it has \(ReportText.count(page.items.count, "item")), but \(size) were requested")
    }
  }

  private static func repeated(_ walk: Walk) -> [ComplianceFinding] {
    var places: [String: Int] = [:]
    return walk.sightings.compactMap { seen in
      // Another check finds items without an id.
      guard !seen.item.id.isEmpty else { return nil }
      guard let page = places.updateValue(seen.page, forKey: seen.item.id) else { return nil }
      return ComplianceFinding(seen.subject, "it was on page \(page + 1) already")
    }
  }

  /// A total that cannot be the number of all results. It may change a little while a list is read.
  private static func wrongTotal(_ walk: Walk) -> ComplianceFinding? {
    var seen: Set<String> = []
    var first: (page: Int, total: Int)?
    for (number, page) in walk.pages.enumerated() where !page.items.isEmpty {
      seen.formUnion(page.items.map(\.id))
      guard let total = page.total, total.relation == .equal else { continue }
      let what = "the total is \(total.value)"
      if total.value < seen.count {
        let count = ReportText.count(seen.count, "item")
        return ComplianceFinding(
          walk.subject(page: number), "\(what), but \(count) were sent: is it the number of all results?")
      }
      let known = first ?? (number, total.value)
      first = known
      let (low, high) = (min(known.total, total.value), max(known.total, total.value))
      if high - low > low {
        return ComplianceFinding(
          walk.subject(page: number),
          "\(what), and was \(known.total) on page \(known.page + 1): is it the number of all results?")
      }
    }
    return nil
  }

  private static func wrongEnd(_ walk: Walk, _ trial: Trial) -> String? {
    let next = ReportText.short(QueryTerm.quoted(walk.pages.last?.next ?? ""))
    let total = walk.pages.last?.total.flatMap { $0.relation == .equal ? $0.value : nil }
    switch walk.end {
    case .repeating: return "the cursor \(next) leads to a page of items that earlier pages have"
    case .empty:
      return "more than \(Trial.emptyPages) pages in a row have no items, and the cursor is still \(next)"
    case .limit:
      guard walk.isLong, let total, total <= walk.items.count else { return nil }
      return
        "all \(ReportText.count(total, "item")) were sent, but the cursor \(next) leads to a further page"
    case .ended:
      guard let total, !walk.pages.contains(where: { $0.notes.contains(where: \.isMissing) }) else {
        return nil
      }
      let known = walk.items.count + walk.pages.reduce(0) { $0 + max(0, $1.unreadable) }
      let reachable = walk.purpose == .feed ? nil : trial.abilities[walk.request.kind]?.reachable
      guard known < min(total, reachable ?? total) else { return nil }
      return
        "the list ends after \(known) of \(ReportText.count(total, "item")); is the cursor of the next page missing?"
    case .failed, .late: return nil
    }
  }

  static let cursors = ComplianceCheck(
    "cursors", "a cursor gives the same page again, and a wrong one is refused", callsProvider: true
  ) { trial in
    guard let first = trial.continued.first else { return .notApplicable("no list has a second page") }
    var findings: [ComplianceFinding] = []
    for walk in trial.continued { findings += await trial.comparingSecondPage(of: walk, "requested again") }
    return .evaluated(findings + (await trial.wrongCursor(first)))
  }

  static let restart = ComplianceCheck(
    "restart", "a cursor is still valid after a restart", callsProvider: true
  ) { trial in
    guard let make = trial.make else { return .notApplicable("the run cannot create a new instance") }
    guard !trial.continued.isEmpty else { return .notApplicable("no list has a second page") }
    switch await trial.call(make) {
    case .success(let other)?:
      var findings: [ComplianceFinding] = []
      for walk in trial.continued {
        findings += await trial.comparingSecondPage(of: walk, "after a restart", other)
      }
      return .evaluated(findings)
    case .failure(let error)?:
      return .evaluated([ComplianceFinding("a new instance", "it failed with \(ReportText.error(error))")])
    case nil: return .evaluated([ComplianceFinding("a new instance", "creating it did not end")])
    }
  }
}

extension Trial {
  /// A cursor of no provider. It begins with a character behind letters and digits, for those that sort by a
  /// text.
  private static let foreignCursor = "~forage-foreign-cursor"

  /// The first search for a word and the first feed that have a second page.
  fileprivate var continued: [Walk] {
    [Walk.Purpose.word, .feed].compactMap { purpose in
      walks.first { $0.purpose == purpose && $0.pages.count > 1 }
    }
  }

  /// Requests the second page again and compares its items.
  fileprivate mutating func comparingSecondPage(
    of walk: Walk, _ when: String, _ other: (any SearchProvider)? = nil
  ) async -> [ComplianceFinding] {
    var request = walk.request
    request.cursor = walk.pages[0].next
    let subject = walk.subject(page: 1) + " " + when
    switch await page(request, isFeed: walk.purpose == .feed, of: other) {
    case .success(let page)?:
      let (found, expected) = (page.items.map(\.id), walk.pages[1].items.map(\.id))
      guard found != expected else { return [] }
      let pairs = Array(zip(found, expected))
      guard let place = pairs.firstIndex(where: { $0 != $1 }) else {
        let count = ReportText.count(found.count, "item")
        return [ComplianceFinding(subject, "it has \(count) instead of \(expected.count)")]
      }
      let (item, wanted) = (ReportText.short(pairs[place].0), ReportText.short(pairs[place].1))
      return [ComplianceFinding(subject, "item \(place + 1) is \(item) instead of \(wanted)")]
    case .failure(let error)?:
      return [ComplianceFinding(subject, "it failed with \(ReportText.error(error))")]
    case nil: return [ComplianceFinding(subject, "the call did not end")]
    }
  }

  /// What is wrong with the answer to a cursor that the provider has not made. Where each text is the place
  /// of an item in an order, there may be a page behind it.
  fileprivate mutating func wrongCursor(_ walk: Walk) async -> [ComplianceFinding] {
    var request = walk.request
    request.cursor = Self.foreignCursor
    let problem: String
    switch await page(request, isFeed: walk.purpose == .feed) {
    case .success(let page)?:
      guard let first = page.items.first, first.id == walk.items.first?.id else { return [] }
      problem = "it is answered with the first page"
    case .failure(let error as SearchError)? where ![.connectionLost, .timeout].contains(error.code):
      return []
    case .failure(let error)?: problem = "the search failed with \(ReportText.error(error))"
    case nil: problem = "the call did not end"
    }
    let remedy = "refuse it with the error invalid_cursor (of a plugin: 1006)"
    return [ComplianceFinding("the cursor \(Self.foreignCursor)", "\(problem); \(remedy)")]
  }
}
