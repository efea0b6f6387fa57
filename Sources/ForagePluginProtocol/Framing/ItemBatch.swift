package import ForageCore

/// A list of items, decoded leniently: an invalid item does not invalidate the others.
///
/// Items are converted from the parsed message directly, because a search can have a hundred thousand of
/// them.
package struct ItemBatch: Hashable, Sendable {
  /// The valid items, in order.
  package var items: [Item] = []
  /// The number of invalid items: not an object, or without a text as id, kind or title.
  package var unreadable = 0
  /// The number of dropped items larger than `PluginProtocol.Limits.item`.
  package var oversized = 0
  /// The size of all items in bytes.
  package var bytes = 0
  /// The number of JSON values in the items.
  package var values = 0
  /// The number of items sent, valid or not, to be compared with `count`.
  package var sent: Int { items.count + unreadable + oversized }

  /// Decodes the elements of `items`.
  package init(_ list: [JSONTree]) {
    for tree in list {
      let before = bytes
      measure(tree)
      if bytes - before > PluginProtocol.Limits.item {
        oversized += 1
      } else if let item = Item(tree) {
        items.append(item)
      } else {
        unreadable += 1
      }
    }
  }

  /// Adds the size of a value: that of its JSON, with every number counted as `number` bytes.
  private mutating func measure(_ tree: JSONTree) {
    values += 1
    switch tree {
    case .string(let text): bytes += text.utf8.count + 2
    case .array(let elements):
      bytes += max(2, elements.count + 1)
      for element in elements { measure(element) }
    case .object(let members):
      bytes += max(2, 4 * members.count + 1)
      for (name, member) in members {
        bytes += name.utf8.count
        measure(member)
      }
    default: bytes += Self.number
    }
  }

  /// The size of a number, a Boolean or `null`.
  private static let number = 4
}

extension Item {
  /// Converts an item; `nil` if it is invalid. A member of a wrong type is treated as absent.
  fileprivate init?(_ tree: JSONTree) {
    guard let id = tree["id"]?.string, let kind = tree["kind"]?.string, let title = tree["title"]?.string
    else {
      return nil
    }
    self.init(
      id: id, kind: kind, url: tree["url"]?.string, title: title, fields: tree["fields"]?.object,
      related: tree["related"]?.array?.compactMap(RelatedItem.init), observedAt: tree["observedAt"]?.string)
  }

  /// The item as a value of a message.
  package var tree: JSONTree {
    .members([
      ("fields", fields.map(JSONTree.object)), ("id", .string(id)), ("kind", .string(kind)),
      ("observedAt", observedAt.map(JSONTree.string)), ("related", related.map { .array($0.map(\.tree)) }),
      ("title", .string(title)), ("url", url.map(JSONTree.string)),
    ])
  }
}

extension RelatedItem {
  fileprivate init?(_ tree: JSONTree) {
    guard let why = tree["why"]?.string else { return nil }
    self.init(id: tree["id"]?.string, url: tree["url"]?.string, why: why)
  }

  fileprivate var tree: JSONTree {
    .members([
      ("id", id.map(JSONTree.string)), ("url", url.map(JSONTree.string)), ("why", .string(why)),
    ])
  }
}
