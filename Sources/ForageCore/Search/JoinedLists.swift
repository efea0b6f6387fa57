/// Several lists of a service that are one list to a search, for example issues and merge requests.
///
/// Without a sort key the lists alternate; by a sort key they are merged by its values. A page of a list of which only a part fits is
/// requested again for the next page, which the cache answers.
package struct JoinedLists: Sendable {
  /// Requests a page of one of the lists.
  package typealias List = @Sendable (SearchRequest) async throws -> SearchPage

  /// How far a list was read.
  private struct Place {
    /// The cursor of the page; `nil` for the first one.
    var cursor: String?
    /// The items of the page that were returned before.
    var skip = 0
    /// The items of the list that were returned before.
    var count = 0
    var isEnded = false
  }

  private let lists: [List]
  /// The results of a list that its service returns.
  private let reachable: Int

  /// The beginning of the cursors; those of no service begin like this.
  private static let prefix = "joined\n"

  /// - Parameter reachable: The results of a list that its service returns. After the last one of more a sorted list ends, so that the
  ///   rest can be asked for by the values of the sort key.
  package init(_ lists: [List], reachable: Int = .max) { (self.lists, self.reachable) = (lists, reachable) }

  /// Whether a cursor is one of joined lists.
  package static func isCursor(_ text: String) -> Bool { text.hasPrefix(prefix) }

  /// Returns one page of the joined list.
  ///
  /// - Parameter request: The request for all lists, with a cursor of an earlier page.
  /// - Returns: At most as many items as are wanted. Where a list fails, its error is the failure of the page.
  /// - Throws: The error of the first list where all fail; `SearchError` with code `invalidCursor` for a damaged cursor.
  package func page(_ request: SearchRequest) async throws -> SearchPage {
    var places = try self.places(request.cursor)
    let answers = await answers(request, places)
    if let error = answers.failures.values.first, answers.failures.count == places.count { throw error }
    var page = SearchPage(items: [])
    page.failure = answers.failures.min { $0.key < $1.key }.map { SearchError($0.value, of: "it") }
    for (list, answer) in answers.pages.sorted(by: { $0.key < $1.key }) {
      page.unapplied.formUnion(answer.unapplied)
      page.notes += answer.notes.filter { !page.notes.contains($0) }
      page.unreadable += places[list].skip == 0 ? answer.unreadable : 0
      page.failure = page.failure ?? answer.failure
      page.mayRepeat = page.mayRepeat || answer.mayRepeat
      page.cache.add(answer.cache)
    }
    let totals = answers.pages.values.map(\.total)
    if places.allSatisfy({ !$0.isEnded }), totals.count == places.count, !totals.contains(nil) {
      let known = totals.compactMap(\.self)
      let isExact = known.allSatisfy { $0.relation == .equal }
      page.total = ResultTotal(known.reduce(0) { $0 + $1.value }, isExact ? .equal : .atLeast)
    }
    let isCut = answers.pages.mapValues { answer in
      answer.next == nil && request.sort != nil && answer.total?.value ?? 0 > reachable
    }
    var heads = answers.pages.mapValues { _ in 0 }
    func items(_ list: Int) -> [SearchResult] { answers.pages[list]?.items ?? [] }
    merging: while page.items.count < request.pageSize {
      var open: [Int] = []
      for list in heads.keys.sorted() {
        let place = places[list].skip + (heads[list] ?? 0)
        if place < items(list).count {
          open.append(list)
        } else if answers.pages[list]?.next != nil || isCut[list] == true {
          // What follows in this list may come before the rest of the others.
          break merging
        }
      }
      guard
        let next = first(
          of: open, request, taken: { places[$0].count + (heads[$0] ?? 0) },
          item: { items($0)[places[$0].skip + (heads[$0] ?? 0)] })
      else { break }
      page.items.append(items(next)[places[next].skip + (heads[next] ?? 0)])
      heads[next, default: 0] += 1
    }
    var endsEarly = false
    for (list, count) in heads {
      places[list].skip += count
      places[list].count += count
      if places[list].skip >= items(list).count {
        endsEarly = endsEarly || isCut[list] == true
        let next = answers.pages[list]?.next
        places[list] = Place(cursor: next, count: places[list].count, isEnded: next == nil)
      }
    }
    page.next = endsEarly ? nil : Self.text(places)
    return page
  }

  /// The list of which the next item is taken: by a sort key that whose item comes first, else that of which the fewest were taken.
  private func first(
    of lists: [Int], _ request: SearchRequest, taken: (Int) -> Int, item: (Int) -> SearchResult
  ) -> Int? {
    guard let sort = request.sort else { return lists.min { taken($0) < taken($1) } }
    return ResultOrder.sorted(lists.map { (list: $0, item: item($0)) }, by: sort, order: request.order) {
      $0.item
    }.first?.list
  }

  /// Asks each list that has not ended for its page.
  private func answers(_ request: SearchRequest, _ places: [Place]) async -> (
    pages: [Int: SearchPage], failures: [Int: any Error]
  ) {
    await withTaskGroup(of: (Int, Result<SearchPage, any Error>).self) { group in
      for (index, place) in places.enumerated() where !place.isEnded {
        var part = request
        part.cursor = place.cursor
        group.addTask { [list = lists[index], part] in
          do { return (index, .success(try await list(part))) } catch { return (index, .failure(error)) }
        }
      }
      var (pages, failures): ([Int: SearchPage], [Int: any Error]) = ([:], [:])
      for await (index, result) in group {
        switch result {
        case .success(let page): pages[index] = page
        case .failure(let error): failures[index] = error
        }
      }
      return (pages, failures)
    }
  }

  // MARK: Cursors

  /// The places of the lists as a cursor: a line for each with its numbers and the cursor of its page, or `-` where it has ended.
  private static func text(_ places: [Place]) -> String? {
    guard places.contains(where: { !$0.isEnded }) else { return nil }
    return prefix
      + places.map { $0.isEnded ? "-" : "\($0.skip) \($0.count) \($0.cursor ?? "")" }.joined(separator: "\n")
  }

  private func places(_ cursor: String?) throws(SearchError) -> [Place] {
    guard let cursor else { return lists.map { _ in Place() } }
    let damaged = SearchError(.invalidCursor, "the cursor does not belong to this query")
    guard Self.isCursor(cursor) else { throw damaged }
    let lines = cursor.dropFirst(Self.prefix.count).split(
      separator: "\n", omittingEmptySubsequences: false)
    let places = lines.compactMap { line -> Place? in
      if line == "-" { return Place(isEnded: true) }
      let parts = line.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
      guard parts.count == 3, let skip = Int(parts[0]), let count = Int(parts[1]), skip >= 0, count >= 0
      else { return nil }
      return Place(
        cursor: parts[2].isEmpty ? nil : String(parts[2]), skip: skip, count: min(count, .max / 2))
    }
    guard places.count == lists.count, places.count == lines.count else { throw damaged }
    return places
  }
}
