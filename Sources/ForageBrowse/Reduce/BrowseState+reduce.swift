/// Changes a state by an event.
///
/// - Returns: What is to be done, in this order.
package func reduce(_ state: inout BrowseState, _ event: BrowseEvent) -> [BrowseEffect] {
  let effects = state.apply(event)
  return effects + state.settle(after: event)
}

extension BrowseState {
  /// The first effects: the search of the command line, or the feed.
  package mutating func begin() -> [BrowseEffect] { search(.asked) + settle(after: nil) }

  fileprivate mutating func apply(_ event: BrowseEvent) -> [BrowseEffect] {
    switch event {
    case .input(let input): return apply(input)
    case .resize(let columns, let rows):
      (self.columns, height) = (max(1, columns), max(1, rows))
      return [.redraw]
    case .clock(let time):
      now = max(now, time)
      return runDue()
    case .search(let generation, let news):
      if generation == request.generation { return apply(news) }
      // The answer to an older word comes too late, a page of a list that was left does not.
      if let place = leftLists.firstIndex(where: { $0.request.generation == generation }) {
        return leftLists[place].apply(news)
      }
      return []
    case .details(let request, let result):
      apply(details: result, request)
      return []
    case .detailsWithheld(let request): return withholdDetails(request)
    case .facts(let request, let result):
      apply(facts: result, request)
      return []
    case .marked(let mark, let key, let isSet, let request, let problem):
      end(mark, key, isSet, request, problem)
      return []
    case .cloneFolder(let key, let result):
      ask(for: key, result)
      return []
    case .cloned(let key, let result):
      endClone(key, result)
      return []
    case .waiting(let provider, let end):
      if let index = statuses.firstIndex(where: { $0.id == provider }) {
        statuses[index].state = .limited(until: end)
      }
      return []
    case .reported(let problem):
      message = problem
      return []
    }
  }

  private mutating func apply(_ input: BrowseInput) -> [BrowseEffect] {
    switch input {
    case .key(.control("c")): return [.quit(.interrupted)]
    case .key(.control("z")): return [.suspend]
    case .key(.control("l")): return [.redraw]
    case .key(let key):
      message = nil
      if let panel { return apply(key, to: panel) }
      switch focus {
      case .field: return applyToField(key)
      case .list: return applyToList(key)
      case .detail: return applyToDetail(key)
      }
    case .paste(let text):
      message = nil
      return paste(text)
    case .wheel(let isUp):
      wheel(isUp ? -Self.wheelRows : Self.wheelRows)
      return []
    case .click(let column, let row): return click(column: column, row: row)
    }
  }

  /// Runs what is due by the clock.
  private mutating func runDue() -> [BrowseEffect] {
    var effects: [BrowseEffect] = []
    if let time = localSearchAt, time <= now {
      localSearchAt = nil
      let remote = remoteSearchAt
      effects += search(.local)
      remoteSearchAt = remote
    }
    if let time = remoteSearchAt, time <= now { effects += search(.typing) }
    if let time = detailAt, time <= now {
      detailAt = nil
      if hasPane, focus != .detail, let item = currentItem, detail?.item.key != item.key {
        effects += load(item, isPreview: true)
      }
    }
    return effects
  }

  /// Brings what depends on several parts of the state in step, and loads what has come within reach.
  fileprivate mutating func settle(after event: BrowseEvent?) -> [BrowseEffect] {
    var effects: [BrowseEffect] = []
    selected = max(0, min(selected, rows.count - 1))
    let room = max(1, listHeight)
    top = max(0, min(top, selected, rows.count - room))
    if selected >= top + room { top = selected - room + 1 }
    if hasPane {
      if focus != .detail, let item = currentItem, detail?.item.key != item.key {
        if detailAt == nil || restingKey != item.key { detailAt = now + Self.detailDelay }
        restingKey = item.key
      } else {
        detailAt = nil
      }
      // The pane has nothing to show for an empty list.
      if rows.isEmpty, focus != .detail { detail = nil }
    } else {
      detailAt = nil
      if focus != .detail { detail = nil }
    }
    if case .clock? = event {} else { effects += loadAhead() }
    layOutDetail()
    return effects
  }

  /// Loads the next page where the selection is near the end, or everything is wanted.
  private mutating func loadAhead() -> [BrowseEffect] {
    guard hasMore, !isLoadingMore, phase == .loaded, !isOutdated else {
      if !hasMore { isLoadingAll = false }
      return []
    }
    let isNear = selected + Self.rowsAhead >= rows.count || rows.count < listHeight
    // A filter may hide whatever is loaded, so the end of a filtered list is no reason to load.
    guard isLoadingAll || isNear && canLoadAhead && !isFiltered else { return [] }
    isLoadingMore = true
    return [.more(generation: request.generation)]
  }

  /// Pastes text into what is edited; outside of it the query gets the focus.
  private mutating func paste(_ text: String) -> [BrowseEffect] {
    if case .clone(var prompt)? = panel {
      prompt.folder.insert(text)
      panel = .clone(prompt)
      return []
    }
    guard panel == nil else { return [] }
    focus = .field
    if !field.insert(text) {
      message = BrowseProblem(
        "the query is longer than \(TextField.maximum) characters", hint: "the rest is left out")
    }
    edited()
    return []
  }

  private mutating func wheel(_ rows: Int) {
    switch panel {
    case .help(let top)?: panel = .help(top: max(0, min(lastHelpTop, top + rows)))
    case .providers(var menu)?:
      menu.selected = max(0, min(providers.count, menu.selected + rows.signum()))
      panel = .providers(menu)
    case .clone?: break
    case nil: if focus == .detail { scroll(by: rows) } else { move(by: rows) }
    }
  }

  private mutating func click(column: Int, row: Int) -> [BrowseEffect] {
    guard panel == nil else { return [] }
    message = nil
    if row == 0 {
      focus = .field
      return []
    }
    guard listRows.contains(row), focus != .detail || hasPane, column < columns else { return [] }
    if hasPane, column > listWidth {
      if detail != nil { focus = .detail }
      return []
    }
    let place = top + row - listRows.lowerBound
    guard rows.indices.contains(place) else { return [] }
    select(place)
    return open()
  }
}
