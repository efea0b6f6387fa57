import ForageCore
import ForageFoundation
import ForageHTTP

/// Requests the details of a repository: languages, latest release, contributors and README.
///
/// Each is a separate request. They are sent concurrently with the request for the repository, and a failure
/// affects only its own part.
struct RepositoryParts {
  /// The requests for the parts; they end a little earlier than that for the repository.
  let request: DetailsRequest
  /// The API path of the repository.
  private let path: [String]

  /// Creates the requests of a repository.
  ///
  /// - Parameter request: The request for the repository itself.
  init(of request: DetailsRequest, path: [String]) {
    var earlier = request
    earlier.deadline = MissingPart.deadline(of: request.deadline)
    (self.request, self.path) = (earlier, path)
  }

  private static let contributors = 10

  /// Requests a repository and its details at once.
  ///
  /// - Parameter repository: Requests the repository; `nil` if it does not exist.
  func completing(_ repository: @Sendable () async throws -> EntityDetails?) async throws -> EntityDetails? {
    try await EntityDetails.requested(
      repository,
      with: [
        { await part(.languages, path + ["languages"], RepositoryPart.languages) },
        { await part(.latestRelease, path + ["releases", "latest"], RepositoryPart.release) },
        {
          await part(
            .contributors, path + ["contributors"],
            parameters: [(name: "per_page", value: String(Self.contributors))], RepositoryPart.contributors)
        },
        { await part(.readme, path + ["readme"], RepositoryPart.readme) },
      ])
  }

  private func part(
    _ field: ResultField, _ path: [String], parameters: [(name: String, value: String)] = [],
    _ read: @Sendable (JSONTree) -> RepositoryPart.Value?
  ) async -> PartResult {
    do {
      let (value, response) = try await request.get(path, parameters: parameters, allowsNothing: true, read)
      let cache = response.cache
      do {
        let limit = await request.client.limit(of: response)
        return PartResult(field, try value.get(), error: limit, cache: cache)
      } catch {
        return PartResult(field, error: error, cache: cache)
      }
    } catch let nothing as NoDocument {
      return PartResult(field, error: nothing.status == 204 ? nil : Self.counting)
    } catch let error as SearchError {
      return PartResult(field, error: Self.reason(error, of: field))
    } catch {
      return PartResult(field, error: SearchError(.other, "\(error)"))
    }
  }

  private static let counting = SearchError(
    .unavailable, "GitHub is still computing them", hint: "try again in a minute")

  /// The error to report for a failed part; `nil` if the repository does not have this part.
  private static func reason(_ error: SearchError, of field: ResultField) -> SearchError? {
    switch error.code {
    // No release or no README; for an empty repository GitHub reports the latter with 409.
    case .notFound: return nil
    case .unavailable where field == .readme: return nil
    case .forbidden where field == .contributors && error.message.contains("too large"):
      return SearchError(
        .unavailable, "GitHub lists no contributors, because the history is too large",
        hint: "inspect a clone of it")
    default: return error
    }
  }
}

/// Reads the parts of a repository; each `nil` if the document is not the expected one.
enum RepositoryPart {
  /// The maximum number of contributors to read; requests ask for fewer.
  private static let maximumContributors = 100

  /// The value of a part; `nil` if the repository does not have it.
  typealias Value = Result<FieldValue?, SearchError>

  static func languages(_ tree: JSONTree) -> Value? {
    RepositoryFacts.languages(tree).map { .success($0.isEmpty ? nil : .items($0)) }
  }

  /// The latest release, if it has a tag.
  static func release(_ tree: JSONTree) -> Value? {
    guard tree.isObject else { return nil }
    guard let tag = tree.words("tag_name") else { return .success(nil) }
    var members: [String: FieldValue] = ["tag": .text(tag)]
    members["name"] = tree.words("name").map(FieldValue.text)
    members["publishedAt"] = tree.date("published_at").map(FieldValue.date)
    return .success(.record(members))
  }

  /// The contributors in GitHub's order (most commits first), without those that have no name.
  static func contributors(_ tree: JSONTree) -> Value? {
    guard let list = tree.array else { return nil }
    let people = list.lazy.compactMap { person -> FieldValue? in
      guard let commits = person.count("contributions") else { return nil }
      if let login = person.words("login") {
        return .record(["login": .text(login), "commits": .number(commits)])
      }
      return person.words("name").map { .record(["name": .text($0), "commits": .number(commits)]) }
    }
    let records = Array(people.prefix(maximumContributors))
    return .success(records.isEmpty ? nil : .items(records))
  }

  static func readme(_ tree: JSONTree) -> Value? { tree.isObject ? FileAnswer(tree).readme : nil }
}

/// A file with its content, as `contents` and `readme` return it.
struct FileAnswer {
  private let object: JSONTree

  init(_ object: JSONTree) { self.object = object }

  /// The decoded content, which GitHub breaks into lines; `nil` if GitHub omits it (files above 1 MB).
  var bytes: [UInt8]? {
    guard object.text("encoding") == "base64" else { return nil }
    return object.text("content").flatMap(RepositoryFacts.bytes)
  }

  /// The text; `nil` without content, or if it is not UTF-8.
  private var text: String? { bytes.flatMap(RepositoryFacts.text) }

  /// The text of a README; `nil` if it is empty, a failure if it has no usable text.
  var readme: RepositoryPart.Value {
    if let text { return .success(text.allSatisfy(\.isWhitespace) ? nil : .text(text)) }
    guard object.number("size") != 0 else { return .success(nil) }
    return .failure(
      SearchError(
        .unavailable, "the README is too large or is not UTF-8 text", hint: "open the repository in a browser"
      ))
  }

  /// The file; `nil` if its address names none.
  ///
  /// - Throws: `SearchError` for a folder and for a submodule.
  func result(on host: String) throws(SearchError) -> SearchResult? {
    let isSubmodule = object.text("type") == "submodule"
    guard object.array == nil, !isSubmodule else {
      let what = isSubmodule ? "a submodule at \(object.text("sha") ?? "an unknown commit")" : "a folder"
      throw SearchError(.invalidResponse, "this path is \(what)", hint: "open its page in a browser")
    }
    guard let page = object.text("html_url"), let path = object.text("path"),
      let reference = EntityReference(page, defaultHost: host),
      case .file(_, let ref) = reference.subject
    else { return nil }
    var item = SearchResult(id: reference.id, kind: .code, title: path, url: page)
    item.set(.host, reference.host)
    item.set(.repository, reference.repositoryID.map { RepositoryIdentity.spelled($0, as: page) })
    item.set(.path, path)
    item.set(.ref, ref)
    item.set(.sha, object.text("sha"))
    item.set("size", object.count("size"))
    item.set(.description, object.text("target").map { "a link to \($0)" })
    if let text, !text.isEmpty {
      item[.fragments] = .items([
        .record(["text": .text(text), "line": .number(1), "matches": .items([])])
      ])
    }
    return item
  }
}
