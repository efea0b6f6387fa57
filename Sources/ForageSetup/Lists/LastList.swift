package import ForageCore
package import ForageFoundation
import ForageGit
import ForagePlatform
import ForageStore

/// The list that a terminal shows last; never empty.
package struct LastList {
  private static let version = 4
  /// The command that printed it, for example `search`.
  package var command: String
  /// The arguments of the command, without its name.
  package var arguments: [String]
  /// Whether results may follow.
  package var hasMore: Bool
  /// The number of pages that were asked for, some of which may be empty.
  package var pages: Int
  /// The results in the order of the list, of all its pages.
  package var items: [SearchResult]
  /// The identities of the roots of the clones that had the files when they were printed, by number; of
  /// others they are looked up when the list is encoded.
  package var roots: [Int: String] = [:]
  /// The saved search that the arguments name, as it was when the list was printed.
  package var savedSearch: SavedSearch?
  /// The folder in which it was printed, from which paths of clones, plugins and manifests among the arguments
  /// count; `nil` where an older version has printed it.
  package var folder: String?
  /// Its command line and how long ago it was printed, where another list may be meant; read from the file
  /// alone.
  package fileprivate(set) var reminder: String?
  /// When the oldest answer of the first page was fetched, in whole seconds: what came later, the list cannot
  /// show.
  package var knownUntil: Date

  package init(
    command: String, arguments: [String], hasMore: Bool, pages: Int = 1, items: [SearchResult],
    knownUntil: Date
  ) {
    self.knownUntil = Date(timeIntervalSince1970: knownUntil.timeIntervalSince1970.rounded(.down))
    self.command = command
    self.arguments = arguments
    self.hasMore = hasMore
    self.pages = pages
    self.items = items
  }

  /// The number of the last result.
  package var last: Int { items.count }

  /// The result with a number from 1 to `last`.
  package subscript(number: Int) -> SearchResult { items[number - 1] }

  /// The root of the clone that has the file of a result, where it is another folder than when the list was
  /// printed.
  package func replacedRoot(of number: Int) -> String? {
    guard let root = roots[number], let files = self[number].clonedFile?.files,
      let identity = files.rootIdentity, identity != root
    else { return nil }
    return files.root
  }

  fileprivate mutating func remind(of age: String) {
    let line = (["forage", command] + arguments).joined(separator: " ")
    reminder = age == "now" ? line : "\(line) (\(age))"
  }

  /// Reads the contents of a file, `nil` for anything that ``encoded`` does not write.
  package init?(_ bytes: [UInt8]) {
    guard let tree = try? JSONTree(parsing: bytes), tree["version"]?.integer == Self.version,
      let command = tree["command"]?.string, let hasMore = tree["hasMore"]?.bool,
      let pages = tree["pages"]?.integer, (1...SearchOptions.maximumLimit).contains(pages),
      let arguments = tree["arguments"]?.array?.compactMap(\.string),
      let knownUntil = tree["knownUntil"]?.integer,
      let items = tree["items"]?.array?.compactMap({ tree in
        Self.item(tree).map { (result: $0, root: tree["root"]?.string) }
      }), !items.isEmpty
    else { return nil }
    self.init(
      command: command, arguments: arguments, hasMore: hasMore, pages: pages, items: items.map(\.result),
      knownUntil: Date(timeIntervalSince1970: Double(knownUntil)))
    for (index, item) in items.enumerated() { roots[index + 1] = item.root }
    savedSearch = tree["savedSearch"].flatMap(SavedSearch.init)
    folder = tree["folder"]?.string
  }

  package var encoded: [UInt8] {
    let trees = items.enumerated().map { index, item in
      var members = Self.members(item)
      members["root"] = (roots[index + 1] ?? item.clonedFile?.files.rootIdentity).map { .string($0) }
      return JSONTree.object(members)
    }
    var members: [String: JSONTree] = [
      "version": .integer(Self.version), "command": .string(command), "hasMore": .bool(hasMore),
      "pages": .integer(pages), "knownUntil": .integer(Int(nearest: knownUntil.timeIntervalSince1970)),
      "arguments": .array(arguments.map { .string($0) }), "items": .array(trees),
    ]
    members["savedSearch"] = savedSearch?.tree
    members["folder"] = folder.map { .string($0) }
    return JSONTree.object(members).encoded()
  }

  private static func members(_ item: SearchResult) -> [String: JSONTree] {
    var members: [String: JSONTree] = [
      "id": .string(item.id), "kind": .string(item.kind.rawValue), "title": .string(item.title),
      "facts": ResultFacts.tree(item),
    ]
    members["url"] = item.url.map { .string($0) }
    members["line"] = (item.firstLine?.value).map { .integer($0) }
    members["column"] = (item.firstColumn?.value).map { .integer($0) }
    return members
  }

  private static func item(_ tree: JSONTree) -> SearchResult? {
    guard let id = tree["id"]?.string, let kind = tree["kind"]?.string, let title = tree["title"]?.string
    else {
      return nil
    }
    var item = SearchResult(id: id, kind: ResultKind(rawValue: kind), title: title, url: tree["url"]?.string)
    if let facts = tree["facts"] { ResultFacts.add(facts, to: &item) }
    if let line = tree["line"]?.integer { item.set("line", line) }
    if let column = tree["column"]?.integer { item.set("column", column) }
    return item
  }
}

extension SavedSearch {
  fileprivate var tree: JSONTree {
    var members: [String: JSONTree] = [
      "name": .string(name), "kinds": .array(kinds.map { .string($0) }), "query": .string(query),
      "providers": .array(providers.map { .string($0) }),
    ]
    members["sort"] = sort.map { .string($0) }
    members["order"] = (order?.rawValue).map { .string($0) }
    members["limit"] = limit.map { .integer($0) }
    return .object(members)
  }

  fileprivate init?(_ tree: JSONTree) {
    guard let name = tree["name"]?.string, let query = tree["query"]?.string,
      let kinds = tree["kinds"]?.array?.compactMap(\.string),
      let providers = tree["providers"]?.array?.compactMap(\.string)
    else { return nil }
    self.init(name: name)
    (self.query, self.kinds, self.providers) = (query, kinds, providers)
    sort = tree["sort"]?.string
    order = (tree["order"]?.string).flatMap(SortOrder.init(rawValue:))
    limit = tree["limit"]?.integer
  }
}

/// The file of the list that this terminal shows last: one for each terminal and session leader, below the
/// state folder.
package struct LastListFile {
  /// How long a list can be referred to, in seconds: a day. Terminals and processes get the names of earlier
  /// ones.
  private static let lifetime: Double = 24 * 60 * 60
  /// A list of 10,000 results is about 8 MB.
  private static let maximumBytes = 32 << 20

  /// How long a list is remembered by who reads it, in seconds: five minutes.
  private static let rememberedTime: Double = 5 * 60

  private let folder: String
  private let path: String
  /// Its path once a later list of the terminal has gone to a pipe or a file.
  private let followedPath: String
  private let now: Date

  /// Names the file of a terminal; nothing is read.
  package init(_ paths: Paths, terminal: String) {
    folder = paths.stateFolder + "/lists"
    path = folder + "/" + PrivateFile.name(of: terminal)
    followedPath = path + "~"
    // Files have the time of the system, whatever relative times count from.
    now = Date()
  }

  /// The list, `nil` when there is none that was printed within a day.
  package func read() -> LastList? {
    let isFollowed = PrivateFile.writtenAt(path) == nil
    let path = isFollowed ? followedPath : path
    guard let time = PrivateFile.writtenAt(path), isCurrent(time) else { return nil }
    var list = PrivateFile.read(path, limit: Self.maximumBytes).flatMap(LastList.init)
    if isFollowed || now.timeIntervalSince1970 - time > Self.rememberedTime {
      list?.remind(of: HumanFormat.age(Date(timeIntervalSince1970: time), now: now))
    }
    return list
  }

  /// Keeps a list in the place of the former one, which goes also when the list cannot be kept: its numbers
  /// would mean other results than those on the terminal.
  package func keep(_ list: LastList) {
    sweep()
    if PrivateFile.write(list.encoded, to: path) { PrivateFile.remove(followedPath) } else { remove() }
  }

  /// Forgets the list.
  package func remove() {
    PrivateFile.remove(path)
    PrivateFile.remove(followedPath)
  }

  /// Notes that a later list has gone to a pipe or a file.
  package func follow() { try? FileManager.default.moveItem(atPath: path, toPath: followedPath) }

  private func isCurrent(_ time: Double) -> Bool { abs(now.timeIntervalSince1970 - time) <= Self.lifetime }

  /// Removes the lists of terminals that are gone.
  private func sweep() {
    for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] {
      let file = folder + "/" + name
      if let time = PrivateFile.writtenAt(file), !isCurrent(time) { PrivateFile.remove(file) }
    }
  }
}
