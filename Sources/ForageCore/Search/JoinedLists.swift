import ForagePlatform

/// Several lists of a service that are one list to a search, for example issues and merge requests.
///
/// Without a sort key the lists alternate; by a sort key they are merged by its values. A page of a list of
/// which only a part fits is requested again for the next page, which the cache answers.
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
    /// The number of its results, as far as it is known.
    var total: ResultTotal?
    var isEnded = false
  }

  private let lists: [List]
  /// The results of a list that its service returns.
  private let reachable: Int

  /// More items than any list returns, so that a forged cursor leads to no overflow.
  private static let mostItems = 1 << 40

  /// The beginning of the cursors; those of no service begin like this.
  private static let prefix = "joined\n"

  /// - Parameter reachable: The results of a list that its service returns. After the last one of more a
  ///   sorted list ends, so that the rest can be asked for by the values of the sort key.
  package init(_ lists: [List], reachable: Int = .max) { (self.lists, self.reachable) = (lists, reachable) }

  /// Whether a cursor is one of joined lists.
  package static func isCursor(_ text: String) -> Bool { text.hasPrefix(prefix) }

  /// Returns one page of the joined list.
  ///
  /// - Parameter request: The request for all lists, with a cursor of an earlier page.
  /// - Returns: At most as many items as are wanted. Where a list fails, its error is the failure of the
  ///   page.
  /// - Throws: The error of the first list where all fail; `SearchError` with code `invalidCursor` for a
  ///   damaged cursor.
  package func page(_ request: SearchRequest) async throws -> SearchPage {
    var places = try self.places(request.cursor)
    let answers = await answers(request, places)
    let failure = answers.failures.min { $0.key < $1.key }?.value
    if let failure, answers.pages.isEmpty { throw failure }
    var page = SearchPage(items: [])
    page.failure = failure.map { SearchError($0, of: "it") }
    for (list, answer) in answers.pages.sorted(by: { $0.key < $1.key }) {
      page.unapplied.formUnion(answer.unapplied)
      page.notes += answer.notes.filter { !page.notes.contains($0) }
      places[list].total = answer.total ?? places[list].total
      page.failure = page.failure ?? answer.failure
      page.mayRepeat = page.mayRepeat || answer.mayRepeat
      page.cache.add(answer.cache)
    }
    page.total = Self.sum(of: places.map(\.total))
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
        page.unreadable += answers.pages[list]?.unreadable ?? 0
        // A page that was read again may be shorter now.
        places[list].skip -= items(list).count
        places[list].cursor = answers.pages[list]?.next
        places[list].isEnded = places[list].cursor == nil
      }
    }
    page.next = endsEarly ? nil : Self.text(places)
    return page
  }

  /// The sum of totals; `nil` if one is unknown.
  private static func sum(of totals: [ResultTotal?]) -> ResultTotal? {
    let known = totals.compactMap(\.self)
    guard known.count == totals.count else { return nil }
    let isExact = known.allSatisfy { $0.relation == .equal }
    let sum = known.reduce(Count(nearest: 0)) { $0 + Count(nearest: $1.value) }
    return ResultTotal(sum.value, isExact && sum < .max ? .equal : .atLeast)
  }

  /// The list of which the next item is taken: by a sort key that whose item comes first, else that of which
  /// the fewest were taken.
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
    let asked = places.indices.filter { !places[$0].isEnded }
    let answers = await concurrently(asked) { [lists] index -> Result<SearchPage, any Error> in
      var part = request
      part.cursor = places[index].cursor
      do { return .success(try await lists[index](part)) } catch { return .failure(error) }
    }
    var (pages, failures): ([Int: SearchPage], [Int: any Error]) = ([:], [:])
    for (index, answer) in zip(asked, answers) {
      switch answer {
      case .success(let page): pages[index] = page
      case .failure(let error): failures[index] = error
      }
    }
    return (pages, failures)
  }

  // MARK: Cursors

  /// The places of the lists as a cursor: a line for each with the numbers of items, the total (`+` behind a
  /// lower bound, `?` if unknown) and the cursor of its page, or `-` before the numbers of a list that has
  /// ended.
  private static func text(_ places: [Place]) -> String? {
    guard places.contains(where: { !$0.isEnded }) else { return nil }
    func total(_ place: Place) -> String {
      place.total.map { "\($0.value)" + ($0.relation == .equal ? "" : "+") } ?? "?"
    }
    return prefix
      + places.map {
        "\($0.isEnded ? "-" : "\($0.skip)") \($0.count) \(total($0)) \(onOneLine($0.cursor ?? ""))"
      }
      .joined(separator: "\n")
  }

  /// A cursor of a list that consists of joined lists itself has several lines.
  private static func onOneLine(_ cursor: String) -> String {
    cursor.replacing("%", with: "%25").replacing("\n", with: "%0A")
  }

  private static func cursor(onOneLine text: Substring) -> String {
    String(text).replacing("%0A", with: "\n").replacing("%25", with: "%")
  }

  private func places(_ cursor: String?) throws(SearchError) -> [Place] {
    guard let cursor else { return lists.map { _ in Place() } }
    let damaged = SearchError(.invalidCursor, "the cursor does not belong to this query")
    guard Self.isCursor(cursor) else { throw damaged }
    let lines = cursor.dropFirst(Self.prefix.count).split(
      separator: "\n", omittingEmptySubsequences: false)
    let places = lines.compactMap { line -> Place? in
      let parts = line.split(separator: " ", maxSplits: 3, omittingEmptySubsequences: false)
      guard parts.count == 4, let count = Int(parts[1]), (0...Self.mostItems).contains(count) else {
        return nil
      }
      let number = Int(parts[2].hasSuffix("+") ? parts[2].dropLast() : parts[2])
      let total = number.map { ResultTotal($0, parts[2].hasSuffix("+") ? .atLeast : .equal) }
      guard total != nil || parts[2] == "?", number ?? 0 >= 0 else { return nil }
      if parts[0] == "-" { return Place(count: count, total: total, isEnded: true) }
      guard let skip = Int(parts[0]), (0...Self.mostItems).contains(skip) else { return nil }
      return Place(
        cursor: parts[3].isEmpty ? nil : Self.cursor(onOneLine: parts[3]), skip: skip, count: count,
        total: total)
    }
    guard places.count == lists.count, places.count == lines.count else { throw damaged }
    return places
  }
}
