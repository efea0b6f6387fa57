import ForageCore

/// One list of a provider, as far as it was read.
struct Walk: Sendable {
  enum Purpose: Hashable, Sendable {
    /// A sample word alone.
    case word
    /// Two words that a result of the sample word has beside each other.
    case phrase
    /// A word that nothing has.
    case nonsense
    /// A sample word with a filter.
    case filter(QueryExpression)
    /// A sample word with a sort.
    case sort(String, SortOrder)
    /// A sample word, with the largest page that the provider declares.
    case largest
    /// The feed, in its own order.
    case feed
  }

  enum End: Sendable {
    case ended
    /// As many pages were read as wanted, or the list is paused.
    case limit
    /// A page with items has no new item; it is not among the pages.
    case repeating
    /// Several consecutive pages have no items.
    case empty
    case failed(any Error)
    case late

    var isComplete: Bool { if case .ended = self { true } else { false } }
  }

  let purpose: Purpose
  let request: SearchRequest
  /// Whether the list was read as far as a run reads any list.
  var isLong = false
  var pages: [SearchPage] = []
  var end: End = .limit

  var items: [SearchResult] { pages.flatMap(\.items) }

  /// The search in a readable form: `repo "parser language:swift" by stars desc`.
  var label: String {
    let query =
      request.query.map { QueryTerm.quoted($0.description) } ?? (purpose == .feed ? "feed" : "everything")
    let sort = request.sort.map { " by \($0) \(request.order.rawValue)" } ?? ""
    return request.kind.rawValue + " " + ReportText.short(query) + sort
  }

  func subject(page: Int) -> String { "\(label) page \(page + 1)" }

  struct Sighting: Sendable {
    var item: SearchResult
    /// The position in a readable form.
    var subject: String
    /// The page, from 0.
    var page: Int
  }

  /// The items with their positions.
  var sightings: [Sighting] {
    pages.enumerated().flatMap { number, page in
      page.items.enumerated().map { place, item in
        let id = ReportText.short(item.id.isEmpty ? item.title : item.id)
        return Sighting(
          item: item, subject: "\(subject(page: number)) item \(place + 1) (\(id))", page: number)
      }
    }
  }
}
