import ForageCore

/// The search: when it starts, and what its answers do.
extension BrowseState {
  /// What was typed, without spaces around it.
  var query: String { field.text.trimmingWhitespace() }

  /// Notes that the query has changed: clones and cached answers are searched soon, everybody a little later.
  mutating func edited() {
    localSearchAt = now + Self.localDelay
    remoteSearchAt = now + Self.remoteDelay
  }

  /// Starts a search for what is typed and chosen.
  mutating func search(_ scope: BrowseRequest.Scope, isSample: Bool = false) -> [BrowseEffect] {
    (localSearchAt, remoteSearchAt) = (nil, nil)
    var next = wantedRequest
    // A refresh of ten at random chooses again.
    next.isSample = isSample || scope == .refresh && request.isSample && next.query.isEmpty
    next.scope = scope
    if scope == .refresh {
      // A limit that holds refuses whatever is sent before it ends.
      next.limits = statuses.limits(after: now)
      if next.isRefused {
        guard !next.isSameList(request) else {
          message = BrowseProblem("no chosen provider can be asked before its limit ends")
          return []
        }
        (next.scope, next.limits) = (.asked, [:])
      }
    }
    // What is shown may still be the list before the last one.
    let isShown = !isOutdated || keepsSelection
    keepsSelection = isShown && next.isSameList(request) && !next.isSample
    if !keepsSelection { isSelectionChosen = false }
    next.kept = Set(leftLists.map(\.request.generation))
    (request, lastGeneration) = (next, next.generation)
    phase = .loading
    isOutdated = true
    (statuses, notes) = ([], [])
    (hasMore, isLoadingMore, isLoadingAll) = (false, false, false)
    return [.search(next)]
  }

  /// Searches at Enter, unless everybody has been asked already.
  mutating func searchNow() -> [BrowseEffect] {
    var asked = request
    asked.query = query
    let isAsked = request.scope != .local && remoteSearchAt == nil && asked.isSameList(request)
    let isDeferred = statuses.contains { if case .deferred = $0.state { true } else { false } }
    if case .failed = phase { return search(.asked) }
    if isAsked, hasFailures { return search(.refresh) }
    return isAsked && !isDeferred ? [] : search(.asked)
  }

  mutating func apply(_ news: BrowseSearchEvent) -> [BrowseEffect] {
    switch news {
    case .providers(let statuses): self.statuses = statuses
    case .rows(let rows):
      guard phase == .loading else { break }
      // The same list comes again: fewer rows than are shown wait for the final order.
      if isOutdated, keepsSelection, rows.items.count < items.count { break }
      replace(rows)
    case .page(let page):
      notes = page.notes
      let isLeft = !page.isAppended && isLeft(page)
      // The pages of another search do not follow the list that stays.
      hasMore = page.hasMore && !isLeft
      isLoadingMore = false
      if page.isAppended {
        // A page without results ends the loading of everything, so that it cannot go on for ever.
        if page.rows.items.isEmpty { isLoadingAll = false }
        canLoadAhead = !page.rows.items.isEmpty
        let isAtEnd = selected == rows.count - 1
        append(page.rows.items)
        if isLoadingAll, isAtEnd { selected = rows.count - 1 }
      } else {
        // Who failed is asked again only when the selection moves, or at `r`.
        canLoadAhead = !hasFailures
        if !isLeft {
          replace(page.rows)
          if request.scope == .refresh { forgetOldDetail() }
        }
      }
      if !isLeft { shownStatuses = statuses }
      // What is not there yet will not come.
      phase = request.scope == .local && remoteSearchAt != nil ? .loading : .loaded
    case .failed(let problem):
      phase = .failed(problem)
      (isLoadingMore, isLoadingAll) = (false, false)
      statuses = []
    }
    return []
  }

  /// Whether the list that is shown stays.
  private func isLeft(_ page: BrowsePage) -> Bool {
    // Everybody else is asked in a moment.
    if page.rows.items.isEmpty, request.scope == .local, remoteSearchAt != nil { return true }
    guard keepsSelection else { return false }
    // Whoever fails or is not asked takes nothing away.
    return page.rows.items.isEmpty && hasFailures
      || statuses.lose(shownStatuses)
  }

  /// Whether a provider has failed, also because of a limit.
  var hasFailures: Bool {
    statuses.contains { status in
      switch status.state {
      case .failed: true
      case .limited: status.count == 0
      default: false
      }
    }
  }

  /// Replaces the results.
  private mutating func replace(_ rows: BrowseRows) {
    let key = isSelectionChosen && (keepsSelection || !isOutdated) ? selectedItem?.key : nil
    if itemColumns != rows.columns || isOutdated && !keepsSelection {
      widest = rows.columns.map { _ in 0 }
      nameWidths = []
    }
    isOutdated = false
    itemColumns = rows.columns
    items = rows.items
    measure(items[...])
    hasMarks = items.contains { isMarked($0, .star) || isMarked($0, .favorite) }
    filter(selecting: key)
  }

  /// Forgets what the pane shows of a result of which the refreshed list says something else; it is then
  /// loaded again as for a new selection.
  private mutating func forgetOldDetail() {
    guard focus != .detail, let shown = detail?.item,
      let item = items.first(where: { $0.key == shown.key }), item.result != shown.result
    else { return }
    detail = nil
  }

  private mutating func append(_ more: [BrowseItem]) {
    let first = items.count
    items += more
    measure(items[first...])
    hasMarks = hasMarks || more.contains { isMarked($0, .star) || isMarked($0, .favorite) }
    rows += items.indices[first...].filter { !isFiltered || isMarked(items[$0], .favorite) }
  }

  private mutating func measure(_ items: ArraySlice<BrowseItem>) {
    for item in items {
      for (index, cell) in item.cells.enumerated() where index < widest.count {
        widest[index] = max(widest[index], TextWidth.of(cell))
      }
      if let name = item.cells.first { nameWidths.append(TextWidth.of(name)) }
    }
    nameWidths.sort()
  }

  /// Chooses the rows that are shown.
  ///
  /// - Parameter key: The entity that stays selected where it is there; `nil` selects the first.
  mutating func filter(selecting key: String?) {
    rows = items.indices.filter { !isFiltered || isMarked(items[$0], .favorite) }
    guard let key else {
      (selected, top) = (0, 0)
      return
    }
    guard let place = rows.firstIndex(where: { items[$0].key == key }) else { return }
    // The row stays where it is on the screen, as far as that is possible.
    top = max(0, top + place - selected)
    if place < listHeight, top < listHeight { top = 0 }
    selected = place
  }

  /// The kinds that a chosen provider has, of those that can be listed for the query, in the order in which
  /// they are offered.
  var offeredKinds: [ResultKind] {
    var offered: [ResultKind] = []
    for provider in providers where provider.isChosen {
      for kind in provider.kinds
      where !offered.contains(kind) && provider.lists(kind, isFeed: query.isEmpty) { offered.append(kind) }
    }
    let places = ResultKind.known
    return offered.enumerated().sorted { a, b in
      (places.firstIndex(of: a.element) ?? .max, a.offset) < (
        places.firstIndex(of: b.element) ?? .max, b.offset
      )
    }.map(\.element)
  }

  /// What a query finds where no kind is chosen: repositories, or everything where no chosen provider has
  /// those.
  var usualKinds: [ResultKind] {
    let offered = offeredKinds
    return offered.isEmpty || offered.contains(.repo) ? [.repo] : offered
  }

  /// Chooses the next kind, or the one before.
  mutating func changeKind(by step: Int) -> [BrowseEffect] {
    let offered = offeredKinds
    guard offered.count > 1 || kinds.count > 1 || offered.first != (kinds.first ?? .repo) else {
      message = BrowseProblem("no other kind of results is offered", hint: "choose providers with p")
      return []
    }
    let place = offered.firstIndex(of: kinds.first ?? .repo)
    let next =
      place.map { ($0 + step + offered.count) % offered.count } ?? (step > 0 ? 0 : offered.count - 1)
    keepList()
    choose(offered[next])
    if let sort, !offeredSorts.contains(sort) {
      message = BrowseProblem(
        "no chosen provider sorts results of kind \(offered[next].rawValue) by \(sort)",
        hint: "they are sorted by relevance")
      self.sort = nil
    }
    if let shown = showKept() { return shown }
    edited()
    return []
  }

  /// The kind that decides how results can be sorted.
  private var shownKind: ResultKind { (kinds.isEmpty ? usualKinds : kinds)[0] }

  /// The sort keys that a chosen provider has for the kind.
  private var offeredSorts: Set<String> {
    Set(providers.filter(\.isChosen).flatMap { $0.sorts[shownKind] ?? [] })
  }

  /// Chooses the next order: relevance, stars, updated.
  mutating func changeSort() -> [BrowseEffect] {
    let kind = shownKind
    let offered = offeredSorts
    let keys: [String?] = [nil] + Self.sorts.filter { offered.contains($0) }
    guard keys.count > 1 || sort != nil else {
      message = BrowseProblem(
        "no chosen provider sorts results of kind \(kind.rawValue)", hint: "choose another kind with Tab")
      return []
    }
    let place = keys.firstIndex(of: sort) ?? keys.count - 1
    sort = keys[(place + 1) % keys.count]
    edited()
    return []
  }
}
