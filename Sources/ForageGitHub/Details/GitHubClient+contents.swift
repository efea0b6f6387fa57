import ForageCore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// What is at a path of a repository.
package enum RepositoryContents: Sendable {
  /// The bytes of a file.
  case file([UInt8])
  /// The names in a folder; those of folders end with `/`.
  case folder([String])
}

extension GitHubClient {
  /// Requests a file or a folder of a repository. Source: GitHub's "Get repository content".
  ///
  /// - Parameters:
  ///   - owner: The account.
  ///   - name: The repository.
  ///   - path: The path without a slash at its beginning; empty for the root.
  ///   - ref: A branch, tag or commit; `nil` for the default branch.
  /// - Throws: `SearchError`: `notFound`; `invalidResponse` for a file of more than 1 MB, whose text the server leaves out, and for anything
  ///   that is neither file nor folder.
  package func contents(
    owner: String, name: String, path: String, ref: String?, deadline: ContinuousClock.Instant
  ) async throws -> RepositoryContents {
    let address = url(
      ["repos", owner, name, "contents"] + path.split(separator: "/").map(String.init),
      parameters: ref.map { [(name: "ref", value: $0)] } ?? [])
    let (answer, _) = try await get(address, as: ContentsAnswer.self, deadline: deadline)
    return try answer.contents.get()
  }
}

/// The response for a path: an object for a file, a list for a folder.
private struct ContentsAnswer: Decodable {
  let contents: Result<RepositoryContents, SearchError>

  /// Entries of a folder; GitHub lists no more than 1,000.
  private static let maximumEntries = 1_000

  init(from decoder: any Decoder) throws {
    if var list = try? decoder.unkeyedContainer() {
      var names: [String] = []
      while !list.isAtEnd, names.count < Self.maximumEntries {
        guard let entry = try list.decode(Lenient<AnswerObject>.self).value, let name = entry.text("name")
        else {
          continue
        }
        names.append(entry.text("type") == "dir" ? name + "/" : name)
      }
      contents = .success(.folder(names))
      return
    }
    let object = try AnswerObject(from: decoder)
    if object.text("type") == "file", object.text("encoding") == "base64", let text = object.text("content"),
      let data = Data(base64Encoded: text, options: .ignoreUnknownCharacters)
    {
      contents = .success(.file(Array(data)))
    } else {
      contents = .failure(
        SearchError(
          .invalidResponse,
          object.text("type") == "file"
            ? "the file is larger than 1 MB" : "the path is neither a file nor a folder",
          hint: "clone the repository to read it"))
    }
  }
}
