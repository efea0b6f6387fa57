import TestSupport
import Testing

@testable import ForageCore

@Suite struct FederationFailureTests {
  private struct Odd: Error {}

  private static let good = ScriptedProvider.listing("Good", repositories("g", 3))
  private static let goodIDs = repositories("g", 3).map(\.id)

  @Test(
    arguments: [
      (.timeout, .timeout), (.rateLimited, .rateLimited), (.unauthorized, .unauthorized),
      (.unsupportedQuery, .unsupported), (.nothingToAsk, .skipped), (.serverError, .failed),
      (.unreachable, .failed), (.circuitOpen, .failed),
      (.invalidResponse, .failed),
      ("of_a_plugin", .failed),
    ] as [(SearchError.Code, ProviderOutcome.State)])
  func anErrorIsAnOutcome(code: SearchError.Code, state: ProviderOutcome.State) async throws {
    let error = SearchError(code, "it broke", hint: "mend it", retryAfterMilliseconds: 1500)
    let bad = ScriptedProvider.named("Bad") { _, _ in throw error }
    let found = try await federated("swift", [bad, Self.good])
    #expect(found.items.map(\.result.id) == Self.goodIDs)
    #expect(found.outcomes.map(\.state) == [state, .ok])
    #expect(found.outcomes.first?.error == error)
    #expect(found.outcomes.first?.requests == 1)
    #expect(found.outcomes.first?.reason == (state.isExcluded ? "it broke" : nil))
    #expect(found.isComplete == [.unsupported, .skipped].contains(state))
    #expect(bad.requests.count == 1)
  }

  @Test func errorsOfOtherTypes() async throws {
    let odd = ScriptedProvider.named("Odd") { _, _ in throw Odd() }
    let cancelled = ScriptedProvider.named("Cancelled") { _, _ in throw CancellationError() }
    let found = try await federated("swift", [odd, cancelled, Self.good])
    #expect(found.items.map(\.result.id) == Self.goodIDs)
    #expect(found.outcomes.map(\.state) == [.failed, .failed, .ok])
    #expect(found.outcomes.map(\.error?.code) == [.other, .cancelled, nil])
    #expect(found.outcomes.first?.error?.message.hasPrefix("Odd failed: ") == true)
    #expect(!found.isComplete)
  }

  @Test func pagesBeforeAFailureAreKept() async throws {
    let error = SearchError(.serverError, "it broke", hint: "mend it")
    let provider = ScriptedProvider.listing("P", repositories("p", 500)) { number in
      if number == 2 { throw error }
    }
    let found = try await federated("swift", [provider], limit: 200)
    #expect(found.items.count == 100)
    #expect(found.outcomes.map(\.state) == [.partial])
    #expect(found.outcomes.first?.error == error)
    #expect(found.outcomes.first?.returned == 100)
    #expect(found.outcomes.first?.requests == 2)
    #expect(provider.requests.count == 2)
    #expect(!found.isComplete)
  }

  /// What a service leaves out makes it partial at the end of its list, and the list is read to its end. A
  /// page that fails ends it, as without an omission.
  @Test(arguments: [nil, 2, 3])
  func omissions(_ failing: Int?) async throws {
    let omission = Note(.incompleteSearch, "2 organizations are missing")
    let error = SearchError(.serverError, "it broke")
    let items = repositories("p", 250)
    let provider = ScriptedProvider.named("P") { request, number in
      if number == failing { throw error }
      var page = ScriptedProvider.page(of: items, for: request)
      if number == 1 { page.notes = [omission] }
      return page
    }
    let found = try await federated("swift", [provider], limit: 250)
    #expect(provider.requests.count == failing ?? 3)
    #expect(found.items.count == failing.map { ($0 - 1) * 100 } ?? 250)
    #expect(found.outcomes.map(\.state) == [.partial] && !found.isComplete)
    let told = failing == nil ? SearchError(.incompleteSearch, omission.message) : error
    #expect(found.outcomes.first?.error == told)
    #expect(found.outcomes.first?.notes == (failing == nil ? [] : [omission]))
  }

  @Test func aProviderThatHangsDelaysNobody() async throws {
    let gate = Gate()
    defer { gate.open() }
    let hanging = ScriptedProvider.named("Slow", timeout: .milliseconds(50)) { _, _ in
      await gate.wait()
      return SearchPage(items: repositories("late", 5))
    }
    let found = try await federated("swift", [hanging, Self.good])
    #expect(found.items.map(\.result.id) == Self.goodIDs)
    #expect(found.outcomes.map(\.state) == [.timeout, .ok])
    let error = try #require(found.outcomes.first?.error)
    #expect(error.code == .timeout)
    #expect(error.message.hasPrefix("Slow "))
    #expect(error.hint == "")
    #expect(!found.isComplete)
  }

  /// A limit of the user is named where it is less than that of the search.
  @Test(arguments: [(50, "the settings allow it 50 ms; increase its timeout there"), (60_000, "")])
  func aLimitOfTheUser(milliseconds: Int, hint: String) async throws {
    let gate = Gate()
    defer { gate.open() }
    let hanging = ScriptedProvider.named("Slow") { _, _ in
      await gate.wait()
      return SearchPage(items: [])
    }
    let registry = ProviderRegistry([hanging]) { _ in
      ProviderPreferences(timeout: .milliseconds(milliseconds))
    }
    let search = FederatedSearch(query: try QueryParser().parse("swift"), timeout: .milliseconds(100))
    let found = await SearchRun(search, registry).more()
    #expect(found.outcomes.map(\.error?.code) == [.timeout])
    #expect(found.outcomes.map(\.error?.hint) == [hint])
  }

  @Test func whatWasDeliveredBeforeTheHangIsKept() async throws {
    let gate = Gate()
    defer { gate.open() }
    // Its own limit leaves time enough for the first page on a busy machine.
    let provider = ScriptedProvider.named("Slow", timeout: .seconds(2)) { request, number in
      if number == 2 { await gate.wait() }
      return ScriptedProvider.page(of: repositories("p", 500), for: request)
    }
    let found = try await federated("swift", [provider], limit: 200)
    #expect(found.items.count == 100)
    #expect(found.outcomes.map(\.state) == [.partial])
    #expect(found.outcomes.first?.error?.code == .timeout)
  }

  @Test func theSearchsOwnDeadlineIsKept() async throws {
    let gate = Gate()
    defer { gate.open() }
    let providers = ["A", "B"].map { name in
      ScriptedProvider.named(name) { _, _ in
        await gate.wait()
        return SearchPage(items: [])
      }
    }
    let search = FederatedSearch(query: try QueryParser().parse("swift"), timeout: .milliseconds(30))
    let found = await SearchRun(search, ProviderRegistry(providers)).more()
    #expect(found.items.isEmpty)
    #expect(found.outcomes.map(\.state) == [.timeout, .timeout])
  }

  @Test func cancellationReturnsWhatHasArrived() async throws {
    let (gate, entered) = (Gate(), Gate())
    defer { gate.open() }
    let hanging = ScriptedProvider.named("Slow") { request, number in
      if number == 1 { return ScriptedProvider.page(of: repositories("p", 500), for: request) }
      entered.open()
      await gate.wait()
      return SearchPage(items: [])
    }
    let silent = ScriptedProvider.named("Silent") { _, _ in
      await gate.wait()
      return SearchPage(items: [])
    }
    let task = Task { try await federated("swift", [hanging, silent], limit: 200) }
    await entered.wait()
    task.cancel()
    let found = try await task.value
    #expect(found.items.count == 100)
    #expect(found.outcomes.map(\.state) == [.partial, .failed])
    #expect(found.outcomes.map(\.error?.code) == [.cancelled, .cancelled])
    #expect(!found.isComplete)
  }

  @Test func aSearchThatIsCancelledAlreadyReturns() async throws {
    let gate = Gate()
    defer { gate.open() }
    let silent = ScriptedProvider.named("Silent") { _, _ in
      await gate.wait()
      return SearchPage(items: [])
    }
    let begin = Gate()
    let task = Task {
      await begin.wait()
      return try await federated("swift", [silent])
    }
    task.cancel()
    begin.open()
    #expect(try await task.value.outcomes.map(\.error?.code) == [.cancelled])
  }

  @Test func aRepeatedPageEndsTheList() async throws {
    let provider = ScriptedProvider.named("P") { _, number in
      SearchPage(items: repositories("p", 10), next: "again \(number)")
    }
    let found = try await federated("swift", [provider], limit: 200)
    #expect(found.items.map(\.result.id) == repositories("p", 10).map(\.id))
    #expect(provider.requests.count == 2)
    #expect(found.outcomes.map(\.state) == [.ok])
    #expect(found.outcomes.first?.notes == [])
  }

  /// Empty pages are followed up to a number, which is then reported.
  @Test func aPromiseOfMoreThatIsEmptyEndsTheList() async throws {
    let provider = ScriptedProvider.named("P") { _, number in
      SearchPage(items: number == 1 ? repositories("p", 10) : [], next: "more")
    }
    let found = try await federated("swift", [provider], limit: 200)
    #expect(found.items.count == 10 && !found.isComplete)
    #expect(provider.requests.count == 1 + ProviderRun.emptyPageCap)
    #expect(found.outcomes.first?.notes.map(\.code) == [.scanLimited])
  }

  @Test func anEndlessListIsReadToTheLimitOnly() async throws {
    let provider = ScriptedProvider.named("P", abilities: .plain(page: 10)) { _, number in
      SearchPage(items: repositories("p\(number)", 10), next: "\(number)")
    }
    let found = try await federated("swift", [provider], limit: 75)
    #expect(found.items.count == 75)
    #expect(provider.requests.count == 8)
  }

  @Test func repeatsWithinAPageAndTooManyItems() async throws {
    let items = repositories("p", 40)
    let provider = ScriptedProvider.named("P") { _, _ in
      SearchPage(items: items + items, next: "x")
    }
    let found = try await federated("swift", [provider], limit: 30)
    #expect(found.items.map(\.result.id) == items.prefix(30).map(\.id))
    #expect(found.outcomes.first?.returned == 30)
    #expect(provider.requests.count == 1)
  }

  @Test func aProviderThatCannotTakeTheQueryIsReported() async throws {
    let found = try await federated("swift size:>5", [Self.good])
    #expect(found.items.isEmpty)
    let outcome = try #require(found.outcomes.first)
    #expect(outcome.state == .unsupported)
    #expect(outcome.error?.code == .unsupportedQuery)
    #expect(outcome.reason?.hasPrefix("size:") == true)
    let capable = ScriptedProvider.listing(
      "Capable", repositories("c", 2),
      abilities: Abilities(fields: [], booleans: true))
    let some = try await federated("swift OR go", [Self.good, capable])
    #expect(some.items.count == 2)
    #expect(some.outcomes.map(\.state) == [.unsupported, .ok])
    #expect(some.outcomes.first?.reason?.hasPrefix("OR ") == true)
    #expect(some.isComplete)
  }
}
