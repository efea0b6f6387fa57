import ForageCore

/// Details, and what is done with one result.
extension BrowseState {
  /// The result that an action means: the open one, else the selected one.
  var detailItem: BrowseItem? {
    focus == .detail ? detail?.item : currentItem
  }

  /// Opens the details of the selected result.
  mutating func open() -> [BrowseEffect] {
    guard let item = currentItem else { return nothingSelected() }
    (focus, isSelectionChosen) = (.detail, true)
    if let url = item.url { lastOpened = url }
    if let detail, detail.item.key == item.key, !detail.phase.isFailed, detail.phase != .listed {
      self.detail?.isWanted = true
      return []
    }
    return load(item)
  }

  /// Loads the details of a result.
  ///
  /// - Parameter isPreview: Whether the user has not asked for them.
  mutating func load(_ item: BrowseItem, isRefresh: Bool = false, isPreview: Bool = false) -> [BrowseEffect] {
    requests += 1
    if !isPreview, detail?.item.key == item.key, isRefresh || detail?.phase == .listed {
      detail?.request = requests
      detail?.phase = .loading
      detail?.isWanted = true
    } else {
      detail = Detail(item: item, request: requests, isWanted: !isPreview, text: item.summary)
    }
    var result = item.result
    result.set(.path, clones[item.key])
    return isPreview
      ? [.preview(result, request: requests)] : [.details(result, request: requests, isRefresh: isRefresh)]
  }

  /// Shows what the list knows, unless the user has asked for more meanwhile.
  mutating func withholdDetails(_ request: Int) -> [BrowseEffect] {
    guard let detail, detail.request == request else { return [] }
    self.detail?.phase = .listed
    return detail.isWanted ? load(detail.item) : []
  }

  mutating func apply(details result: Result<BrowseText, BrowseProblem>, _ request: Int) {
    guard detail?.request == request else { return }
    switch result {
    case .success(let text):
      detail?.text = text
      detail?.phase = .loaded
    case .failure(let problem): detail?.phase = .failed(problem)
    }
    detail?.width = -1
  }

  mutating func apply(facts result: Result<BrowseText, BrowseProblem>, _ request: Int) {
    guard detail?.factsRequest == request else { return }
    detail?.factsRequest = nil
    switch result {
    case .success(let text):
      detail?.facts = text
      detail?.scrollsToFacts = true
    case .failure(let problem): message = problem
    }
    detail?.width = -1
  }

  mutating func scroll(by count: Int) {
    guard let detail else { return }
    let last = detail.rows.count - detailHeight
    self.detail?.top = max(0, min(last, detail.top + count))
    self.detail?.isScrolled = true
  }

  /// Lays out the details again where the width or the text has changed.
  mutating func layOutDetail() {
    guard var detail else { return }
    let width = max(1, detailWidth)
    if detail.width != width {
      detail.width = width
      let rows = detail.text.rows(width).map { $0.broken(to: width) }
      detail.rows = Array(rows.joined())
      detail.places = detail.text.matchedLines(width).map { place in
        (place.line, rows.dropLast(place.rowsFromHere).reduce(0) { $0 + $1.count })
      }
      if !detail.isScrolled, detail.places.indices.contains(detail.place) {
        detail.top = max(0, detail.places[detail.place].row - Self.rowsAbovePlace)
      }
      detail.factsRow = nil
      if let facts = detail.facts {
        detail.rows.append(FrameRow())
        detail.factsRow = detail.rows.count
        detail.rows += facts.rows(width).flatMap { $0.broken(to: width) }
      }
      if detail.scrollsToFacts, let row = detail.factsRow {
        (detail.top, detail.scrollsToFacts, detail.isScrolled) = (row, false, true)
      }
    }
    detail.top = max(0, min(detail.top, detail.rows.count - detailHeight))
    self.detail = detail
  }

  /// Sets a mark, or removes it: at once on the screen, later where it is kept.
  mutating func toggle(_ mark: BrowseMark) -> [BrowseEffect] {
    guard let item = detailItem else { return nothingSelected() }
    guard mark == .favorite || item.isRepository else {
      message = BrowseProblem(
        "\(item.title) cannot be starred", hint: "only repositories on a forge can; f makes it a favorite")
      return []
    }
    requests += 1
    isSelectionChosen = true
    let isSet = !isMarked(item, mark)
    let key = MarkKey(mark: mark, key: item.key)
    let old = marks[key]
    marks[key] = MarkChange(
      title: item.title, isSet: isSet, confirmed: old?.confirmed ?? !isSet, request: requests, isPending: true
    )
    if isSet { hasMarks = true }
    return [.mark(mark, item.result, isSet: isSet, request: requests)]
  }

  /// Confirms a mark, or takes it back.
  mutating func end(
    _ mark: BrowseMark, _ item: String, _ isSet: Bool, _ request: Int, _ problem: BrowseProblem?
  ) {
    let key = MarkKey(mark: mark, key: item)
    if let problem { message = problem }
    guard var change = marks[key], change.isPending, request <= change.request else { return }
    if problem == nil {
      change.confirmed = isSet
      // The mark itself is small, and in details out of sight.
      if request == change.request { message = BrowseProblem(mark.done(isSet, change.title)) }
    }
    if request == change.request {
      change.isSet = change.confirmed
      change.isPending = false
    }
    marks[key] = change
    if isFiltered, mark == .favorite { filter(selecting: selectedItem?.key) }
  }

  /// Runs the action with a key on the result, the first one that takes it.
  mutating func act(_ key: Character) -> [BrowseEffect] {
    let known = actions.filter { $0.key == key }
    guard let first = known.first else { return [] }
    guard let item = detailItem else { return nothingSelected() }
    guard let action = known.first(where: { $0.takes(item.result) }) else {
      message = BrowseProblem("\(first.name) does not take \(item.title)", hint: "? lists the keys")
      return []
    }
    return [.act(action, item.result)]
  }

  mutating func openPage() -> [BrowseEffect] {
    guard let item = detailItem else { return nothingSelected() }
    if let file = item.fileToOpen { return [.edit(file)] }
    guard let url = item.url else {
      message = BrowseProblem("\(item.title) has no page")
      return []
    }
    lastOpened = url
    return [.open(address: url)]
  }

  mutating func markRead() -> [BrowseEffect] {
    guard let item = detailItem else { return nothingSelected() }
    guard item.result.kind == .notification else {
      message = BrowseProblem("\(item.title) is no notification", hint: "Tab goes to them")
      return []
    }
    return [.markRead(item.result)]
  }

  /// Shows the next place in a file, or the one before.
  mutating func showPlace(by step: Int) {
    guard let detail, !detail.places.isEmpty else {
      message = BrowseProblem("this page has no matches")
      return
    }
    let place = detail.place + step
    guard detail.places.indices.contains(place) else {
      message = BrowseProblem("this is the \(step > 0 ? "last" : "first") match of \(detail.places.count)")
      return
    }
    self.detail?.place = place
    self.detail?.word = nil
    self.detail?.isScrolled = false
    self.detail?.width = -1
  }

  /// Opens a file at the match that is shown, or the folder of a clone, in the editor.
  mutating func openEditor() -> [BrowseEffect] {
    guard let item = detailItem else { return nothingSelected() }
    if var place = item.file {
      if let detail, detail.item.key == item.key, detail.place > 0,
        detail.places.indices.contains(detail.place)
      {
        place = item.file(line: detail.places[detail.place].line) ?? place
      }
      return [.edit(place)]
    }
    if let folder = clone(of: item) { return [.edit(FileLocation(path: folder))] }
    message = BrowseProblem(
      "\(item.title) is not on this disk",
      hint: item.isRepository ? "clone it with c" : "open its page with o")
    return []
  }

  mutating func copyAddress() -> [BrowseEffect] {
    guard let item = detailItem else { return nothingSelected() }
    guard let address = item.url ?? clone(of: item) else {
      message = BrowseProblem("\(item.title) has no address")
      return []
    }
    return [.copy(address)]
  }

  mutating func showFacts() -> [BrowseEffect] {
    guard let item = detailItem else { return nothingSelected() }
    let path = clone(of: item)
    // Whether there is a clone of the repository of anything else is known when it is asked for.
    guard path != nil || !item.isRepository else {
      message = BrowseProblem("there is no clone of \(item.title)", hint: "clone it with c")
      return []
    }
    var effects: [BrowseEffect] = []
    if detail?.item.key != item.key { effects += load(item, isPreview: true) }
    (focus, isSelectionChosen) = (.detail, true)
    if let url = item.url { lastOpened = url }
    requests += 1
    detail?.factsRequest = requests
    return effects + [.facts(item.result, path: path, request: requests)]
  }

  mutating func askForFolder() -> [BrowseEffect] {
    guard let item = detailItem else { return nothingSelected() }
    if let folder = clone(of: item) {
      message = BrowseProblem("\(item.title) is cloned already: \(folder)", hint: "see its facts with i")
      return []
    }
    guard item.isRepository else {
      message = BrowseProblem("\(item.title) is not a repository on a forge, so it cannot be cloned")
      return []
    }
    guard cloning[item.key] == nil else {
      message = BrowseProblem("\(item.title) is being cloned")
      return []
    }
    clonedItem = item
    return [.cloneFolder(item.result)]
  }

  mutating func ask(for key: String, _ result: Result<String, BrowseProblem>) {
    guard let item = clonedItem, item.key == key, panel == nil else { return }
    clonedItem = nil
    switch result {
    case .success(let folder):
      panel = .clone(ClonePrompt(result: item.result, folder: TextField(folder)))
    case .failure(let problem): message = problem
    }
  }

  mutating func startClone(_ prompt: ClonePrompt) -> [BrowseEffect] {
    let folder = prompt.folder.text
    guard !folder.allSatisfy(\.isWhitespace) else {
      message = BrowseProblem("no folder was named, so nothing was cloned", hint: "try again with c")
      return []
    }
    cloning[BrowseItem.key(prompt.result)] = prompt.result.title
    return [.clone(prompt.result, folder: folder)]
  }

  mutating func endClone(_ key: String, _ result: Result<String, BrowseProblem>) {
    let title = cloning.removeValue(forKey: key) ?? key
    switch result {
    case .success(let folder):
      clones[key] = folder
      message = BrowseProblem("cloned \(title) to \(folder)", hint: "see its facts with i")
    case .failure(let problem): message = problem
    }
  }

  private mutating func nothingSelected() -> [BrowseEffect] {
    if isStale, selectedItem != nil {
      let isFailed = if case .failed = phase { true } else { false }
      message = BrowseProblem(
        "this list is that of another search, so nothing was done",
        hint: isFailed ? "change the query with /, or try again with r" : "wait for the new list")
    } else {
      message = BrowseProblem(
        "there is no result to act on",
        hint: isFiltered && !items.isEmpty ? "show the whole list with F" : "search with /")
    }
    return []
  }
}
