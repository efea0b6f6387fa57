import ForageCore
import ForageTesting
import Testing

/// Providers whose declaration or items are wrong in one way.
@Suite struct WrongDeclarationTests {
  private let place = "repo \"parser\" page 1 item 2"

  @Test func wrongID() async {
    await expect(
      WrongProvider(saying: { $0.info.id = "My Shelf" }), fails: ["declaration"],
      line:
        "declaration: the provider: its id \"My Shelf\" has something else than lower-case letters, digits, "
        + "-, _ and ., or does not begin with a letter or digit")
  }

  @Test func detailsOfAKindThatIsNotSearched() async {
    await expect(
      WrongProvider(saying: { $0.detailedKinds.insert(.user) }), fails: ["declaration"],
      line: "declaration: the provider: it declares details of the kind user, which it does not search")
  }

  @Test func inexactQualifierWithoutField() async {
    await expect(
      WrongProvider(saying: { $0.kinds[.repo]?.qualifiers["license"] = .inexact }), fails: ["declaration"],
      line: "declaration: the kind repo: license: is inexact, so the search checks it on the items, "
        + "but the field license is not declared")
  }

  @Test func aFeedWithoutItsProtocol() async {
    await expect(
      Searcher(), fails: ["declaration"],
      line: "declaration: the kind repo: it declares a feed, but the provider is not a FeedProvider")
  }

  @Test func wrongKind() async {
    await expect(
      WrongProvider.item { $0.kind = "story" }, fails: ["declaration"],
      line: "declaration: \(place) (forge.example/acme/r1): its kind is story")
  }

  @Test func undeclaredField() async {
    await expect(
      WrongProvider.item { $0["karma"] = .text("good") }, fails: ["declaration"],
      line: "declaration: \(place) (forge.example/acme/r1): its field karma is not declared")
  }

  @Test func wrongType() async {
    await expect(
      WrongProvider.item { $0[.archived] = .text("false") }, fails: ["declaration"],
      line: "declaration: \(place) (forge.example/acme/r1): its field archived is not a flag: \"false\"",
      samples: Shelf.samples(["parser", "http"]))
  }

  @Test func emptyID() async {
    await expect(
      WrongProvider.item { $0.id = "" }, fails: ["ids"], line: "ids: \(place) (acme/r1): it has no id")
  }

  @Test func emptyTitle() async {
    await expect(
      WrongProvider.item { $0.title = "" }, fails: ["ids"],
      line: "ids: \(place) (forge.example/acme/r1): it has no title")
  }

  @Test func credentialsInAddress() async {
    await expect(
      WrongProvider.item { $0.url = "https://me:hunter2@forge.example/acme/r1" }, fails: ["ids"],
      line: "ids: \(place) (forge.example/acme/r1): its address has a user name or a password")
  }

  @Test(arguments: ["/acme/r1", "ssh://forge.example/acme/r1", "https:///acme", "https://forge.example/a b"])
  func noWebAddress(_ url: String) async {
    await expect(
      WrongProvider.item { $0.url = url }, fails: ["ids"],
      line: "ids: \(place) (forge.example/acme/r1): its address is not a web address: \"\(url)\"")
  }

  /// A provider of which half of the items are thrown away is not complete; a rare odd one is no fault.
  @Test(arguments: [false, true]) func mostItemsMustBeReadable(_ areMostLost: Bool) async throws {
    let provider = WrongProvider.page { page, request in
      page.unreadable =
        areMostLost ? page.items.count : request.cursor == nil && isPlain(request, "parser") ? 1 : 0
      page.total = nil
    }
    let report = await ProviderComplianceTests(provider: provider, samples: Shelf.samples).run()
    #expect(report.failedChecks == (areMostLost ? ["readable"] : []), "\(report)")
    #expect(!areMostLost || report.failures.first?.problem.contains("were left out") == true)
  }
}

/// A provider that declares a feed, and cannot show it.
private struct Searcher: DetailsProvider {
  var info: ProviderInfo { Shelf.provider.info }
  var kinds: [ResultKind: Abilities] { Shelf.provider.kinds }

  func search(_ request: SearchRequest) async throws -> SearchPage {
    try await Shelf.provider.search(request)
  }

  func details(of id: EntityReference, deadline: ContinuousClock.Instant) async throws -> EntityDetails? {
    try await Shelf.provider.details(of: id, deadline: deadline)
  }
}
