import ForageCore
import ForageLocal
import ForageStore
import Synchronization

/// Adds to results what this machine knows of them: the folders of their clones, whether they are favorites, and whether they are starred.
final class ResultAnnotation: Sendable {
  private let context: Context
  /// What has been told already: results that arrive in parts fail part by part.
  private let told = Mutex<Set<String>>([])

  /// The favorites among the results, as the store has them.
  private let known = Mutex<[String: Favorite]>([:])

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
    StarMarks(context).mark(&results)
    do throws(StoreError) {
      let store = try context.store.existing()
      var (places, favorites) = ([String: [ClonePlace]](), [String: Favorite]())
      if let store {
        let ids = results.map(\.id)
        places = try CloneCatalogue(store: store).places(of: ids)
        favorites = try store.favorites(of: ids)
      }
      known.withLock { $0.merge(favorites) { _, new in new } }
      var hasMore = false
      for index in results.indices {
        if let found = places[results[index].id] {
          results[index].addClones(found.map(\.path))
          if results[index].addRoots(found.compactMap(\.rootCommit)) { hasMore = true }
        }
        results[index].set(.favorite, favorites[results[index].id] != nil)
      }
      return hasMore
    } catch {
      guard told.withLock({ $0.insert(error.message).inserted }) else { return false }
      context.output.problem(
        "clones and favorites could not be looked up: " + error.message, hint: error.hint)
      return false
    }
  }

  /// Annotates one result.
  func annotate(_ result: inout SearchResult) {
    var results = [result]
    annotate(&results)
    result = results[0]
  }

  /// Remembers what was shown: the facts of favorites, and what is starred.
  ///
  /// The store is written only where a favorite has changed, and only without waiting for others.
  ///
  /// - Parameter isEveryStar: Whether the list has every star of the token's account.
  func remember(_ results: [SearchResult], isEveryStar: Bool = false) {
    StarMarks(context).record(results, isEvery: isEveryStar)
    let favorites = known.withLock { $0 }
    let changed = results.compactMap { favorites[$0.id]?.refreshed(by: $0) }
    guard !changed.isEmpty else { return }
    do throws(StoreError) {
      try context.store.existing()?.refreshFavorites(changed)
    } catch {
      context.trace("favorites were not updated: " + error.message)
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
