import ForageCore
import ForageTesting
import Testing

/// Providers that behave wrongly in one way.
@Suite struct WrongBehaviourTests {
  /// Samples with a short wait for what never ends.
  private var impatient: ProviderComplianceTests.Samples {
    var samples = Shelf.samples
    samples.grace = .seconds(3)
    return samples
  }

  @Test func ignoredCancellation() async {
    let provider = WrongProvider { request, inner in
      if Task.isCancelled { await sleepStubbornly(.seconds(600)) }
      return try await inner.search(request)
    }
    await expect(
      provider, fails: ["cancellation"],
      line: "cancellation: a search cancelled before it begins: expected an end within 3 s, "
        + "but it was still running then",
      samples: impatient)
  }

  @Test func ignoredDeadline() async {
    let provider = WrongProvider { request, inner in
      if request.deadline < .now { await sleepStubbornly(.seconds(600)) }
      return try await inner.search(request)
    }
    await expect(
      provider, fails: ["deadline-past"],
      line: "deadline-past: a search after its deadline: expected an end within 3 s, "
        + "but it was still running then",
      samples: impatient)
  }

  @Test func changingDeclaration() async {
    await expect(
      Changing(), fails: ["declaration-constant"],
      line: "declaration-constant: the provider: expected timeLimit to stay 1.0 seconds, "
        + "but it became 2.0 seconds")
  }

  @Test func wrongDeclaration() async {
    await expect(
      WrongProvider(saying: { $0.info.id = "My Shelf" }), fails: ["declaration"],
      line:
        "declaration: the provider: expected an id of lower-case letters, digits, -, _ and . that begins "
        + "with a letter or digit, but it is \"My Shelf\"")
  }

  @Test func detailsOfAKindThatIsNotSearched() async {
    await expect(
      WrongProvider(saying: { $0.detailedKinds.insert(.user) }), fails: ["declaration"],
      line: "declaration: the provider: expected details of kinds that it searches, but there is user")
  }

  @Test func foreignErrorForAPage() async {
    let provider = WrongProvider { request, inner in
      if isPlain(request, "http") { throw ForeignError() }
      return try await inner.search(request)
    }
    await expect(
      provider, fails: ["answers", "error-form"],
      line: "answers: repo \"http\" page 1: expected an answer, "
        + "but it failed with ForeignError: the index is gone")
  }

  @Test func foreignErrorForALateSearch() async {
    let provider = WrongProvider { request, inner in
      if request.deadline < .now { throw ForeignError() }
      return try await inner.search(request)
    }
    await expect(
      provider, fails: ["error-form"],
      line: "error-form: a search after its deadline: expected a SearchError, "
        + "but it failed with ForeignError: the index is gone")
  }

  @Test func foreignErrorForAnOddQuery() async {
    let provider = WrongProvider { request, inner in
      if request.query?.description.contains("\u{0}") == true { throw ForeignError() }
      return try await inner.search(request)
    }
    await expect(
      provider, fails: ["odd-queries"],
      line: "odd-queries: repo with control characters: expected an answer or a SearchError, "
        + "but it failed with ForeignError: the index is gone")
  }

  @Test func foreignErrorForAnOddCursor() async {
    let provider = WrongProvider { request, inner in
      if request.cursor == "-1" { throw ForeignError() }
      return try await inner.search(request)
    }
    await expect(
      provider, fails: ["odd-cursors"],
      line: "odd-cursors: the cursor \"-1\": expected an answer or a SearchError, "
        + "but it failed with ForeignError: the index is gone")
  }

  @Test func errorWithoutHint() async {
    let provider = WrongProvider { request, inner in
      if request.deadline < .now { throw SearchError(.serverError, "too late") }
      return try await inner.search(request)
    }
    await expect(
      provider, fails: ["error-form"],
      line: "error-form: a search after its deadline: expected an error with a hint, "
        + "but the one of server_error is empty")
  }

  @Test func stateBetweenCalls() async {
    await expect(
      Forgetful(), fails: ["cursor-repeatable", "concurrency"],
      line: "cursor-repeatable: repo \"parser\" page 2 requested again: expected the same items as before, "
        + "but item 1 is forge.example/acme/r10 instead of forge.example/acme/r5",
      make: { Forgetful() })
  }

  @Test func cursorsOfOneLife() async {
    await expect(
      Shelf.provider, fails: ["cursor-lasts"],
      line:
        "cursor-lasts: repo \"parser\" page 2 of a new instance: expected the same items as before, "
        + "but it failed with invalid_query: the session is over",
      make: {
        WrongProvider { request, inner in
          guard request.cursor == nil else {
            throw SearchError(.invalidQuery, "the session is over", hint: "begin again")
          }
          return try await inner.search(request)
        }
      })
  }

  @Test func racesUnderConcurrency() async throws {
    let report = await ProviderComplianceTests(provider: Racing(), samples: Shelf.samples).run()
    #expect(report.failedChecks == ["concurrency"], "\(report)")
    let line = try #require(report.failures.first?.description)
    #expect(line.contains("requested concurrently: expected the same items as before, but "))
  }

  @Test func detailsOfAnother() async {
    await expect(
      WrongProvider(know: { id, inner in inner.items.contains { $0.id == id.id } ? inner.items[0] : nil }),
      fails: ["details-entity"],
      line: "details-entity: details of forge.example/acme/r1: expected that entity, "
        + "but it is forge.example/acme/r0")
  }

  @Test func detailsThrowForTheUnknown() async {
    await expect(
      WrongProvider(know: { id, inner in
        if let item = inner.items.first(where: { $0.id == id.id }) { return item }
        throw SearchError(.notFound, "there is no \(id.name)", hint: "look at the spelling")
      }), fails: ["details-unknown"],
      line: "details-unknown: details of forge.example/forage-compliance-7c1d/no-such-repository-7c1d: "
        + "expected nothing, but it failed with not_found: there is no no-such-repository-7c1d")
  }

  @Test func requestsNotCounted() async {
    var samples = Shelf.samples
    samples.sendsRequests = true
    await expect(
      Shelf.provider, fails: ["requests-counted"],
      line: "requests-counted: repo \"parser\" page 1: expected 1 request or more, but 0 were counted",
      samples: samples)
    let counting = WrongProvider(
      show: { request, inner in
        RequestCounter.current?.add()
        return try await inner.feed(request)
      },
      answer: { request, inner in
        RequestCounter.current?.add()
        return try await inner.search(request)
      })
    let report = await ProviderComplianceTests(provider: counting, samples: samples).run()
    #expect(report.failures.isEmpty, "\(report)")
  }
}
