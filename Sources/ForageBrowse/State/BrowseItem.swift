package import ForageCore
package import ForagePlatform

/// A message that says what happened, and a hint.
package struct BrowseProblem: Error, Hashable, Sendable {
  package var message: String
  package var hint: String
  /// Whether the query is not valid, so that asking again does not help.
  package var isInQuery: Bool

  package init(_ message: String, hint: String = "", isInQuery: Bool = false) {
    self.message = message
    self.hint = hint
    self.isInQuery = isInQuery
  }
}

/// A matched line of a file, in a text that shows the file.
package struct MatchedLine: Hashable, Sendable {
  /// The number of the line from 1.
  package var line: LineNumber
  /// How many rows the text has from the line on.
  package var rowsFromHere: Int

  package init(line: LineNumber, rowsFromHere: Int) { (self.line, self.rowsFromHere) = (line, rowsFromHere) }
}

/// Text that is laid out for a width.
package struct BrowseText: Sendable {
  /// The rows for a width in columns; wider ones are broken. The function must not have side effects.
  package var rows: @Sendable (_ width: Int) -> [FrameRow]
  /// The matched lines, from the top, for a width; the first is shown first. The function must not
  /// have side effects either.
  package var matchedLines: @Sendable (_ width: Int) -> [MatchedLine]

  package init(
    _ rows: @escaping @Sendable (_ width: Int) -> [FrameRow],
    matchedLines: @escaping @Sendable (_ width: Int) -> [MatchedLine] = { _ in [] }
  ) { (self.rows, self.matchedLines) = (rows, matchedLines) }
}

/// A result in the list.
package struct BrowseItem: Sendable {
  package let result: SearchResult
  /// Names the entity; equal for the same entity of another answer.
  package let key: String
  /// A text for each column.
  package let cells: [String]
  /// The facts that the list has about it, shown until its details are there.
  package let summary: BrowseText

  package init(_ result: SearchResult, cells: [String], summary: BrowseText) {
    (self.result, self.cells, self.summary) = (result, cells, summary)
    key = Self.key(result)
  }

  package static func key(_ result: SearchResult) -> String { result.kind.rawValue + " " + result.id }

  package var title: String { result.title }
  /// The address of its web page.
  package var url: String? { result.pageAddress }
  /// The file on this disk.
  package var file: FileLocation? { result.fileLocation }
  /// The file on this disk at a line in which something was found.
  func file(line: LineNumber) -> FileLocation? {
    let match = result[.matches]?.elements.first { $0["line"]?.lineNumber == line }
    return file.map { FileLocation(path: $0.path, line: line, column: match?["column"]?.lineNumber) }
  }
  /// The file on this disk that is opened in place of a page.
  package var fileToOpen: FileLocation? { result.fileToOpen }
  package var isStarred: Bool { result[.starred]?.flag == true }
  package var isFavorite: Bool { result[.favorite]?.flag == true }
  /// Whether it can be starred and cloned: a repository on a forge.
  package var isRepository: Bool {
    result.kind == .repo && RepositoryIdentity.components(result.id) != nil
  }
  /// The folder of its clone.
  package var clone: String? { result.kind == .repo ? result[.path]?.text : nil }
}

/// The rows of a list with their columns.
package struct BrowseRows: Sendable {
  package var columns: [TableColumn]
  package var items: [BrowseItem]

  package init(columns: [TableColumn], items: [BrowseItem]) {
    self.columns = columns
    self.items = items
  }
}

/// A provider that can be chosen.
package struct BrowseProvider: Hashable, Sendable {
  package var id: String
  /// Its kinds of results in the order in which they are offered.
  package var kinds: [ResultKind]
  /// The kinds that it lists without a query; `nil` for all.
  package var feeds: Set<ResultKind>?
  /// Its sort keys by kind.
  package var sorts: [ResultKind: [String]]
  package var isChosen: Bool
  /// Whether the settings choose it, where the command line chooses none.
  package var isEnabled: Bool

  package init(
    id: String, kinds: [ResultKind], feeds: Set<ResultKind>? = nil, sorts: [ResultKind: [String]] = [:],
    isChosen: Bool = true,
    isEnabled: Bool = true
  ) {
    self.isEnabled = isEnabled
    self.id = id
    self.kinds = kinds
    self.feeds = feeds
    self.sorts = sorts
    self.isChosen = isChosen
  }

  /// Whether it has a list of a kind, without a query or with one: notifications cannot be searched.
  func lists(_ kind: ResultKind, isFeed: Bool) -> Bool {
    isFeed ? feeds?.contains(kind) ?? true : kind != .notification
  }
}

/// The status of a provider in the running search.
package struct ProviderStatus: Hashable, Sendable {
  package enum State: Hashable, Sendable {
    /// It was asked at a time and has not answered.
    case waiting(since: Duration)
    /// It waits for a limit until a time.
    case limited(until: Duration)
    case answered
    case failed(BrowseProblem)
    /// It was not asked, because that needs a token and there is none.
    case lacksToken
    /// It is asked at Enter only, because few requests are left.
    case deferred(remaining: Int)
  }

  package var id: String
  package var state: State
  /// The results of it in the list.
  package var count: Int
  /// All results that it has.
  package var total: ResultTotal?
  package var isCached: Bool

  package init(
    id: String, state: State, count: Int = 0, total: ResultTotal? = nil, isCached: Bool = false
  ) {
    self.id = id
    self.state = state
    self.count = count
    self.total = total
    self.isCached = isCached
  }
}

extension [ProviderStatus] {
  /// Whether a provider that failed or was not asked has fewer results than before.
  package func lose(_ old: [ProviderStatus]) -> Bool {
    contains { status in
      status.state != .answered && old.contains { $0.id == status.id && $0.count > status.count }
    }
  }

  /// The limits that hold after a time: when each ends, by the id of its provider.
  package func limits(after now: Duration) -> [String: Duration] {
    reduce(into: [:]) { limits, status in
      if case .limited(let end) = status.state, end > now { limits[status.id] = end }
    }
  }
}
