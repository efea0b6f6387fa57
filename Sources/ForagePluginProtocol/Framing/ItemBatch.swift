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
  package var bytes = 0
  /// The number of JSON values in the message.
  package var values = 0
  /// The number of items sent, valid or not, to be compared with `count`.
  package var sent: Int { items.count + unreadable + oversized }

  /// Parses the parameters in one pass.
  ///
  /// - Returns: `nil` if id, sequence number or list of items is missing.
  package init?(_ params: JSONText) {
    var (id, seq, list): (RequestID?, Int?, ItemList?)
    var values = 0
    _ = try? JSONReader.read(params.bytes, maximumDepth: PluginProtocol.Limits.depth) {
      reader throws(JSONTree.Failure) in
      try reader.object { name, reader throws(JSONTree.Failure) in
        switch name {
        case "id": id = RequestID(try reader.tree())
        case "seq": seq = try reader.tree().integer
        case "items" where try reader.peek() == UInt8(ascii: "["):
          var read = ItemList()
          try reader.array { reader throws(JSONTree.Failure) in try read.append(&reader) }
          list = read
        default: try reader.skip()
        }
      }
      values = reader.values
    }
    guard let id, let seq, let list else { return nil }
    (self.id, self.seq) = (id, seq)
    self.values = values
    (items, unreadable, oversized, bytes) = (list.items, list.unreadable, list.oversized, list.bytes)
  }
}

private struct ItemList {
  var items: [Item] = []
  var unreadable = 0
  var oversized = 0
  var bytes = 0

  mutating func append(_ reader: inout JSONReader) throws(JSONTree.Failure) {
    _ = try reader.peek()
    let start = reader.position
    let item = try Item.read(&reader)
    let size = reader.position - start
    bytes += size
    if size > PluginProtocol.Limits.item {
      oversized += 1
    } else if let item {
      items.append(item)
    } else {
      unreadable += 1
    }
  }
}

extension Item {
  /// Reads an item; `nil` if it is invalid. A member of a wrong type is treated as absent.
  fileprivate static func read(_ reader: inout JSONReader) throws(JSONTree.Failure) -> Item? {
    guard try reader.peek() == UInt8(ascii: "{") else {
      try reader.skip()
      return nil
    }
    var (id, kind, title): (String?, String?, String?)
    var item = Item(id: "", kind: "", title: "")
    try reader.object { name, reader throws(JSONTree.Failure) in
      switch name {
      case "id": id = try reader.textOrSkip()
      case "kind": kind = try reader.textOrSkip()
      case "url": item.url = try reader.textOrSkip()
      case "title": title = try reader.textOrSkip()
      case "observedAt": item.observedAt = try reader.textOrSkip()
      case "fields": item.fields = try reader.tree().object ?? [:]
      case "related":
        let related = (try reader.tree().array ?? []).compactMap(RelatedItem.init)
        item.related = related.isEmpty ? nil : related
      default: try reader.skip()
      }
    }
    guard let id, let kind, let title else { return nil }
    (item.id, item.kind, item.title) = (id, kind, title)
    return item
  }

  package func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("id") { $0.write(id) }
      writer.member("kind") { $0.write(kind) }
      if let url { writer.member("url") { $0.write(url) } }
      writer.member("title") { $0.write(title) }
      writer.member("fields") { $0.write(.object(fields)) }
      if let related, !related.isEmpty {
        writer.member("related") { $0.write(.array(related.map(\.tree))) }
      }
      if let observedAt { writer.member("observedAt") { $0.write(observedAt) } }
    }
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
