import GRDB

#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

/// A favorite of the user.
package struct Favorite: Sendable, Hashable {
  /// The canonical id of the entity, for example `github.com/owner/name`.
  package var id: String
  /// The kind of entity, as in results.
  package var kind: String
  /// The title when it was last added.
  package var title: String
  /// Its address, without credentials.
  package var url: String?
  /// When it was first added, with a precision of about a microsecond.
  package var addedAt: Date

  /// Creates a favorite without storing it.
  package init(id: String, kind: String, title: String, url: String? = nil, addedAt: Date) {
    self.id = id
    self.kind = kind
    self.title = title
    self.url = url
    self.addedAt = addedAt
  }

  init(_ row: Row) throws {
    id = try row.required("id")
    kind = try row.required("kind")
    title = try row.required("title")
    url = try row.optional("url")
    addedAt = Date(timeIntervalSince1970: try row.required("added_at"))
  }
}
