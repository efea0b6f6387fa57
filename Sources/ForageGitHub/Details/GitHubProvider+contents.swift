public import ForageCore
import ForageHTTP

extension GitHubProvider {
  /// Requests a file or a folder of a repository. Source: GitHub's "Get repository content".
  ///
  /// - Parameters:
  ///   - path: The path without a slash at its beginning; empty for the root.
  ///   - repository: A repository of this server.
  ///   - ref: A branch, tag or commit; `nil` for the default branch.
  ///   - deadline: When the request times out.
  /// - Throws: `SearchError`: `notFound`; `invalidResponse` for a file of more than 1 MB, whose text the
  ///   server leaves out, and for anything else that is not known. The server follows links to files.
  public func contents(
    at path: String, in repository: EntityReference, ref: String?, deadline: ContinuousClock.Instant
  ) async throws -> RepositoryContents {
    let address = client.url(
      ["repos", repository.owner, repository.name, "contents"] + path.split(separator: "/").map(String.init),
      parameters: ref.map { [(name: "ref", value: $0)] } ?? [])
    return try await client.get(address, deadline: deadline, Self.contents).0
  }

  /// Entries of a folder; GitHub lists no more than 1,000.
  private static let maximumEntries = 1_000

  /// What a response contains: an object for a file, a list for a folder.
  private static func contents(_ tree: JSONTree) throws(SearchError) -> RepositoryContents? {
    if let entries = tree.array {
      let names = entries.lazy.compactMap { entry in
        entry.text("name").map { entry.text("type") == "dir" ? $0 + "/" : $0 }
      }
      return .folder(Array(names.prefix(maximumEntries)), hasMore: entries.count >= maximumEntries)
    }
    guard tree.isObject else { return nil }
    switch tree.text("type") {
    case "file": if let bytes = FileAnswer(tree).bytes { return .file(bytes) }
    case "symlink": if let target = tree.text("target") { return .link(target) }
    case "submodule": if let commit = tree.text("sha") { return .submodule(commit) }
    default: break
    }
    let reason =
      tree.text("type") != "file"
      ? "the path is neither a file nor a folder"
      : tree.text("encoding") == "base64"
        ? "the text of the file cannot be read" : "the file is larger than 1 MB"
    throw SearchError(.invalidResponse, reason, hint: "clone the repository to read it")
  }
}

extension GitHubProvider {
  /// The comments of one response; GitHub's maximum.
  private static let commentsPerPage = 100

  /// Requests the last comments of an issue or pull request. Source: GitHub's "List issue comments".
  ///
  /// - Parameters:
  ///   - issue: An issue or pull request of this server.
  ///   - count: The number of comments wanted, 1 to 100.
  ///   - total: The number of comments that it has.
  ///   - deadline: When the requests time out.
  /// - Returns: Records of `author`, `createdAt` and `text`, oldest first.
  /// - Throws: `SearchError`.
  public func comments(
    of issue: EntityReference, last count: Int, of total: Int, deadline: ContinuousClock.Instant
  ) async throws -> [FieldValue] {
    guard case .issue(let number) = issue.subject else {
      throw SearchError(.unsupportedQuery, "\(issue.title) is no issue")
    }
    guard total > 0 else { return [] }
    var comments: [FieldValue] = []
    let last = (total - 1) / Self.commentsPerPage + 1
    // The last page may have fewer than are wanted; the one before it is always full.
    for page in [last, last - 1] where page > 0 && comments.count < count {
      let address = client.url(
        ["repos", issue.owner, issue.name, "issues", String(number), "comments"],
        parameters: [
          (name: "per_page", value: String(Self.commentsPerPage)), (name: "page", value: String(page)),
        ])
      let (found, _) = try await client.get(address, deadline: deadline) {
        $0.array?.compactMap(Self.comment)
      }
      comments = found + comments
    }
    return comments.suffix(count)
  }

  private static func comment(_ tree: JSONTree) -> FieldValue? {
    guard let body = tree.text("body") else { return nil }
    var members = ["text": FieldValue.text(body)]
    members["author"] = tree["user"]?.text("login").map(FieldValue.text)
    members["createdAt"] = tree.date("created_at").map(FieldValue.date)
    return .record(members)
  }
}
