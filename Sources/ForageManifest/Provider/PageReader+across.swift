import ForageCore
import ForagePlatform

/// Lists across repositories, whose rows need not have the names of these.
extension PageReader {
  /// The most repositories that are looked up at once.
  private static let lookups = 8

  /// The most repositories that are looked up one by one where those of the account can be listed.
  private static let mostLookups = 3

  struct Across: Sendable {
    /// Words, in lower case, by which a server says that it does not have the list.
    let refused: [String]
    /// The path in a row to what its repository is looked up by; `nil` where rows have its name.
    let repository: JSONPath?
    /// The first repositories of the account that the list is of; none for another list.
    let list: @Sendable () async throws -> SearchPage
    /// Looks a repository up; `nil` if there is none.
    let look: @Sendable (String) async throws -> EntityDetails?
  }

  /// Rows with the names of their repositories.
  struct Located {
    /// The rows in order; `nil` for one whose repository was not found.
    var rows: [JSONTree?] = []
    var failure: SearchError?
    var cache = CacheUse.none
  }

  /// Looks up the repositories of rows, each once.
  ///
  /// - Parameter report: Receives what is wrong with rows, for use after the provider's name.
  func located(_ rows: [JSONTree], report: (String) -> Void) async throws -> Located {
    guard let across, let path = across.repository else { return Located(rows: rows) }
    let ids = rows.map { path.value(in: $0)?.text }
    var (names, failures, located) = ([String: String](), [Int: SearchError](), Located())
    let all = Set(ids.compactMap(\.self))
    // What the list lacks is looked up, also where there is no list.
    if all.count > Self.mostLookups, let page = try? await across.list() {
      located.cache.add(page.cache)
      for item in page.items {
        guard let owner = item[.owner]?.text, let name = item[.name]?.text,
          let id = item.forgeID?.split(separator: ":").last
        else { continue }
        names[String(id)] = owner + "/" + name
      }
    }
    let asked = all.filter { names[$0] == nil }.sorted()
    try await asCompleted(
      asked, width: Self.lookups,
      work: { [look = across.look] id -> Result<EntityDetails?, SearchError> in
        do { return .success(try await look(id)) } catch let error as SearchError { return .failure(error) }
      },
      each: { index, answer in
        switch answer {
        case .success(let found):
          guard let found, let owner = found.item[.owner]?.text, let name = found.item[.name]?.text else {
            return
          }
          names[asked[index]] = owner + "/" + name
          located.cache.add(found.cache)
        // It is as if there were none.
        case .failure(let error) where [.forbidden, .invalidResponse].contains(error.code): return
        case .failure(let error): failures[index] = error
        }
      })
    try Task.checkCancellation()
    located.failure = failures.min { $0.key < $1.key }?.value
    located.rows = zip(rows, ids).map { row, id -> JSONTree? in
      guard case .object(let members) = row, let name = id.flatMap({ names[$0] }) else { return nil }
      return .object(members + [("{repo}", .string(name))])
    }
    if failures.isEmpty, located.rows.contains(nil) {
      report("returned a row of a repository that it does not show, which is left out")
    }
    return located
  }
}
