package import ForageCore
import ForageStore

/// The favorites on this machine.
package struct Favorites: Sendable {
  private let services: Services

  package init(_ services: Services) { self.services = services }

  /// All, the newest first, as results.
  package func list() throws -> [SearchResult] {
    try services.store.existing()?.favorites().map(\.result) ?? []
  }

  /// The ids of all.
  package func ids() throws -> Set<String> { try services.store.existing()?.favoriteIDs() ?? [] }

  /// The ids of favorites with their names in the spelling of the forge.
  package func names(of ids: [String]) throws -> [String: String] {
    try services.store.existing()?.favorites(of: ids).mapValues(\.name) ?? [:]
  }

  /// Adds one.
  ///
  /// - Returns: Whether it is new, and its id with the name in the spelling of the forge.
  @discardableResult
  package func add(_ reference: ResolvedReference) throws -> (isNew: Bool, name: String) {
    let end = services.reporter.waitsFor(StoreAccess.name)
    defer { end() }
    let store = try services.store.writable()
    let known = try store.favorites(of: [reference.id])
    let favorite = Favorite(reference, known: known[reference.id], now: services.now())
    return (try store.addFavorite(favorite), favorite.name)
  }

  /// Removes one by its id.
  ///
  /// - Returns: Whether it was one.
  @discardableResult
  package func remove(_ id: String) throws -> Bool {
    let end = services.reporter.waitsFor(StoreAccess.name)
    defer { end() }
    guard try services.store.existing() != nil else { return false }
    return try services.store.writable().removeFavorite(id)
  }
}
