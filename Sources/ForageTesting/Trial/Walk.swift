import ForageCore

/// One list of a provider, as far as it was read.
struct Walk: Sendable {
  enum Purpose: Sendable {
    /// A sample word alone.
    case word
    /// A sample word with a condition.
    case condition(Condition)
    /// A sample word with a sort.
    case sort(String, SortOrder)
    /// The first page of the largest size.
    case largest
    /// The feed, in its own order or sorted.
    case feed(sort: String?, SortOrder)
  }

  /// A condition that is combined with the word.
  struct Condition: Sendable {
    var expression: QueryExpression
    /// Whether the provider declares that every item fulfils it.
    var isExact: Bool
    /// Whether the fields of the items show if they fulfil it.
    var isReadable: Bool
  }

  enum End: Sendable {
    case ended
    case capped
    /// A page with items has no new item; it is not among the steps.
    case repeating
    /// Several consecutive pages have no items.
    case empty
    case failed(any Error)
    case late
  }

  struct Step: Sendable {
    var cursor: String?
    var page: SearchPage
    var requests: Int
  }

  /// The search in a readable form: `repo "parser language:swift" by stars asc`.
  var label: String
  var purpose: Purpose
  var request: SearchRequest
  var steps: [Step] = []
  var end: End = .capped

  var pages: [SearchPage] { steps.map(\.page) }
  var items: [SearchResult] { pages.flatMap(\.items) }

  var isFeed: Bool { if case .feed = purpose { true } else { false } }

  /// The requested sort; `nil` for the provider's own order.
  var sort: (key: String, order: SortOrder)? {
    switch purpose {
    case .sort(let key, let order), .feed(let key?, let order): (key, order)
    default: nil
    }
  }

  var isWhole: Bool { if case .ended = end { true } else { false } }

  func subject(page: Int) -> String { "\(label) page \(page + 1)" }

  struct Sighting: Sendable {
    var item: SearchResult
    /// The position in a readable form.
    var subject: String
    /// The page, from 0.
    var page: Int
  }

  var sightings: [Sighting] {
    pages.enumerated().flatMap { number, page in
      page.items.enumerated().map { place, item in
        let id = item.id.isEmpty ? item.title : item.id
        return Sighting(
          item: item, subject: "\(subject(page: number)) item \(place + 1) (\(ReportText.short(id)))",
          page: number)
      }
    }
  }
}
