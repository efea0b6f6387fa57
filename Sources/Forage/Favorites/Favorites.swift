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

  /// Adds one.
  ///
  /// - Returns: Whether it is new.
  @discardableResult
  package func add(_ reference: ResolvedReference) throws -> Bool {
    let store = try services.store.writable()
    let known = try store.favorites(of: [reference.id])
    return try store.addFavorite(Favorite(reference, known: known[reference.id], now: services.now()))
  }

  /// Removes one by its id.
  ///
  /// - Returns: Whether it was one.
  @discardableResult
  package func remove(_ id: String) throws -> Bool {
    guard try services.store.existing() != nil else { return false }
    return try services.store.writable().removeFavorite(id)
  }
}
