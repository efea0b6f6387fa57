import ForageCore
import ForageTesting
import Testing

/// Providers that do not apply qualifiers as they say.
@Suite struct WrongConditionTests {
  /// A provider that leaves the qualifiers out of the query that it evaluates.
  private func ignoring(_ name: String) -> WrongProvider {
    WrongProvider { request, inner in
      var request = request
      request.query = QueryExpression.all(
        (request.query?.conjuncts ?? []).filter { condition in
          !condition.leaves.contains { leaf in
            if case .qualifier(let qualifier) = leaf.expression { qualifier.name == name } else { false }
          }
        })
      return try await inner.search(request)
    }
  }

  @Test func exactQualifierIgnored() async {
    await expect(
      ignoring("stars"), fails: ["exact-qualifiers"],
      line: "exact-qualifiers: repo \"parser stars:>4\" page 1 item 1 (forge.example/acme/r0): "
        + "expected stars:>4 to hold, but stars is 0",
      samples: Shelf.samples(["parser", "http"], ["stars:>4"]))
  }

  @Test func whatIsTakenBackIsNotHeldAgainstIt() async {
    let ignoring = ignoring("stars")
    let honest = WrongProvider { request, _ in
      var page = try await ignoring.search(request)
      if request.query?.description.contains("stars:") == true { page.unapplied = ["stars"] }
      return page
    }
    let report = await ProviderComplianceTests(
      provider: honest, samples: Shelf.samples(["parser", "http"], ["stars:>4"])
    ).run()
    #expect(report.failures.isEmpty, "\(report)")
  }

  @Test func itemsLost() async {
    let provider = WrongProvider.page { page, request in
      guard request.query?.description.contains("topic:") == true, page.items.count > 1 else { return }
      page.items.removeAll { $0.id == "forge.example/acme/r4" }
      page.total = nil
    }
    await expect(
      provider, fails: ["qualifiers-complete"],
      line: "qualifiers-complete: repo \"parser topic:text\": expected every item that fulfils topic:text, "
        + "but forge.example/acme/r4 is missing",
      samples: Shelf.samples(["parser", "http"], ["topic:text"]))
  }

  @Test func alternativesIgnored() async {
    let provider = WrongProvider { request, inner in
      var request = request
      if request.query?.hasDisjunction == true { request.query = .term(QueryTerm("parser")) }
      return try await inner.search(request)
    }
    await expect(
      provider, fails: ["exact-qualifiers"],
      line:
        "exact-qualifiers: repo \"parser (topic:text OR stars:0)\" page 1 item 2 (forge.example/acme/r1): "
        + "expected topic:text OR stars:0 to hold, but stars is 7 and it has no topics",
      samples: Shelf.samples(["parser"], ["topic:text", "stars:0"]))
  }
}
