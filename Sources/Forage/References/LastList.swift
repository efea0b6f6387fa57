package import ForageCore

/// The list that a terminal shows last; empty where a command found nothing.
package struct LastList {
  private static let version = 2
  /// The most results: as many as one list can have. Of a list that was continued further, the first ones go.
  private static let maximumItems = SearchOptions.maximumLimit
  /// The highest number of a first result: more than can be read page by page, and far from an overflow.
  private static let maximumFirst = 1_000_000_000

  /// The command that printed it, for example `search`.
  package var command: String
  /// The arguments of the command, without its name.
  package var arguments: [String]
  /// The cursor of the next page, `nil` when nothing follows.
  package var next: String?
  /// The number of the first result; not 1 where earlier pages are not known.
  package var first: Int
  /// The results in the order of the list, of all its pages that are known.
  package var items: [SearchResult]

  package init(command: String, arguments: [String], next: String?, first: Int = 1, items: [SearchResult]) {
    self.command = command
    self.arguments = arguments
    self.next = next
    self.first = first
    self.items = items
  }

  package var last: Int { first + items.count - 1 }

  /// The result with a number from `first` to `last`.
  package subscript(number: Int) -> SearchResult { items[number - first] }

  /// Adds the pages before, so that the numbers of all pages have a meaning.
  package mutating func prepend(_ earlier: LastList) {
    let end = last
    items = Array((earlier.items + items).suffix(Self.maximumItems))
    first = end - items.count + 1
  }

  /// Reads the contents of a file, `nil` for anything that ``encoded`` does not write.
  package init?(_ bytes: [UInt8]) {
    guard let tree = try? JSONTree(parsing: bytes), tree["version"]?.integer == Self.version,
      let command = tree["command"]?.string, let first = tree["first"]?.integer,
      (1...Self.maximumFirst).contains(first),
      let arguments = tree["arguments"]?.array?.compactMap(\.string),
      let items = tree["items"]?.array?.compactMap(Self.item)
    else { return nil }
    self.init(
      command: command, arguments: arguments, next: tree["next"]?.string, first: first, items: items)
  }

  package var encoded: [UInt8] {
    var members: [String: JSONTree] = [
      "version": .integer(Self.version), "command": .string(command),
      "first": .integer(first),
      "arguments": .array(arguments.map { .string($0) }), "items": .array(items.map(Self.tree)),
    ]
    members["next"] = next.map { .string($0) }
    return JSONTree.object(members).encoded()
  }

  private static func tree(_ item: SearchResult) -> JSONTree {
    var members: [String: JSONTree] = [
      "id": .string(item.id), "kind": .string(item.kind.rawValue), "title": .string(item.title),
      "facts": ResultFacts.tree(item),
    ]
    members["url"] = item.url.map { .string($0) }
    return .object(members)
  }

  private static func item(_ tree: JSONTree) -> SearchResult? {
    guard let id = tree["id"]?.string, let kind = tree["kind"]?.string, let title = tree["title"]?.string
    else {
      return nil
    }
    var item = SearchResult(id: id, kind: ResultKind(rawValue: kind), title: title, url: tree["url"]?.string)
    if let facts = tree["facts"] { ResultFacts.add(facts, to: &item) }
    return item
  }
}
