import ForageCore

extension ComplianceCheck {
  /// The share of items that must be readable: a live source has a few odd rows, a wrong mapping many.
  private static let readableTenths = 9

  static let answers = ComplianceCheck(
    "answers", "every search is answered in time, and a sample word has results"
  ) {
    trial in
    .evaluated(trial.sampleFaults + trial.unanswered + trial.unfound)
  }

  static let readable = ComplianceCheck("readable", "at least \(readableTenths) of 10 items can be read") {
    trial in
    let pages = trial.walks.flatMap(\.pages)
    let lost = pages.reduce(0) { $0 + max(0, $1.unreadable) }
    let all = lost + pages.reduce(0) { $0 + $1.items.count }
    guard all > 0 else { return .notApplicable("no item was found") }
    guard (all - lost) * 10 < all * readableTenths else { return .evaluated([]) }
    return .evaluated([
      ComplianceFinding(
        "all lists", "\(lost) of \(all) items were left out; each needs id, kind, title and a web address")
    ])
  }

  static let identity = ComplianceCheck(
    "ids", "every item has an id and a title, and its address is a web address"
  ) {
    trial in
    let sightings = trial.walks.flatMap(\.sightings)
    guard !sightings.isEmpty else { return .notApplicable("no item was found") }
    return .evaluated(
      sightings.compactMap { seen in identityFault(seen.item).map { ComplianceFinding(seen.subject, $0) } })
  }

  private static func identityFault(_ item: SearchResult) -> String? {
    if item.id.trimmingWhitespace().isEmpty { return "it has no id" }
    if !ReportText.isPlain(item.id) { return "its id has control characters: \(ReportText.short(item.id))" }
    if item.title.trimmingWhitespace().isEmpty { return "it has no title" }
    guard let url = item.url else { return nil }
    let scheme = ["http://", "https://"].first { url.lowercased().hasPrefix($0) }
    let authority = url.dropFirst(scheme?.count ?? 0).prefix { !"/?#\\".contains($0) }
    if scheme != nil, authority.contains("@") { return "its address has a user name or a password" }
    if scheme == nil || authority.isEmpty || authority.hasPrefix(":") || url.contains(" ")
      || !ReportText.isPlain(url)
    {
      return "its address is not a web address: \(ReportText.short(QueryTerm.quoted(url)))"
    }
    return nil
  }
}

extension Trial {
  fileprivate var unanswered: [ComplianceFinding] {
    walks.compactMap { walk in
      let subject = walk.subject(page: walk.pages.count)
      return switch walk.end {
      // Without a repository or an account it takes no part.
      case .failed(let error as SearchError) where error.code == .needsQualifier: nil
      case .failed(let error) where walk.purpose == .largest:
        ComplianceFinding(
          subject,
          "a page of \(walk.request.pageSize) items, the largest that is declared, failed with \(ReportText.error(error))"
        )
      case .failed(let error): ComplianceFinding(subject, "the search failed with \(ReportText.error(error))")
      case .late: ComplianceFinding(subject, "no answer within \(ReportText.seconds(samples.deadline))")
      default: nil
      }
    }
  }

  /// The kinds for which no sample word has results although every search was answered.
  fileprivate var unfound: [ComplianceFinding] {
    kinds.compactMap { kind in
      guard abilities[kind] != nil else {
        return ComplianceFinding("the samples", "\(kind.rawValue) is not declared")
      }
      let asked = walks.filter { $0.request.kind == kind && $0.purpose == .word }
      guard asked.contains(where: { $0.end.isComplete }), asked.allSatisfy(\.items.isEmpty) else {
        return nil
      }
      let words = samples.words.joined(separator: ", ")
      return ComplianceFinding(
        "the kind \(kind.rawValue)", "there are no results for any of the words \(words)")
    }
  }
}
