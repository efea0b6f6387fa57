import GRDB

#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

/// An entity that the user added to the favorites on this machine.
package struct Favorite: Sendable, Hashable {
  /// The canonical id of the entity, for example `github.com/owner/name`.
  package var id: String
  /// What kind of entity it is, as results name it.
  package var kind: String
  /// What a person calls it, in the spelling of the forge where that is known.
  package var title: String
  /// Its address, without credentials.
  package var url: String?
  /// When it was added first; kept to about a microsecond.
  package var addedAt: Date
  /// What was known of it when it was added or seen last, as a JSON object; `nil` for nothing.
  package var facts: String?

  /// Creates a favorite; nothing is stored.
  package init(
    id: String, kind: String, title: String, url: String? = nil, addedAt: Date, facts: String? = nil
  ) {
    self.id = id
    self.kind = kind
    self.title = title
    self.url = url
    self.addedAt = addedAt
    self.facts = facts
  }

  init(_ row: Row) throws {
    id = try row.required("id")
    kind = try row.required("kind")
    title = try row.required("title")
    url = try row.optional("url")
    addedAt = Date(timeIntervalSince1970: try row.required("added_at"))
    // A store of an older version that cannot be written has no such column.
    facts = try row.optional("facts")
  }
}
