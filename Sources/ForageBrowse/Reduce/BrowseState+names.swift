import ForageCore

/// The names in a line of code: what defines one, and what uses it.
extension BrowseState {
  /// The words of the line that is shown of a file, each once, in their order, and the place of the one that
  /// was found.
  private var words: (all: [String], found: Int)? {
    guard focus == .detail, let detail, detail.item.result.kind == .code else { return nil }
    let matches = detail.item.result[.matches]?.elements ?? []
    let line = detail.places.indices.contains(detail.place) ? detail.places[detail.place].line : nil
    guard let match = matches.first(where: { line == nil || $0["line"]?.lineNumber == line }),
      let text = match["text"]?.text
    else { return nil }
    let start = match["ranges"]?.ranges.first?.lowerBound ?? 0
    var (all, found, word, wordStart) = ([String](), 0, String.UnicodeScalarView(), 0)
    func isPart(_ scalar: UnicodeScalar) -> Bool { scalar == "_" || scalar.properties.isXIDContinue }
    for (place, scalar) in (Array(text.unicodeScalars) + [" "]).enumerated() {
      if isPart(scalar) {
        if word.isEmpty { wordStart = place }
        word.append(scalar)
        continue
      }
      guard let first = word.first else { continue }
      if first.properties.isXIDStart || first == "_" {
        if wordStart <= start { found = all.firstIndex(of: String(word)) ?? all.count }
        if !all.contains(String(word)) { all.append(String(word)) }
      }
      word = String.UnicodeScalarView()
    }
    return all.isEmpty ? nil : (all, min(found, all.count - 1))
  }

  /// Chooses the next word of the line, or the one before.
  mutating func chooseWord(by step: Int) {
    guard let words else { return sayThereAreNoWords() }
    let place = ((detail?.word ?? words.found) + step + words.all.count) % words.all.count
    detail?.word = place
    message = BrowseProblem(
      "the word is \(words.all[place])", hint: "d goes to its definition, u to its uses, w to the next word")
  }

  /// Searches for the chosen word; without a choice for the one that was found.
  ///
  /// - Parameter qualifier: `symbol` for its definitions, `uses` for its uses.
  mutating func searchName(_ qualifier: String) -> [BrowseEffect] {
    guard let words else {
      sayThereAreNoWords()
      return []
    }
    let word = words.all[min(detail?.word ?? words.found, words.all.count - 1)]
    keepList()
    earlier.append(
      Choice(
        field: field, kinds: kinds, sort: sort, order: order,
        providers: Set(providers.filter(\.isChosen).map(\.id))))
    field = TextField("\(qualifier):\(word)")
    kinds = [.code]
    (sort, order, focus) = (nil, nil, .list)
    message = BrowseProblem("b goes back")
    return showKept() ?? search(.asked)
  }

  /// Goes back to the list from which a name was searched for.
  mutating func goBack() -> [BrowseEffect] {
    guard let choice = earlier.popLast() else {
      message = BrowseProblem("there is no list to go back to", hint: "d and u in a file leave one")
      return []
    }
    keepList()
    (field, kinds, sort, order, focus) = (choice.field, choice.kinds, choice.sort, choice.order, .list)
    for place in providers.indices {
      providers[place].isChosen = choice.providers.contains(providers[place].id)
    }
    return showKept() ?? search(.asked)
  }

  private mutating func sayThereAreNoWords() {
    message = BrowseProblem(
      "there is no line of code to take a word from", hint: "open a file of a clone with Enter")
  }
}
