import ForageCore
import Synchronization
import TestSupport
import Testing

/// What a provider can do that tells it only when it is asked.
@Suite struct ProvisionalProviderTests {
  /// A provider whose descriptor tells nothing but its kind, in front of one that can be looked into.
  private struct Reticent: SearchProvider {
    let inner: ScriptedProvider
    var asked: @Sendable (ContinuousClock.Instant) async throws -> Void = { _ in }

    var descriptor: ProviderDescriptor {
      var descriptor = inner.descriptor
      descriptor.isProvisional = true
      for kind in descriptor.kinds.keys {
        descriptor.kinds[kind] = ProviderDescriptor.KindAbilities(qualifiers: [:], fields: [])
      }
      return descriptor
    }

    func declaration(deadline: ContinuousClock.Instant) async throws -> ProviderDescriptor {
      try await asked(deadline)
      return inner.descriptor
    }

    func search(_ request: SearchRequest) async throws -> SearchPage { try await inner.search(request) }
  }

  @Test(arguments: ["swift", "swift language:go stars:>5", "swift (a OR b)", "swift nothing-like:this"])
  func asIfItHadToldBefore(_ query: String) async throws {
    let items = repositories("p", 120) { [.stars: .number($0 % 10), .language: .text("go")] }
    func provider() -> ScriptedProvider {
      ScriptedProvider.listing(
        "P", items, abilities: .plain(["language": .exact, "stars": .inexact], page: 40))
    }
    let (open, hidden) = (provider(), provider())
    let told = try await federated(query, [open], limit: 60)
    let untold = try await federated(query, [Reticent(inner: hidden)], limit: 60)
    #expect(untold.items.map(\.result.id) == told.items.map(\.result.id))
    #expect(untold.outcomes.map(\.state) == told.outcomes.map(\.state))
    #expect(untold.outcomes.map(\.residual) == told.outcomes.map(\.residual))
    #expect(untold.outcomes.map(\.error) == told.outcomes.map(\.error))
    #expect(hidden.requests.map { $0.query?.description } == open.requests.map { $0.query?.description })
    #expect(hidden.requests.allSatisfy { $0.pageSize <= 40 })
  }

  @Test func whatItCannotSortIsSortedHere() async throws {
    let items = repositories("p", 10) { [.stars: .number($0)] }
    let found = try await federated(
      "swift", [Reticent(inner: .listing("P", items))], limit: 3, sort: "stars")
    #expect(found.items.compactMap { $0.result[.stars]?.number } == [9, 8, 7])
    #expect(found.outcomes.map(\.isSortApproximate) == [true])
  }

  /// It is asked within its own time limit, and not again when a search needs further windows.
  @Test func abilitiesAreAskedForOnce() async throws {
    var items = repositories("p", 200)
    // Half as many entities as items, so that the first windows are not enough.
    for index in items.indices { items[index].forgeID = "example.org:\(index / 2)" }
    let deadlines = Deadlines()
    let reticent = Reticent(inner: .listing("P", items)) { deadlines.add($0) }
    let found = try await federated("swift", [reticent, ScriptedProvider.listing("Q", items)], limit: 90)
    #expect(found.items.count == 90 && reticent.inner.requests.count > 1)
    #expect(deadlines.all.count == 1 && deadlines.all.first == reticent.inner.requests.first?.deadline)
  }

  /// The deadlines of calls.
  private final class Deadlines: Sendable {
    private let state = Mutex<[ContinuousClock.Instant]>([])
    func add(_ deadline: ContinuousClock.Instant) { state.withLock { $0.append(deadline) } }
    var all: [ContinuousClock.Instant] { state.withLock { $0 } }
  }

  @Test func oneThatCannotBeAskedHarmsNobody() async throws {
    let refusing = Reticent(inner: .listing("P", repositories("p", 3))) { _ in
      throw SearchError(.local, "P does not start", hint: "mend it")
    }
    let gate = Gate()
    defer { gate.open() }
    let silent = Reticent(
      inner: .named("S", timeout: .milliseconds(50)) { request, _ in
        ScriptedProvider.page(of: repositories("s", 3), for: request)
      }
    ) { _ in await gate.wait() }
    let found = try await federated(
      "swift", [refusing, ScriptedProvider.listing("Q", repositories("q", 3)), silent])
    #expect(found.items.map(\.result.id) == repositories("q", 3).map(\.id))
    #expect(found.outcomes.map(\.state) == [.failed, .ok, .timeout])
    #expect(found.outcomes.first?.error?.message == "P does not start")
    #expect(refusing.inner.requests.isEmpty && silent.inner.requests.isEmpty)
  }

  /// Words that only narrow are checked again; where they cannot be sent at all, nothing is left to send.
  @Test func wordsThatOnlyNarrow() async throws {
    var items = repositories("p", 4)
    items[1].title = "example/swift"
    var abilities = ProviderDescriptor.KindAbilities.plain()
    abilities.text = .inexact
    let provider = ScriptedProvider.listing("P", items, abilities: abilities)
    let found = try await federated("swift", [provider])
    #expect(found.items.map(\.result.id) == [items[1].id])
    #expect(found.outcomes.map(\.residual) == [["text"]])
    _ = try await federated("swift -word", [provider])
    #expect(provider.requests.last?.query?.description == "swift")
    (abilities.text, abilities.needsText) = (.unsupported, true)
    let deaf = try await federated("swift", [ScriptedProvider.listing("P", items, abilities: abilities)])
    #expect(deaf.outcomes.map(\.state) == [.unsupported])
  }
}
