import Forage

/// The lists that cursors continue: those of the last searches of the server.
actor OpenLists {
  /// Lists that are kept: each may hold child processes of plugins.
  private static let maximumLists = 8

  private struct List {
    let number: Int
    /// The tool and its query, which a cursor goes with.
    let search: String
    let report: SearchReport
    let forage: Forage
  }

  /// Tells cursors of this server from those of another one.
  private let mark = String(UInt32.random(in: .min ... .max), radix: 36)
  private var lists: [List] = []
  private var last = 0

  /// Keeps a list, and closes the one that was not used for the longest time where there are too many.
  ///
  /// - Parameters:
  ///   - search: The tool and its query.
  ///   - forage: What the search runs with; it is closed with the list.
  /// - Returns: The number of the list.
  func open(_ report: SearchReport, of search: String, _ forage: Forage) async -> Int {
    last += 1
    lists.append(List(number: last, search: search, report: report, forage: forage))
    let number = last
    if lists.count > Self.maximumLists { await lists.removeFirst().forage.close() }
    return number
  }

  /// Whether a list is kept that runs with this.
  func holds(_ forage: Forage) -> Bool { lists.contains { $0.forage === forage } }

  /// The cursor of a place in a list.
  ///
  /// - Parameter offset: The number of results before it.
  nonisolated func cursor(of number: Int, at offset: Int) -> String { "\(mark).\(number).\(offset)" }

  /// The next results of a list.
  ///
  /// - Parameter limit: The number of results wanted.
  /// - Returns: The number of the list, and its part.
  /// - Throws: `ToolFailure` for a cursor of another server or search, and of a list that is not kept any
  ///   more.
  func part(at cursor: String, of search: String, limit: Int) async throws(ToolFailure) -> (Int, SearchReport)
  {
    let parts = cursor.split(separator: ".").map(String.init)
    guard parts.count == 3, parts[0] == mark,
      let index = lists.firstIndex(where: { String($0.number) == parts[1] }), let offset = Int(parts[2]),
      (0...SearchOptions.maximumLimit).contains(offset)
    else {
      throw ToolFailure("the cursor is not known", hint: "search again without \"cursor\"")
    }
    // The list that was not used for the longest time is the first.
    let list = lists.remove(at: index)
    lists.append(list)
    guard list.search == search else {
      throw ToolFailure("the cursor belongs to another search", hint: "use the arguments of the first call")
    }
    guard let part = await list.report.part(from: offset, limit: limit) else {
      throw ToolFailure("the cursor is not known", hint: "search again without \"cursor\"")
    }
    return (list.number, part)
  }

  /// Closes all lists.
  func close() async {
    for list in lists { await list.forage.close() }
    lists = []
  }
}
