import ForageCore
import ForageLocal
import ForageStore
import Synchronization

/// Adds to results what this machine knows of them: the folders of their clones, and whether they are favorites.
final class ResultAnnotation: Sendable {
  private let context: Context
  /// What has been told already: results that arrive in parts fail part by part.
  private let told = Mutex<Set<String>>([])

  init(_ context: Context) { self.context = context }

  /// Annotates a merged list, also with clones that the local provider did not or could not rank.
  func annotate(_ result: inout FederatedResult) {
    var results = result.items.map(\.result)
    // The provider of the clones has the same store, and tells what is wrong with it.
    told.withLock { $0.formUnion(result.outcomes.compactMap(\.error?.message)) }
    let hasMore = annotate(&results)
    for index in results.indices { result.items[index].result = results[index] }
    if hasMore { result.relateItems() }
  }

  /// Annotates results; where the store fails, that is told and they stay as they are.
  ///
  /// - Returns: Whether clones have told more of where histories begin, so that there may be more to relate.
  @discardableResult
  func annotate(_ results: inout [SearchResult]) -> Bool {
    do throws(StoreError) {
      let store = try context.store.existing()
      var (places, favorites) = ([String: [ClonePlace]](), Set<String>())
      if let store {
        places = try CloneCatalogue(store: store).places(of: results.map(\.id))
        favorites = try store.favoriteIDs()
      }
      var hasMore = false
      for index in results.indices {
        if let found = places[results[index].id] {
          results[index].addClones(found.map(\.path))
          if results[index].addRoots(found.compactMap(\.rootCommit)) { hasMore = true }
        }
        results[index].set(.favorite, favorites.contains(results[index].id))
      }
      return hasMore
    } catch {
      guard told.withLock({ $0.insert(error.message).inserted }) else { return false }
      context.output.problem(
        "clones and favorites could not be looked up: " + error.message, hint: error.hint)
      return false
    }
  }

  /// The condition that `--favorites` sets.
  ///
  /// - Throws: `CommandError` when there are none.
  func favoritesOnly() throws -> ResultFilter {
    let ids = try context.store.existing()?.favoriteIDs() ?? []
    guard !ids.isEmpty else {
      throw CommandError(
        "there are no favorites", hint: "add one with: forage favorite add owner/name", status: .nothingFound)
    }
    return ResultFilter(name: "favorites") { ids.contains($0.id) }
  }
}

extension SearchResult {
  /// Adds the folders of clones; one folder is the path, several are listed as well.
  mutating func addClones(_ found: [String]) {
    if self[.path] == nil { set(.path, found.first) }
    if found.count > 1 { set(.paths, found) }
  }
}
