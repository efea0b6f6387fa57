import ForageCore

/// One list of a provider, as far as it was read.
struct Walk: Sendable {
  /// What the list was read for.
  enum Purpose: Sendable {
    /// A sample word alone.
    case word
    /// A sample word with a condition.
    case condition(Condition)
    /// A sample word in an order.
    case sort(String, SortOrder)
    /// The first page of the largest size.
    case largest
    /// The feed, in its own order or another.
    case feed(sort: String?, SortOrder)
  }

  /// A condition beside the word.
  struct Condition: Sendable {
    /// The condition.
    var expression: QueryExpression
    /// Whether the provider says that every item fulfils it.
    var isExact: Bool
    /// Whether the fields of the items can tell that they fulfil it.
    var isReadable: Bool
  }

  /// Why no further page was read.
  enum End: Sendable {
    /// A page without a cursor was the last.
    case ended
    /// Enough pages were read.
    case capped
    /// A page with items held nothing new; it is not among the pages.
    case repeating
    /// Several pages without items followed each other.
    case empty
    /// A page threw.
    case failed(any Error)
    /// A page did not come.
    case late
  }

  /// One page with what was asked for it.
  struct Step: Sendable {
    var cursor: String?
    var page: SearchPage
    /// How many requests were counted.
    var requests: Int
  }

  /// What was searched for, for people: `repo "parser language:swift" by stars asc`.
  var label: String
  var purpose: Purpose
  /// The request of the first page.
  var request: SearchRequest
  var steps: [Step] = []
  var end: End = .capped

  /// The pages in order.
  var pages: [SearchPage] { steps.map(\.page) }
  /// All items in order.
  var items: [SearchResult] { pages.flatMap(\.items) }

  /// Whether it is a feed.
  var isFeed: Bool { if case .feed = purpose { true } else { false } }

  /// The order that was asked for, `nil` for the provider's own.
  var sort: (key: String, order: SortOrder)? {
    switch purpose {
    case .sort(let key, let order), .feed(let key?, let order): (key, order)
    default: nil
    }
  }

  /// Whether the list was read to its end.
  var isWhole: Bool { if case .ended = end { true } else { false } }

  /// The name of a page for people.
  func subject(page: Int) -> String { "\(label) page \(page + 1)" }

  /// An item with its place in the list.
  struct Sighting: Sendable {
    var item: SearchResult
    /// The place for people.
    var subject: String
    /// Page from 0.
    var page: Int
  }

  /// All items with their places.
  var sightings: [Sighting] {
    pages.enumerated().flatMap { number, page in
      page.items.enumerated().map { place, item in
        let id = item.id.isEmpty ? item.title : item.id
        return Sighting(
          item: item, subject: "\(subject(page: number)) item \(place + 1) (\(Legible.short(id)))",
          page: number)
      }
    }
  }
}
