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

  /// Shows the next tab, or the one before.
  mutating func changeTab(by step: Int) -> [BrowseEffect] {
    let count = saved.count + offeredKinds.count
    guard count > 0 else { return [] }
    let kind = offeredKinds.firstIndex(of: (kinds.isEmpty ? usualKinds : kinds)[0])
    let place = shownSearch.flatMap(saved.firstIndex) ?? kind.map { saved.count + $0 } ?? 0
    return showTab((place + step + count) % count)
  }

  /// Shows a tab by its place from the left, from 0.
  mutating func showTab(_ place: Int) -> [BrowseEffect] {
    guard place < saved.count else {
      let (offered, place) = (offeredKinds, place - saved.count)
      guard place < offered.count else {
        message = BrowseProblem(
          "there is no tab \(saved.count + place + 1)", hint: "save a search with: forage searches save")
        return []
      }
      // What was saved under a name stays there.
      if shownSearch != nil { (field, sort, order) = (TextField(), nil, nil) }
      (kinds, focus) = ([offered[place]], .list)
      return search(.asked)
    }
    let search = saved[place]
    field = TextField(search.query)
    (kinds, sort, order, focus) = (search.kinds, search.sort, search.order, .list)
    for index in providers.indices { providers[index].isChosen = isChosen(providers[index], for: search) }
    return self.search(.asked)
  }
}
