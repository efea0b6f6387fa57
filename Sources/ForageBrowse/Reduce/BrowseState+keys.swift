extension BrowseState {
  mutating func applyToField(_ key: BrowseKey) -> [BrowseEffect] {
    switch key {
    case .enter, .control("j"):
      focus = .list
      return searchNow()
    case .escape: focus = .list
    case .tab: return changeKind(by: 1)
    case .backTab: return changeKind(by: -1)
    case .up: break
    // This key is tried first by who does not know the keys, and no query needs to begin with it.
    case .character("?") where field.text.isEmpty: panel = .help(top: 0)
    case .down, .pageUp, .pageDown:
      focus = .list
      return applyToList(key)
    default:
      let old = field.text
      if field.apply(key), field.text != old { edited() }
      if case .character = key, field.text == old {
        message = BrowseProblem("the query has \(TextField.maximum) characters, which is the most")
      }
    }
    return []
  }

  mutating func applyToList(_ key: BrowseKey) -> [BrowseEffect] {
    switch key {
    case .up, .character("k"): move(by: -1)
    case .down, .character("j"), .control("j"): move(by: 1)
    case .pageUp: move(by: -max(1, listHeight - 1))
    case .pageDown: move(by: max(1, listHeight - 1))
    case .home, .character("g"): select(0)
    case .end: select(rows.count - 1)
    case .character("G"): return loadAll()
    case .enter, .right, .character("l"): return open()
    case .escape, .left, .character("h"): return stopLoading()
    case .character("F"):
      isFiltered.toggle()
      filter(selecting: selectedItem?.key)
    case .character("R"):
      guard query.isEmpty else {
        message = BrowseProblem(
          "ten at random are chosen from the feed", hint: "clear the query first: / and then Ctrl-U")
        return []
      }
      return search(.asked, isSample: true)
    default: return applyToBoth(key)
    }
    return []
  }

  mutating func applyToDetail(_ key: BrowseKey) -> [BrowseEffect] {
    switch key {
    case .up, .character("k"): scroll(by: -1)
    case .down, .character("j"), .control("j"): scroll(by: 1)
    case .pageUp: scroll(by: -max(1, detailHeight - 1))
    case .pageDown, .character(" "): scroll(by: max(1, detailHeight - 1))
    case .home, .character("g"): scroll(by: -(detail?.rows.count ?? 0))
    case .end, .character("G"): scroll(by: detail?.rows.count ?? 0)
    case .escape, .left, .character("h"):
      focus = .list
      return []
    case .character("n"): showPlace(by: 1)
    case .character("N"): showPlace(by: -1)
    case .character("w"): chooseWord(by: 1)
    case .character("W"): chooseWord(by: -1)
    case .character("d"): return searchName("symbol")
    case .character("u"): return searchName("uses")
    case .character("r"):
      guard let item = detailItem else { return [] }
      return load(item, isRefresh: true)
    default: return applyToBoth(key)
    }
    return []
  }

  /// The keys that mean the same in the list and in the details.
  private mutating func applyToBoth(_ key: BrowseKey) -> [BrowseEffect] {
    switch key {
    case .character("q"): return [.quit(.done)]
    case .character("?"): panel = .help(top: 0)
    case .character("/"): focus = .field
    case .character("]"): return changeTab(by: 1)
    case .character("["): return changeTab(by: -1)
    case .character(let digit) where ("1"..."9").contains(digit):
      return showTab((digit.wholeNumberValue ?? 1) - 1)
    case .tab:
      focus = .list
      return changeKind(by: 1)
    case .backTab:
      focus = .list
      return changeKind(by: -1)
    case .character("p"):
      panel = .providers(ProviderMenu(chosen: Set(providers.filter(\.isChosen).map(\.id))))
    case .character("t"):
      focus = .list
      return changeSort()
    case .character("r"): return search(.refresh)
    case .character("s"): return toggle(.star)
    case .character("f"): return toggle(.favorite)
    case .character("o"): return openPage()
    case .character("e"): return openEditor()
    case .character("y"): return copyAddress()
    case .character("c"): return askForFolder()
    case .character("x"): return markRead()
    case .character("i"): return showFacts()
    case .character("b"): return goBack()
    case .character(let letter): return act(letter)
    default: break
    }
    return []
  }

  mutating func apply(_ key: BrowseKey, to panel: Panel) -> [BrowseEffect] {
    switch panel {
    case .help(let top):
      switch key {
      case .up, .character("k"): self.panel = .help(top: max(0, top - 1))
      case .down, .character("j"): self.panel = .help(top: top + 1)
      case .pageUp: self.panel = .help(top: max(0, top - max(1, height - 3)))
      case .pageDown, .character(" "): self.panel = .help(top: top + max(1, height - 3))
      default: self.panel = nil
      }
      if case .help(let top)? = self.panel { self.panel = .help(top: min(top, lastHelpTop)) }
      return []
    case .providers(var menu):
      switch key {
      case .up, .character("k"): menu.selected = max(0, menu.selected - 1)
      case .down, .character("j"): menu.selected = min(providers.count, menu.selected + 1)
      case .home, .character("g"): menu.selected = 0
      case .end, .character("G"): menu.selected = providers.count
      case .character(" "): toggle(&menu)
      case .enter, .escape, .character("p"), .character("q"): return choose(menu.chosen)
      default: break
      }
      self.panel = .providers(menu)
      return []
    case .clone(var prompt):
      switch key {
      case .enter, .control("j"):
        self.panel = nil
        return startClone(prompt)
      case .escape: self.panel = nil
      default:
        _ = prompt.folder.apply(key)
        self.panel = .clone(prompt)
      }
      return []
    }
  }

  private func toggle(_ menu: inout ProviderMenu) {
    let all = Set(providers.map(\.id))
    if menu.selected == 0 {
      menu.chosen = menu.chosen == all ? [] : all
    } else {
      let id = providers[menu.selected - 1].id
      if menu.chosen.remove(id) == nil { menu.chosen.insert(id) }
    }
  }

  /// Closes the list of providers and searches with what is chosen.
  private mutating func choose(_ chosen: Set<String>) -> [BrowseEffect] {
    panel = nil
    let old = Set(providers.filter(\.isChosen).map(\.id))
    guard !chosen.isEmpty else {
      message = BrowseProblem("no provider was chosen, so nothing was changed", hint: "choose one with p")
      return []
    }
    guard chosen != old else { return [] }
    for index in providers.indices { providers[index].isChosen = chosen.contains(providers[index].id) }
    focus = .list
    return search(.asked, isSample: request.isSample && query.isEmpty)
  }

  mutating func move(by count: Int) {
    if focus == .field { focus = .list }
    canLoadAhead = true
    select(max(0, min(rows.count - 1, selected + count)))
  }

  /// Selects a row for the user.
  mutating func select(_ row: Int) {
    (selected, isSelectionChosen) = (row, !isStale)
  }

  /// Selects the last result and loads all that can be reached.
  private mutating func loadAll() -> [BrowseEffect] {
    select(rows.count - 1)
    (isLoadingAll, canLoadAhead) = (hasMore, true)
    return []
  }

  /// Stops the loading of everything.
  private mutating func stopLoading() -> [BrowseEffect] {
    guard isLoadingAll else { return [] }
    isLoadingAll = false
    message = BrowseProblem("stopped; \(items.count) results are loaded", hint: "go on with G")
    guard isLoadingMore else { return [] }
    isLoadingMore = false
    // The end of the list asks again only when the selection moves there.
    canLoadAhead = false
    return [.stop(generation: request.generation)]
  }
}
