package import ForageCore

/// A saved search, as a tab.
package struct BrowseSavedSearch: Hashable, Sendable {
  package var name: String
  package var query: String
  /// The kinds of results; empty for the usual ones.
  package var kinds: [ResultKind]
  package var sort: String?
  package var order: SortOrder?
  /// The ids of the providers; empty for all that are enabled.
  package var providers: [String]

  package init(
    name: String, query: String, kinds: [ResultKind], sort: String? = nil, order: SortOrder? = nil,
    providers: [String] = []
  ) {
    (self.name, self.query, self.kinds, self.sort) = (name, query, kinds, sort)
    (self.order, self.providers) = (order, providers)
  }
}

/// The tabs: saved searches, then the kinds that are offered.
extension BrowseState {
  /// The saved search whose list is wanted now; `nil` for any other list.
  var shownSearch: BrowseSavedSearch? {
    saved.first { search in
      search.query == query && search.kinds == kinds && search.sort == sort && search.order == order
        && providers.allSatisfy { $0.isChosen == isChosen($0, for: search) }
    }
  }

  private func isChosen(_ provider: BrowseProvider, for search: BrowseSavedSearch) -> Bool {
    search.providers.isEmpty ? provider.isEnabled : search.providers.contains(provider.id)
  }

  /// The names of the tabs from left to right.
  var tabNames: [String] { saved.map { "@" + $0.name } + withOwnChoice.offeredKinds.map(\.rawValue) }

  /// The place of the tab that is shown; `nil` where none is, as for several kinds.
  var shownTab: Int? {
    if let search = shownSearch { return saved.firstIndex(of: search) }
    return withOwnChoice.offeredKinds.firstIndex(of: (kinds.isEmpty ? usualKinds : kinds)[0]).map {
      saved.count + $0
    }
  }

  /// Shows the next tab, or the one before.
  mutating func changeTab(by step: Int) -> [BrowseEffect] {
    let count = tabNames.count
    guard count > 0 else { return [] }
    return showTab(((shownTab ?? 0) + step + count) % count)
  }

  /// Shows a tab by its place from the left, from 0: the list that it had, or what a search finds.
  mutating func showTab(_ place: Int) -> [BrowseEffect] {
    keepList()
    guard place < saved.count else {
      let own = withOwnChoice
      let (offered, place) = (own.offeredKinds, place - saved.count)
      guard place < offered.count else {
        message = BrowseProblem(
          "there is no tab \(saved.count + place + 1)", hint: "save a search with: forage searches save")
        return []
      }
      self = own
      choose(offered[place])
      focus = .list
      return showKept() ?? search(.asked)
    }
    if shownSearch == nil {
      ownChoice = Choice(
        field: field, kinds: kinds, sort: sort, order: order,
        providers: Set(providers.filter(\.isChosen).map(\.id)))
    }
    let search = saved[place]
    field = TextField(search.query)
    (kinds, sort, order, focus) = (search.kinds, search.sort, search.order, .list)
    for index in providers.indices { providers[index].isChosen = isChosen(providers[index], for: search) }
    return showKept() ?? self.search(.asked)
  }

  /// The state with what was chosen before a saved search: what is saved under a name stays there.
  private var withOwnChoice: BrowseState {
    guard shownSearch != nil else { return self }
    var own = self
    (own.field, own.kinds) = (ownChoice?.field ?? TextField(), ownChoice?.kinds ?? [])
    (own.sort, own.order) = (ownChoice?.sort, ownChoice?.order)
    for (index, provider) in providers.enumerated() {
      own.providers[index].isChosen = ownChoice?.providers.contains(provider.id) ?? provider.isEnabled
    }
    return own
  }

  /// Chooses one kind. The usual one is not named, so that its list is the one of the start.
  mutating func choose(_ kind: ResultKind) {
    if (kinds.isEmpty ? usualKinds : kinds) != [kind] { kinds = usualKinds == [kind] ? [] : [kind] }
  }

  /// Keeps the list for the case that its tab is shown again.
  mutating func keepList() {
    guard phase == .loaded, request.scope != .local, !isStale, !request.isSample else { return }
    var left = self
    left.leftLists = []
    leftLists.removeAll { $0.request.isSameList(request) }
    leftLists.append(left)
    let most = saved.count + withOwnChoice.offeredKinds.count
    if leftLists.count > most { leftLists.removeFirst(leftLists.count - most) }
  }

  /// Shows a list that was kept as it was left; `nil` where there is none of what is wanted.
  mutating func showKept() -> [BrowseEffect]? {
    var wanted = wantedRequest
    wanted.isSample = false
    guard let place = leftLists.firstIndex(where: { $0.request.isSameList(wanted) }) else { return nil }
    let left = leftLists.remove(at: place)
    (localSearchAt, remoteSearchAt) = (nil, nil)
    (request, phase, isOutdated, keepsSelection) = (left.request, .loaded, false, false)
    (statuses, shownStatuses, notes) = (left.statuses, left.shownStatuses, left.notes)
    (hasMore, canLoadAhead) = (left.hasMore, left.canLoadAhead)
    // A page that was asked for has come meanwhile, or is asked for again.
    (isLoadingMore, isLoadingAll) = (false, false)
    (items, itemColumns) = (left.items, left.itemColumns)
    (widest, nameWidths) = (left.widest, left.nameWidths)
    // What was marked meanwhile in other lists is marked here.
    hasMarks = items.contains { isMarked($0, .star) || isMarked($0, .favorite) }
    (selected, top, isSelectionChosen) = (left.selected, left.top, left.isSelectionChosen)
    filter(selecting: left.selectedItem?.key)
    return [.show(request)]
  }
}
