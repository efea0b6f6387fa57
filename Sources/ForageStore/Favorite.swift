import GRDB

#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

/// Something that the user wants to find again.
package struct Favorite: Sendable, Hashable {
  /// The canonical id of the entity, for example `github.com/owner/name`.
  package var id: String
  /// What kind of entity it is, as results name it.
  package var kind: String
  /// What it was called when it was added last.
  package var title: String
  /// Its address, without credentials.
  package var url: String?
  /// When it was added first; kept to about a microsecond.
  package var addedAt: Date

  /// Creates a favourite; nothing is stored.
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
