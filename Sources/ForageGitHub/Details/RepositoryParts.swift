import ForageCore
import ForageHTTP

/// The parts of a repository that are requests of their own: languages, newest release, contributors, readme.
///
/// They are sent at the same time as the request for the repository itself, and each may be missing by itself.
struct RepositoryParts {
  let request: DetailsRequest
  /// The path of the repository.
  let path: [String]

  /// The number of contributors to ask for.
  private static let contributors = 10

  /// The outcome of one part.
  private struct Part: Sendable {
    var field: ResultField
    var value: FieldValue?
    var missing: SearchError?
    var cache: HTTPCacheState = .none
  }

  /// Asks for a repository and its parts at once.
  ///
  /// A repository that is not there, or cannot be read, cancels the other requests.
  ///
  /// - Parameter repository: Asks for the repository by itself; `nil` when there is none.
  func completing(_ repository: @Sendable () async throws -> FullDetails?) async throws -> FullDetails? {
    async let languages = part(.languages, path + ["languages"], as: LanguagesAnswer.self) { $0.value }
    async let release = part(.latestRelease, path + ["releases", "latest"], as: ReleaseAnswer.self) {
      $0.value
    }
    async let contributors = part(
      .contributors, path + ["contributors"],
      parameters: [(name: "per_page", value: String(Self.contributors))], as: ContributorsAnswer.self
    ) { $0.value }
    async let readme = part(.readme, path + ["readme"], as: FileAnswer.self) { try $0.readme }
    guard var details = try await repository() else { return nil }
    for part in await [languages, release, contributors, readme] {
      if let value = part.value { details.item[part.field] = value }
      if let error = part.missing { details.missing.append(MissingPart(part.field, error)) }
      details.add(part.cache)
    }
    return details
  }

  private func part<Body: Decodable & Sendable>(
    _ field: ResultField, _ path: [String], parameters: [(name: String, value: String)] = [],
    as type: Body.Type, _ value: @Sendable (Body) throws -> FieldValue?
  ) async -> Part {
    do {
      let (body, cache) = try await request.get(path, parameters: parameters, as: type, allowsNothing: true)
      do {
        return Part(field: field, value: try value(body), cache: cache)
      } catch let error as SearchError {
        return Part(field: field, missing: error, cache: cache)
      }
    } catch let nothing as NoDocument {
      return Part(field: field, missing: nothing.status == 204 ? nil : Self.counting)
    } catch let error as SearchError {
      return Part(field: field, missing: Self.reason(error, of: field))
    } catch {
      let error = SearchError(.other, "\(error)", hint: "run again with --verbose to see the requests")
      return Part(field: field, missing: error)
    }
  }

  private static let counting = SearchError(
    .unavailable, "GitHub is still counting them", hint: "ask again in a minute")

  /// Why a part is missing; `nil` when the repository has none.
  private static func reason(_ error: SearchError, of field: ResultField) -> SearchError? {
    switch error.code {
    // No release, no readme; of an empty repository GitHub says the latter with 409.
    case .notFound: return nil
    case .unavailable where field == .readme: return nil
    case .forbidden where field == .contributors && error.message.contains("too large"):
      return SearchError(
        .unavailable, "the history is so long that GitHub lists no contributors",
        hint: "a clone tells them: forage inspect PATH")
    default: return error
    }
  }
}

extension FullDetails {
  /// Includes the age of a part of the answer.
  fileprivate mutating func add(_ cache: HTTPCacheState) {
    if let age = cache.age { cacheAge = max(age, cacheAge ?? .zero) }
    isStale = isStale || cache.isStale
  }
}
