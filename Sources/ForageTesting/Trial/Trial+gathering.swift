import ForageCore

extension Trial {
  /// The page size for reading a list; small, so that there are several pages.
  private static let pageSize = 5
  /// The most pages of a list that are read, to limit the load on a live server.
  private static let longList = 20
  /// The pages that are read of lists of which a part is enough.
  private static let shortList = 3
  /// The consecutive pages without items that a list may have, as in a search; a server may filter whole
  /// pages.
  static let emptyPages = 20
  /// A word that nothing has.
  private static let nonsense = "qzxvkjwbpfhtqzx"

  /// Reads the lists that the checks evaluate, one after another.
  mutating func gather() async {
    for kind in kinds {
      guard let abilities = abilities[kind], abilities.maximumPageSize > 0 else { continue }
      var word: String?
      for sample in samples.words {
        guard let request = request(.word(sample), kind, abilities) else { continue }
        await read(.word, request, pages: word == nil ? Self.longList : Self.shortList)
        if word == nil, walks.last?.items.isEmpty == false { word = sample }
      }
      if let word { await gather(kind, abilities, word: word) }
      if let word, abilities.maximumPageSize > Self.pageSize,
        var largest = request(.word(word), kind, abilities)
      {
        largest.pageSize = abilities.maximumPageSize
        await read(.largest, largest, pages: 1)
      }
      if abilities.feed != nil, provider is any FeedProvider {
        await read(.feed, request(kind, nil, abilities), pages: Self.longList)
      }
    }
  }

  /// Reads the lists for a word that has results: sorted, filtered, and as a phrase.
  private mutating func gather(_ kind: ResultKind, _ abilities: Abilities, word: String) async {
    let plain = QueryExpression.word(word)
    let found =
      walks.last { $0.purpose == .word && $0.request.kind == kind && !$0.items.isEmpty }?.items ?? []
    if abilities.text == .exact, let request = request(.word(Self.nonsense), kind, abilities) {
      await read(.nonsense, request, pages: 1)
    }
    if abilities.text != .unsupported, let phrase = Self.phrase(with: word, in: found),
      let request = request(.word(phrase), kind, abilities)
    {
      await read(.phrase, request, pages: 1)
    }
    for sort in abilities.sorts {
      for order in abilities.onlyOrders[sort].map({ [$0] }) ?? [.descending, .ascending] {
        guard var request = request(plain, kind, abilities) else { continue }
        request.sort = sort
        request.order = order
        await read(.sort(sort, order), request, pages: Self.shortList)
      }
    }
    let own = qualifiers.filter { abilities.push($0.name) != .unsupported }
    for qualifier in own + qualifiersOfResults(kind, abilities, found) {
      let isExact = abilities.push(qualifier.name) == .exact
      let condition = QueryExpression.qualifier(qualifier)
      // The negation of an inexact qualifier is never sent.
      for condition in isExact ? [condition, .not(condition)] : [condition] {
        guard let query = QueryExpression.all([plain, condition]),
          let request = request(query, kind, abilities)
        else { continue }
        await read(.filter(condition), request, pages: Self.shortList)
        // A service need not know the negation of what it filters by.
        if case .not = condition, case .failed(let error as SearchError)? = walks.last?.end,
          error.code == .unsupportedQuery
        {
          walks.removeLast()
        }
      }
    }
  }

  /// The declared qualifiers that no sample uses, each with a value that one of the results has.
  private func qualifiersOfResults(_ kind: ResultKind, _ abilities: Abilities, _ items: [SearchResult])
    -> [Qualifier]
  {
    let vocabulary = vocabulary.of(kind)
    let known = Set(qualifiers.map(\.name))
    return abilities.qualifiers.keys.sorted().compactMap { name in
      guard !known.contains(name), abilities.push(name) != .unsupported,
        let definition = vocabulary[name], let field = definition.field,
        let text = Self.sample(of: definition.type, in: items.compactMap { $0[field] }),
        case .qualifier(let qualifier)? = try? QueryParser(vocabulary: vocabulary).parse(name + ":" + text)
          .root,
        items.contains(where: { QueryExpression.qualifier(qualifier).matches($0, vocabulary: vocabulary) })
      else { return nil }
      return qualifier
    }
  }

  /// A value, in the query language, that some of the results meet, if possible not all; `nil` if they have
  /// none.
  private static func sample(of type: QualifierType, in values: [FieldValue]) -> String? {
    switch type.value {
    case .number, .fraction:
      let numbers = values.compactMap(\.number).sorted()
      return numbers.isEmpty ? nil : ">=\(numbers[numbers.count / 2])"
    case .date:
      let days = values.compactMap { $0.date.map { String(Timestamp.text($0).prefix(10)) } }.sorted()
      return days.isEmpty ? nil : ">=" + days[days.count / 2]
    case .flag, .text, .list:
      let texts = values.map { value in
        if case .flag(let flag) = value { [flag ? "true" : "false"] } else { value.texts }
      }
      let all = texts.joined().filter { text in
        type.isChoice ? type.words.contains(text) : !text.isEmpty
      }
      let text = all.first { text in texts.contains { !$0.contains(text) } } ?? all.first
      return text.map(QueryTerm.quoted)
    }
  }

  /// The sample word with its neighbour in a title or description that is certainly what the word was found
  /// in; `nil` if there is none.
  private static func phrase(with word: String, in items: [SearchResult]) -> String? {
    func has(_ text: String) -> Bool { text.lowercased().contains(word.lowercased()) }
    func phrase(in text: String) -> String? {
      let tokens = text.split(whereSeparator: \.isWhitespace)
      for (first, second) in zip(tokens, tokens.dropFirst()) {
        guard [first, second].contains(where: { $0.lowercased() == word.lowercased() }),
          [first, second].allSatisfy({ $0.count > 1 && $0.allSatisfy { $0.isLetter || $0.isNumber } })
        else { continue }
        return first + " " + second
      }
      return nil
    }
    return items.lazy.compactMap { item in
      if has(item.title) { return phrase(in: item.title) }
      let others = item.fields.filter { $0.key != .description }.values.flatMap(\.texts)
      return others.contains(where: has) ? nil : item[.description]?.text.flatMap(phrase)
    }.first
  }

  /// Returns the request for the first page of what the search sends for a query; `nil` if the provider does
  /// not support it.
  private func request(_ query: QueryExpression, _ kind: ResultKind, _ abilities: Abilities) -> SearchRequest?
  {
    guard let plan = try? QueryPlan(query, abilities: abilities, vocabulary: vocabulary.of(kind)) else {
      return nil
    }
    return request(kind, plan.pushed, abilities)
  }

  private func request(_ kind: ResultKind, _ query: QueryExpression?, _ abilities: Abilities) -> SearchRequest
  {
    var request = SearchRequest(
      kind: kind, query: query, pageSize: min(Self.pageSize, abilities.maximumPageSize), deadline: .now)
    request.vocabulary = vocabulary.of(kind)
    return request
  }

  private mutating func read(_ purpose: Walk.Purpose, _ request: SearchRequest, pages: Int) async {
    if isHanging || limit != nil || Task.isCancelled { return }
    var walk = Walk(purpose: purpose, request: request)
    var seen: Set<String> = []
    var (empty, filled) = (0, 0)
    while filled < pages {
      var asked = request
      asked.cursor = walk.pages.last?.next
      let result = await page(asked, isFeed: purpose == .feed)
      guard case .success(let page)? = result else {
        switch result {
        case .failure(let error as SearchError)? where error.code == .rateLimited: walk.end = .limit
        case .failure(let error)?: walk.end = .failed(error)
        default: walk.end = .late
        }
        break
      }
      let isFresh = page.items.reduce(false) { seen.insert($1.id).inserted || $0 }
      if !page.items.isEmpty, !isFresh, !page.mayRepeat {
        walk.end = .repeating
        break
      }
      walk.pages.append(page)
      let isEmpty = page.items.isEmpty && !page.mayRepeat
      (empty, filled) = isEmpty ? (empty + 1, filled) : (0, filled + 1)
      // A paused list could be resumed by another search; this walk ends here.
      if page.isPaused { break }
      if page.next == nil {
        walk.end = .ended
        break
      }
      if empty > Self.emptyPages {
        walk.end = .empty
        break
      }
    }
    walk.isLong = filled >= Self.longList
    walks.append(walk)
  }

  /// The declared qualifiers of which no list with results was read, as a note for each kind.
  var uncheckedQualifiers: [String] {
    kinds.compactMap { kind in
      let checked = walks.flatMap { walk -> [String] in
        guard case .filter(let condition) = walk.purpose, walk.request.kind == kind, !walk.items.isEmpty
        else {
          return []
        }
        return condition.qualifiers.map(\.name)
      }
      let declared = abilities[kind]?.qualifiers.filter { $0.value != .unsupported }.keys.sorted() ?? []
      let rest = declared.filter { !checked.contains($0) }.map { $0 + ":" }.joined(separator: " ")
      return rest.isEmpty
        ? nil : "\(kind.rawValue): not checked, because no sample with results uses them: \(rest)"
    }
  }

  /// The lists that go on after the pages that were read, as a note.
  var uncheckedEnds: [String] {
    let rest = walks.filter { if case .limit = $0.end { $0.isLong } else { false } }.map(\.label)
    let limited = limit.map { ["not tested beyond the limit of the service: \($0.message)"] } ?? []
    return limited
      + (rest.isEmpty
        ? []
        : [
          "not checked to the end, because there are more than \(Self.longList) pages (use a rarer sample word): "
            + rest.joined(separator: ", ")
        ])
  }
}

extension QueryExpression {
  /// The query for a word, or for a phrase if there is white space in it.
  fileprivate static func word(_ text: String) -> QueryExpression {
    .term(QueryTerm(text, isPhrase: text.contains(where: \.isWhitespace)))
  }
}
