import ForageCore
import ForageTesting
import Testing

/// Providers that do not apply words, filters or sorts as they say.
@Suite struct WrongQueryTests {
  /// A provider that changes the query that it evaluates.
  private func changing(_ change: @escaping @Sendable (QueryExpression?) -> QueryExpression?) -> WrongProvider
  {
    WrongProvider { request, inner in
      var request = request
      request.query = change(request.query)
      return try await inner.search(request)
    }
  }

  private static func withoutFilters(_ query: QueryExpression?) -> QueryExpression? {
    QueryExpression.all((query?.conjuncts ?? []).filter(\.qualifiers.isEmpty))
  }

  @Test func wordsIgnored() async {
    await expect(
      changing { QueryExpression.all(($0?.conjuncts ?? []).filter { !$0.qualifiers.isEmpty }) },
      fails: ["words"],
      line: "words: repo \"qzxvkjwbpfhtqzx\": nothing has this word, but there are results: is the word sent?"
    )
  }

  /// The quotes of a phrase are part of the query language, not of the text.
  @Test func phraseWithItsQuotes() async {
    let provider = changing { query in
      guard case .term(let term)? = query, term.isPhrase else { return query }
      return .term(QueryTerm(QueryTerm.quoted(term.text), isPhrase: true))
    }
    await expect(
      provider, fails: ["words"],
      line: #"words: repo "\"parser of\"": the search for the phrase has no results, although an item "#
        + "contains it; quotes that are sent along are a usual cause")
  }

  @Test func exactFilterIgnored() async {
    await expect(
      changing(Self.withoutFilters), fails: ["filters"],
      line:
        "filters: repo \"parser stars:>4\" page 1 item 1 (forge.example/acme/r0): stars:>4 does not hold: stars is 0",
      samples: Shelf.samples(["parser", "http"], ["stars:>4"]))
  }

  @Test func negationIgnored() async {
    let provider = changing { query in
      query?.description.contains("-topic:") == true ? .term(QueryTerm("parser")) : query
    }
    await expect(
      provider, fails: ["filters"],
      line: "filters: repo \"parser -topic:text\" page 1 item 1 (forge.example/acme/r0): "
        + "-topic:text does not hold: topics is [parsing, text]",
      samples: Shelf.samples(["parser"], ["topic:text"]))
  }

  /// A page can say that a filter is not applied; an inexact one need not hold at all.
  @Test func unappliedFiltersAreNoFault() async {
    let ignoring = changing(Self.withoutFilters)
    let honest = WrongProvider { request, _ in
      var page = try await ignoring.search(request)
      page.unapplied = Set(request.query?.qualifiers.map(\.name) ?? [])
      return page
    }
    var inexact = ignoring
    for name in Shelf.provider.kinds[.repo]?.qualifiers.keys.sorted() ?? [] {
      inexact.kinds[.repo]?.qualifiers[name] = .inexact
    }
    for provider in [honest, inexact] {
      let report = await ProviderComplianceTests(
        provider: provider, samples: Shelf.samples(["parser", "http"], ["stars:>4"])
      ).run()
      #expect(report.failures.isEmpty, "\(report)")
    }
  }

  @Test func unsorted() async {
    let provider = WrongProvider { request, inner in
      var request = request
      if request.sort == "stars" { request.order = .ascending }
      return try await inner.search(request)
    }
    await expect(
      provider, fails: ["sorts"],
      line: "sorts: repo \"parser\" by stars desc page 1 item 2 (forge.example/acme/r7): "
        + "it follows forge.example/acme/r0, which should come after it")
  }
}
