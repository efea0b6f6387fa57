package import ForageCore

extension GitHubClient {
  /// The comments of one response; GitHub's maximum.
  private static let commentsPerPage = 100

  /// Requests the last comments of an issue or pull request. Source: GitHub's "List issue comments".
  ///
  /// - Parameters:
  ///   - entity: The issue.
  ///   - number: Its number.
  ///   - count: The number of comments wanted, 1 to 100.
  ///   - total: The number of comments that it has.
  ///   - requests: Counts the requests.
  /// - Returns: Records of `author`, `createdAt` and `text`, oldest first.
  /// - Throws: `SearchError`.
  package func lastComments(
    of entity: EntityReference, number: Int, count: Int, total: Int, deadline: ContinuousClock.Instant,
    requests: RequestCounter = RequestCounter()
  ) async throws -> [FieldValue] {
    guard total > 0 else { return [] }
    var comments: [FieldValue] = []
    var page = (total + Self.commentsPerPage - 1) / Self.commentsPerPage
    // The last page may have fewer than are wanted; the one before it is always full.
    while page > 0, comments.count < count {
      let address = url(
        ["repos", entity.owner, entity.name, "issues", String(number), "comments"],
        parameters: [
          (name: "per_page", value: String(Self.commentsPerPage)), (name: "page", value: String(page)),
        ])
      let (found, _) = try await get(address, deadline: deadline, requests: requests) {
        $0.array?.compactMap(Self.comment)
      }
      comments = found + comments
      page -= 1
    }
    return comments.suffix(count)
  }

  private static func comment(_ tree: JSONTree) -> FieldValue? {
    guard let body = tree.text("body") else { return nil }
    var members = ["text": FieldValue.text(body)]
    members["author"] = tree["user"]?.text("login").map(FieldValue.text)
    members["createdAt"] = tree.text("created_at").map(FieldValue.text)
    return .record(members)
  }
}
