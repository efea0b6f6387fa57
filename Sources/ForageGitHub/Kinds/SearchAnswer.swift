import ForageCore

/// The response of a search of any kind.
struct SearchAnswer {
  /// The maximum number of items to read from a page: ten times the largest page size.
  static let maximumItems = 1000

  var totalCount: Int?
  var isIncomplete: Bool
  /// The items; `nil` for each that could not be read.
  var items: [SearchResult?]

  /// Reads the list of items strictly and everything else leniently; `nil` if there is no list.
  init?(_ tree: JSONTree, host: String, _ item: GitHubKind.Item) {
    guard let object = AnswerObject(tree), let list = object.values("items", upTo: Self.maximumItems) else {
      return nil
    }
    items = list.map { AnswerObject($0).flatMap { item($0, host) } }
    isIncomplete = object.flag("incomplete_results") ?? false
    totalCount = object.number("total_count")
  }
}
