import ForageCore
import ForageTesting

/// A provider that does everything right but one thing.
struct WrongProvider: FeedProvider, DetailsProvider {
  typealias Answer =
    @Sendable (_ request: SearchRequest, _ inner: InMemoryProvider) async throws -> SearchPage
  typealias Details =
    @Sendable (_ id: EntityReference, _ inner: InMemoryProvider) async throws -> SearchResult?

  var info: ProviderInfo
  var kinds: [ResultKind: Abilities]
  var detailedKinds: Set<ResultKind>
  private let inner: InMemoryProvider
  private let answer: Answer
  private let know: Details
  private let show: Answer

  /// Makes a provider of which the searches are wrong.
  init(
    _ inner: InMemoryProvider = Shelf.provider, show: @escaping Answer = { try await $1.feed($0) },
    answer: @escaping Answer
  ) {
    self.init(inner, know: Self.details, answer: answer, show: show)
  }

  /// A provider of which the feed is wrong.
  static func feed(_ show: @escaping Answer) -> WrongProvider {
    WrongProvider(
      Shelf.provider, know: Self.details, answer: { try await $1.search($0) }, show: show)
  }

  /// Makes a provider of which the declaration is wrong.
  init(saying change: (inout WrongProvider) -> Void) {
    self.init(Shelf.provider, know: Self.details, answer: { try await $1.search($0) })
    change(&self)
  }

  /// Makes a provider of which the details are wrong.
  init(know: @escaping Details) {
    self.init(Shelf.provider, know: know, answer: { try await $1.search($0) })
  }

  private init(
    _ inner: InMemoryProvider, know: @escaping Details, answer: @escaping Answer,
    show: @escaping Answer = { try await $1.feed($0) }
  ) {
    self.show = show
    self.inner = inner
    (info, kinds, detailedKinds) = (inner.info, inner.kinds, inner.detailedKinds)
    self.know = know
    self.answer = answer
  }

  private static let details: Details = { id, inner in inner.items.first { $0.id == id.id } }

  /// A provider that spoils every page.
  static func page(
    of inner: InMemoryProvider = Shelf.provider,
    _ spoil: @escaping @Sendable (inout SearchPage, SearchRequest) -> Void
  ) -> WrongProvider {
    WrongProvider(inner) { request, inner in
      var page = try await inner.search(request)
      spoil(&page, request)
      return page
    }
  }

  /// A provider that spoils one item wherever it occurs.
  static func item(_ spoil: @escaping @Sendable (inout SearchResult) -> Void) -> WrongProvider {
    page { page, _ in
      for place in page.items.indices where page.items[place].id == Shelf.items[1].id {
        spoil(&page.items[place])
      }
    }
  }

  func search(_ request: SearchRequest) async throws -> SearchPage { try await answer(request, inner) }

  func feed(_ request: SearchRequest) async throws -> SearchPage { try await show(request, inner) }

  func details(of id: EntityReference, deadline: ContinuousClock.Instant) async throws -> EntityDetails? {
    try await know(id, inner).map { EntityDetails(item: $0) }
  }
}

/// Something that is not a `SearchError`.
struct ForeignError: Error, CustomStringConvertible {
  let description = "the index\nis gone"
}

/// Waits whatever is cancelled.
func sleepStubbornly(_ duration: Duration) async {
  await Task { try? await Task.sleep(for: duration) }.value
}
