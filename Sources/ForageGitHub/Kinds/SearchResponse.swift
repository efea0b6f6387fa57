import ForageCore

/// An item of a GitHub response.
protocol GitHubItem: Decodable, Sendable {
  /// The item as a search result; `nil` if the item does not identify an entity.
  ///
  /// - Parameter host: The server's host, for items that do not contain it.
  func result(on host: String) -> SearchResult?
}

/// The response of a search of any kind.
struct SearchResponse<Item: GitHubItem>: Decodable {
  var totalCount: Int?
  var incompleteResults: Bool?
  var items: [Lenient<Item>]

  /// Decodes the list of items strictly and everything else leniently.
  init(from decoder: any Decoder) throws {
    let object = try AnswerObject(from: decoder)
    items = try object.list("items", upTo: SearchAnswer.maximumItems)
    incompleteResults = object.flag("incomplete_results")
    totalCount = object.number("total_count")
  }
}

/// The decoded response of a search, independent of the kind.
struct SearchAnswer {
  /// The maximum number of items to decode from a page: ten times the largest page size.
  static let maximumItems = 1000

  var totalCount: Int?
  var isIncomplete: Bool
  /// The items; `nil` for each that could not be decoded.
  var items: [SearchResult?]

  init(_ response: SearchResponse<some GitHubItem>, host: String) {
    totalCount = response.totalCount
    isIncomplete = response.incompleteResults ?? false
    items = response.items.map { $0.value?.result(on: host) }
  }
}
