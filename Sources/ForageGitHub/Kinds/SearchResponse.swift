import ForageCore

/// One item of a search as GitHub tells of it.
protocol GitHubItem: Decodable, Sendable {
  /// The item as a search result, `nil` when what it says of itself names nothing.
  ///
  /// - Parameter host: The forge that was asked, for what does not say where it is.
  func result(on host: String) -> SearchResult?
}

/// The answer to a search, of any kind.
struct SearchResponse<Item: GitHubItem>: Decodable {
  var totalCount: Int?
  var incompleteResults: Bool?
  var items: [Lenient<Item>]

  /// Reads the items strictly as a list and the rest leniently.
  init(from decoder: any Decoder) throws {
    let object = try AnswerObject(from: decoder)
    items = try object.list("items", upTo: SearchAnswer.maximumItems)
    incompleteResults = object.flag("incomplete_results")
    totalCount = object.number("total_count")
  }
}

/// What an answer comes to, whatever its kind.
struct SearchAnswer {
  /// Items that are read of one page: ten times what was asked for at most.
  static let maximumItems = 1000

  var totalCount: Int?
  var isIncomplete: Bool
  /// The items; `nil` stands for one that could not be read.
  var items: [SearchResult?]

  init(_ response: SearchResponse<some GitHubItem>, host: String) {
    totalCount = response.totalCount
    isIncomplete = response.incompleteResults ?? false
    items = response.items.map { $0.value?.result(on: host) }
  }
}
