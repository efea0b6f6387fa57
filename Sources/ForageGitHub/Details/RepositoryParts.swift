import ForageCore
import ForageHTTP

/// Requests the details of a repository: languages, latest release, contributors and README.
///
/// Each is a separate request. They are sent concurrently with the request for the repository, and a failure
/// affects only its own part.
struct RepositoryParts {
  /// The requests for the parts; they end a little earlier, so that a late part does not take the repository with it.
  let request: DetailsRequest
  /// The API path of the repository.
  private let path: [String]

  /// The time between the end of the parts and the deadline, at most a fifth of what is left.
  private static let margin = Duration.milliseconds(200)

  /// Creates the requests of a repository.
  ///
  /// - Parameter request: The request for the repository itself.
  init(of request: DetailsRequest, path: [String]) {
    var earlier = request
    earlier.deadline -= min(Self.margin, max(.zero, request.deadline - .now) / 5)
    (self.request, self.path) = (earlier, path)
  }

  private static let contributors = 10

  private struct Part: Sendable {
    var field: ResultField
    var value: FieldValue?
    var missing: SearchError?
    var cache: HTTPCacheState = .none
  }

  /// Requests a repository and its details concurrently.
  ///
  /// If the repository does not exist or cannot be read, the other requests are cancelled.
  ///
  /// - Parameter repository: Requests the repository; `nil` if it does not exist.
  func completing(_ repository: @Sendable () async throws -> EntityDetails?) async throws -> EntityDetails? {
    async let languages = part(.languages, path + ["languages"], RepositoryPart.languages)
    async let release = part(.latestRelease, path + ["releases", "latest"], RepositoryPart.release)
    async let contributors = part(
      .contributors, path + ["contributors"],
      parameters: [(name: "per_page", value: String(Self.contributors))], RepositoryPart.contributors)
    async let readme = part(.readme, path + ["readme"], RepositoryPart.readme)
    guard var details = try await repository() else { return nil }
    for part in await [languages, release, contributors, readme] {
      if let value = part.value { details.item[part.field] = value }
      if let error = part.missing { details.missing.append(MissingPart(part.field, error)) }
      details.cache.add(part.cache.use)
    }
    return details
  }

  private func part(
    _ field: ResultField, _ path: [String], parameters: [(name: String, value: String)] = [],
    _ read: @Sendable (JSONTree) -> RepositoryPart.Value?
  ) async -> Part {
    do {
      let (value, response) = try await request.get(path, parameters: parameters, allowsNothing: true, read)
      let cache = response.cache
      do {
        let limit = await request.client.limit(of: response)
        return Part(field: field, value: try value.get(), missing: limit, cache: cache)
      } catch {
        return Part(field: field, missing: error, cache: cache)
      }
    } catch let nothing as NoDocument {
      return Part(field: field, missing: nothing.status == 204 ? nil : Self.counting)
    } catch let error as SearchError {
      return Part(field: field, missing: Self.reason(error, of: field))
    } catch {
      let error = SearchError(.other, "\(error)")
      return Part(field: field, missing: error)
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
