import ForageCore
import ForageHTTP

/// What is told of a repository only when one is shown by itself: languages, newest release, contributors, readme.
///
/// Each is a request of its own. They are sent at the same time, and each that fails is missing by itself.
struct RepositoryParts {
  let request: DetailsRequest

  /// Contributors that are asked for; a page for people needs no more.
  private static let contributors = 10

  /// What one part has come to.
  private struct Part: Sendable {
    var field: ResultField
    var value: FieldValue?
    var missing: SearchError?
    var cache: HTTPCacheState = .none
  }

  /// The repository with its parts.
  ///
  /// - Parameter known: The repository by itself; its name is the one that the parts are asked by, so that a renamed repository costs
  ///   one redirect and not five.
  func completing(_ known: FullDetails) async -> FullDetails {
    guard let reference = EntityReference(known.item.id, defaultHost: GitHubHost.dotCom) else { return known }
    let path = ["repos", reference.owner, reference.name]
    async let languages = part(.languages, path + ["languages"], as: LanguagesAnswer.self) { $0.value }
    async let release = part(.latestRelease, path + ["releases", "latest"], as: ReleaseAnswer.self) {
      $0.value
    }
    async let contributors = part(
      .contributors, path + ["contributors"],
      parameters: [(name: "per_page", value: String(Self.contributors))], as: ContributorsAnswer.self
    ) { $0.value }
    async let readme = part(.readme, path + ["readme"], as: FileAnswer.self) { try $0.readme }
    var details = known
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

  /// Why a part is missing; `nil` when the repository just has none.
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
  /// Counts in how old a part of the answer is.
  fileprivate mutating func add(_ cache: HTTPCacheState) {
    if let age = cache.age { cacheAge = max(age, cacheAge ?? .zero) }
    isStale = isStale || cache.isStale
  }
}
