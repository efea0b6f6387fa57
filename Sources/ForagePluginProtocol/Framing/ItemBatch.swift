package import ForageCore

/// The parameters of `search/items`, decoded leniently: an invalid item does not invalidate the others.
package struct ItemBatch: Hashable, Sendable {
  package var id: RequestID
  /// The sequence number of this message within the request.
  package var seq: Int
  /// The valid items, in order.
  package var items: [Item] = []
  /// The number of invalid items: not an object, or without a text as id, kind or title.
  package var unreadable = 0
  /// The number of dropped items larger than `PluginProtocol.Limits.item`.
  package var oversized = 0
  /// The size of all items as JSON without white space, in bytes.
  package var bytes = 0
  /// The number of JSON values in the message.
  package var values = 0
  /// The number of items sent, valid or not, to be compared with `count`.
  package var sent: Int { items.count + unreadable + oversized }

  /// Decodes the parameters.
  ///
  /// - Returns: `nil` if id, sequence number or list of items is missing.
  package init?(_ params: JSONTree) {
    guard let id = RequestID(params["id"]), let seq = params["seq"]?.integer,
      let list = params["items"]?.array
    else { return nil }
    (self.id, self.seq, values) = (id, seq, params.valueCount)
    for tree in list {
      let size = tree.encoded().count
      bytes += size
      if size > PluginProtocol.Limits.item {
        oversized += 1
      } else if let item = Item(tree) {
        items.append(item)
      } else {
        unreadable += 1
      }
    }
  }
}

extension JSONTree {
  /// The number of values, including nested ones.
  fileprivate var valueCount: Int {
    switch self {
    case .array(let values): values.reduce(1) { $0 + $1.valueCount }
    case .object(let members): members.values.reduce(1) { $0 + $1.valueCount }
    default: 1
    }
  }
}

extension Item {
  /// Converts an item; `nil` if it is invalid. A member of a wrong type is treated as absent.
  fileprivate init?(_ tree: JSONTree) {
    guard let id = tree["id"]?.string, let kind = tree["kind"]?.string, let title = tree["title"]?.string
    else {
      return nil
    }
    let related = (tree["related"]?.array ?? []).compactMap(RelatedItem.init)
    self.init(
      id: id, kind: kind, url: tree["url"]?.string, title: title, fields: tree["fields"]?.object ?? [:],
      related: related.isEmpty ? nil : related, observedAt: tree["observedAt"]?.string)
  }

  package var tree: JSONTree {
    var members: [String: JSONTree] = [
      "id": .string(id), "kind": .string(kind), "title": .string(title), "fields": .object(fields),
    ]
    members["url"] = url.map(JSONTree.string)
    if let related, !related.isEmpty { members["related"] = .array(related.map(\.tree)) }
    members["observedAt"] = observedAt.map(JSONTree.string)
    return .object(members)
  }
}

extension RelatedItem {
  fileprivate init?(_ tree: JSONTree) {
    guard let why = tree["why"]?.string else { return nil }
    self.init(id: tree["id"]?.string, url: tree["url"]?.string, why: why)
  }

  fileprivate var tree: JSONTree {
    var members = ["why": JSONTree.string(why)]
    members["id"] = id.map(JSONTree.string)
    members["url"] = url.map(JSONTree.string)
    return .object(members)
  }
}
