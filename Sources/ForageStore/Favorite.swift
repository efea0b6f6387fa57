package import ForageFoundation
import GRDB

/// An entity that the user added to the favorites on this machine.
package struct Favorite: Sendable, Hashable {
  /// The canonical id of the entity, for example `github.com/owner/name`.
  package var id: String
  /// The kind of entity, as in results.
  package var kind: String
  /// The display name, in the forge's letter case if known.
  package var title: String
  /// Its address, without credentials.
  package var url: String?
  /// When it was first added, with a precision of about a microsecond.
  package var addedAt: Date
  /// The properties when it was last added or seen, as a JSON object; `nil` for none.
  package var facts: String?

  /// Creates a favorite without storing it.
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
    // A read-only store of an older version lacks this column.
    facts = try row.optional("facts")
  }
}
