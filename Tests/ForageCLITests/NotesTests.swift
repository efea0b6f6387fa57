import Forage
import TestSupport
import Testing

@testable import ForageCLI
@testable import ForageCore

/// The messages beside a list.
struct NotesTests {
  private func notes(
    _ outcomes: [ProviderOutcome], named: Set<String> = [], isQuiet: Bool = false,
    disabled: [String] = [], _ style: ListStyle = ListStyle()
  ) -> String {
    let capture = Capture()
    var output = capture.output(columns: nil)
    output.isQuiet = isQuiet
    var choice = ProviderChoice(all: ProviderRegistry())
    (choice.named, choice.disabled) = (named, disabled)
    let report = SearchReport(FederatedResult(items: [], outcomes: outcomes), of: Self.search)
    SearchRendering(report, choice, style, output: output).writeNotes()
    return capture.messages
  }

  private static let search = FederatedSearch(feedOf: [.repo])

  private func outcome(
    _ kind: ResultKind, _ state: ProviderOutcome.State, _ message: String? = nil, id: String = "github"
  ) -> ProviderOutcome {
    var outcome = ProviderOutcome(id: id, name: "GitHub", kind: kind, state: state)
    outcome.error = message.map { SearchError(.serverError, $0, hint: "do") }
    return outcome
  }

  @Test func whatFailsForAllKindsIsToldOnce() {
    let down = "GitHub could not be reached"
    #expect(
      notes([outcome(.repo, .failed, down), outcome(.issue, .failed, down)])
        == "forage: github: \(down)\nhint: do\n")
  }

  @Test func kindsWithOutcomesOfTheirOwnAreNamed() {
    #expect(
      notes([outcome(.repo, .ok), outcome(.code, .unauthorized, "a token is needed")]).hasPrefix(
        "forage: github (code): a token is needed\nhint: do\n"))
    #expect(
      notes([outcome(.repo, .timeout, "late"), outcome(.code, .unauthorized, "a token is needed")])
        == "forage: github (repo): late\nhint: do\nforage: github (code): a token is needed\nhint: do\n")
  }

  @Test func oneKindNeedsNoName() {
    #expect(notes([outcome(.issue, .failed, "down")]) == "forage: github: down\nhint: do\n")
  }

  /// Clones are offered only where they were asked for the same, and nobody was named.
  @Test func onlyClones() {
    func hasHint(_ kind: ResultKind, local: ProviderOutcome.State, named: Set<String> = []) -> Bool {
      var down = outcome(kind, .failed)
      down.error = SearchError(.unreachable, "GitHub could not be reached", hint: "check it")
      let text = notes([down, outcome(.repo, local, id: "local")], named: named)
      #expect(text.contains("\nhint: check it"))
      return text.contains("check it, or search only clones with -p local\n")
    }
    #expect(hasHint(.repo, local: .ok))
    #expect(!hasHint(.repo, local: .skipped) && !hasHint(.issue, local: .ok))
    #expect(!hasHint(.repo, local: .ok, named: ["github"]))
  }

  /// A provider can be asked again where that failed, and not where it is not to be asked.
  @Test func anOldAnswer() {
    var old = outcome(.repo, .ok)
    old.notes = [Note(.stale, "its answer is old")]
    #expect(notes([old]).hasPrefix("forage: github: its answer is old\nforage: "), "\(notes([old]))")
    old.notes[0].hint = "ask again later"
    #expect(
      notes([old]).hasPrefix("forage: github: its answer is old\nhint: \(Remedy.askAgain.advice)\n"),
      "\(notes([old]))")
  }

  /// Each note is a message with its hint; what an error says already is left out.
  @Test func notesOfAProvider() {
    var some = outcome(.repo, .ok)
    some.notes = [
      Note(.scanLimited, "only 5 pages were checked", hint: "narrow it"), .incompleteResults(of: "GitHub"),
    ]
    #expect(
      notes([some]).hasPrefix(
        """
        forage: github: only 5 pages were checked
        hint: narrow it
        forage: github: GitHub reports that its list is incomplete
        hint: make the query more specific

        """))
    (some.state, some.error) = (.partial, SearchError(.serverError, "down", hint: "do"))
    let failed = notes([some])
    #expect(failed.contains("only 5 pages were checked") && !failed.contains("reports that"), "\(failed)")
  }

  /// A limit with an old answer in its place is one message.
  @Test func aLimitWithAnOldAnswer() {
    var limited = outcome(.repo, .partial, "the limit is exceeded")
    limited.cache = CacheUse(age: .seconds(600), isStale: true)
    limited.notes = [Note(.stale, "GitHub was not asked again")]
    #expect(
      notes([limited]).hasPrefix(
        "forage: github: the limit is exceeded; its answer is from the cache and 10 min old\nhint: do\n"))
    #expect(!notes([limited]).contains("asked again"))
  }

  /// The next page is not offered where only a provider that failed would be asked again.
  @Test func theNextPage() {
    func isOffered(localTotal: Int) -> Bool {
      var local = outcome(.repo, .ok, id: "local")
      local.total = ResultTotal(localTotal)
      let item = MergedItem(
        result: SearchResult(id: "example.org/a/b", kind: .repo, title: "a/b"),
        sources: [.init(provider: "local", rank: 1, id: nil, contribution: 0)], score: 0)
      let result = FederatedResult(
        items: [item], outcomes: [outcome(.repo, .failed, "down"), local], hasMore: true)
      let capture = Capture()
      var output = capture.output(columns: 80)
      output.isMessageTerminal = true
      let report = SearchReport(result, of: Self.search)
      let style = ListStyle(continuation: "forage search --next")
      SearchRendering(report, nil, style, output: output).writeNotes()
      #expect(
        capture.messages.hasSuffix(
          localTotal == 1 ? "\n1 result from local\n" : "\nshowing 1 of 2 results from local\n"),
        "\(capture.messages)")
      return capture.messages.contains("more: forage search --next")
    }
    #expect(!isOffered(localTotal: 1) && isOffered(localTotal: 2))
  }

  /// A failure is no empty list, and an empty list no failure.
  @Test func nothingFoundIsSaidOnlyWhereEverybodyAnswered() {
    #expect(notes([outcome(.repo, .ok)]).contains("nothing found"))
    #expect(
      notes([outcome(.repo, .ok), outcome(.repo, .skipped, "empty", id: "local")]).contains("nothing found"))
    #expect(
      !notes([outcome(.repo, .ok), outcome(.repo, .failed, "down", id: "other")]).contains("nothing found"))
  }

  @Test func nothingFoundNamesWhatIsUnknown() async throws {
    try await withIsolatedHome { home in
      let environment = variables(home, "http://127.0.0.1:9")
      let clone = try await TemporaryRepository.make("home/src/tool", in: home.directory)
      try await clone.commit("first", files: ["a.c": "int a;\n"])
      _ = await forage(["clones", "add", home.directory.path("home/src")], in: environment)
      func hint(_ query: String) async -> String {
        let outcome = await forage(["search", "-p", "local", query], in: environment)
        #expect(outcome.status == .nothingFound)
        return outcome.err
      }
      #expect(await hint("zzqq repo:a/nothing").contains("no clone is named a/nothing"))
      #expect(
        await hint("zzqq language:swfit").contains("swfit is not a known language; did you mean swift?"))
      let known = await hint("zzqq repo:\(clone.path) -language:swfit language:c++")
      #expect(known.contains("fewer words") && !known.contains("known language"), "\(known)")
    }
  }

  @Test func nothingFoundNamesWhatIsDisabled() {
    let found = notes([outcome(.repo, .ok, id: "local")], disabled: ["github"])
    #expect(
      found.hasSuffix(
        "; github is disabled, only local was asked (see: forage providers enable github)\n"))
    #expect(!notes([outcome(.repo, .ok, id: "local")]).contains("asked"))
  }

  @Test func whoTakesNoPartIsMentionedOnlyWhenNamed() {
    let outcomes = [
      outcome(.repo, .ok), outcome(.repo, .skipped, "there are no clones", id: "local"),
      outcome(.repo, .unsupported, "stars: is not supported", id: "shop"),
    ]
    #expect(!notes(outcomes).contains("local") && !notes(outcomes).contains("shop"))
    let named = notes(outcomes, named: ["shop"])
    #expect(named.contains("shop: stars: is not supported") && !named.contains("local"))
    let listed = notes(outcomes, ListStyle(explains: true)).split(separator: "\n")
    #expect(listed.count { $0.contains("local: skipped: ") || $0.contains("shop: unsupported: ") } == 2)
    // Where nobody was asked the message says why.
    let all = notes([outcomes[1], outcomes[2]])
    #expect(all.contains("there are no clones") && all.contains("stars:") && !all.contains("nothing found"))
  }

  /// A query for another kind of results is a mistake, and the hint says how to ask.
  @Test func whatNobodyCanAnswer() {
    var github = outcome(.repo, .unsupported, "state: is not supported")
    github.otherKinds = [.issue]
    var local = outcome(.repo, .unsupported, "state: is not supported", id: "local")
    local.error?.hint = "choose other providers"
    let alike =
      "forage: no provider can answer this search: state: is not supported\nhint: leave it out, or use -k issue\n"
    #expect(notes([local, github]) == alike)
    #expect(notes([local, github], isQuiet: true) == alike)
    // The kinds of the one that understands more of the query.
    var other = github
    other.otherKinds = [.commit, .issue]
    #expect(notes([other, github]) == alike)
    #expect(notes([local, github], ListStyle(nameOfIssues: "pr")).hasSuffix("or use -k pr\n"))
    local.error?.message = "OR is not supported"
    #expect(notes([local, github]).contains("local: OR is not supported; github: state: is not supported"))
    // Who has no such results at all takes no part.
    var shop = outcome(.repo, .unsupported, "it has no repo results", id: "shop")
    shop.lacksKind = true
    #expect(notes([shop, github]) == alike && notes([shop]).contains("it has no repo results"))
    // Of a provider that was named it is said by its name.
    #expect(
      notes([local], named: ["local"]).contains("local: OR is not supported\nhint: choose other providers\n"))
  }

  @Test func explainNamesWhatWasCheckedHere() {
    var checked = outcome(.repo, .ok)
    checked.residual = ["stars", "text"]
    #expect(!notes([checked]).contains("stars"))
    let listed = notes([checked, outcome(.repo, .ok, id: "other")], ListStyle(explains: true))
    #expect(listed.contains("forage: github: checked here: stars, words\n") && !listed.contains("other"))
  }

  @Test func quietKeepsErrorsAlone() {
    #expect(notes([outcome(.repo, .ok)], isQuiet: true) == "")
    #expect(notes([outcome(.repo, .failed, "down")], isQuiet: true).contains("down"))
  }

  @Test func ageOfAnAnswerInWords() {
    var github = outcome(.repo, .partial, "down")
    github.cache = CacheUse(age: .milliseconds(663_900), isStale: true)
    #expect(notes([github]).contains("from the cache and 11 min old\n"))
  }

  @Test func anInterruptIsOneLine() {
    let capture = Capture()
    var late = outcome(.repo, .failed, "interrupted")
    late.error?.code = .cancelled
    var other = late
    other.kind = .code
    let result = FederatedResult(items: [], outcomes: [late, other, outcome(.repo, .ok, id: "local")])
    SearchRendering(SearchReport(result, of: Self.search), output: capture.output(columns: nil))
      .writeInterruption()
    #expect(capture.messages == "forage: interrupted while waiting for github\n")
  }

  @Test func countsSayHowManyOfHowMany() {
    var found = outcome(.repo, .ok)
    found.total = ResultTotal(812)
    let items = (0..<3).map { number in
      MergedItem(
        result: SearchResult(id: "example.org/a/\(number)", kind: .repo, title: "a/\(number)"),
        sources: [.init(provider: "github", rank: number + 1, id: nil, contribution: 0)], score: 0)
    }
    var result = FederatedResult(items: items, outcomes: [found, outcome(.repo, .skipped, "x", id: "local")])
    func counts(_ result: FederatedResult) -> String? {
      SearchRendering(SearchReport(result, of: Self.search), output: Capture().output()).counts
    }
    #expect(counts(result) == "showing 3 of 812 results from github")
    result.offset = 60
    #expect(counts(result) == "showing 61 to 63 of 812 results from github")
    var one = result
    one.items.removeFirst(2)
    one.offset = 62
    #expect(counts(one) == "showing result 63 of 812 from github")
    one.outcomes[0].total = nil
    #expect(counts(one) == "showing result 63: 1 from github")
    // What is not read yet may fail the conditions that are checked here.
    result.offset = 0
    result.outcomes[0].residual = ["language"]
    #expect(counts(result) == "showing 3 of at most 812 results from github")
    result.outcomes[0].total = ResultTotal(812, .atLeast)
    #expect(counts(result) == "showing 3 results: 3 from github")
    result.outcomes[0].total = ResultTotal(3)
    #expect(counts(result) == "3 results from github")
    result.outcomes[0] = found
    result.offset = 60
    // Totals of several providers are not added.
    var other = outcome(.repo, .ok, id: "other")
    other.total = ResultTotal(7)
    result.outcomes.append(other)
    #expect(counts(result) == "showing results 61 to 63: 3 of 812 from github, 0 of 7 from other")
    // Who found nothing has no part in the list.
    result.outcomes[2].total = ResultTotal(0)
    #expect(counts(result) == "showing results 61 to 63: 3 of 812 from github")
  }

  /// Where everything is shown the number alone is said.
  @Test func countsOfWholeLists() {
    func counts(_ shown: [(id: String, count: Int, total: ResultTotal?)], offset: Int = 0) -> String? {
      let items = shown.flatMap { provider in
        (0..<provider.count).map { number in
          MergedItem(
            result: SearchResult(id: "\(provider.id)/a/\(number)", kind: .repo, title: "a"),
            sources: [.init(provider: provider.id, rank: number + 1, id: nil, contribution: 0)], score: 0)
        }
      }
      let outcomes = shown.map { provider in
        var outcome = outcome(.repo, .ok, id: provider.id)
        outcome.total = provider.total
        return outcome
      }
      var result = FederatedResult(items: items, outcomes: outcomes)
      result.offset = offset
      return SearchRendering(SearchReport(result, of: Self.search), output: Capture().output()).counts
    }
    let (one, two) = (ResultTotal(1), ResultTotal(2))
    #expect(counts([("a", 1, one)]) == "1 result from a")
    #expect(counts([("a", 1200, ResultTotal(1200))]) == "1,200 results from a")
    #expect(counts([("a", 1, two)]) == "showing 1 of 2 results from a")
    #expect(counts([("a", 2, ResultTotal(2, .atLeast))]) == "showing 2 of at least 2 results from a")
    #expect(counts([("a", 1, two)], offset: 1) == "showing result 2 of 2 from a")
    #expect(counts([("a", 2, two), ("b", 1, one)]) == "3 results: 2 from a, 1 from b")
    #expect(counts([("a", 2, two), ("b", 1, two)]) == "showing 3 results: 2 from a, 1 of 2 from b")
    #expect(counts([("a", 2, two), ("b", 1, nil)]) == "showing 3 results: 2 from a, 1 from b")
    #expect(counts([("a", 2, two), ("b", 0, ResultTotal(0))]) == "2 results: 2 from a")
  }
}
