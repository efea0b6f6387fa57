import ForageCore
import ForageTesting
import Testing

@Suite struct ComplianceTests {
  @Test func theModelComplies() async {
    let report = await ProviderComplianceTests(
      provider: Shelf.provider, samples: Shelf.samples, make: { Shelf.provider }
    ).run()
    #expect(report.failures.isEmpty, "\(report)")
    #expect(report.checks.map(\.id) == ProviderComplianceTests.checks.map(\.id))
    #expect(report.checks.allSatisfy { $0.outcome == .passed }, "\(report)")
    #expect(report.description.hasSuffix("\nshelf: 12 checks passed"))
  }

  @Test func theModelCompliesWithAnyAbilities() async {
    let providers = [
      Shelf.provider { $0.reachable = 7 },
      Shelf.provider { $0.qualifiers = ["language": .inexact, "stars": .inexact, "in": .inexact] },
      Shelf.provider {
        $0.booleans = false
        $0.needsText = true
        $0.maximumPageSize = 3
        $0.sorts = []
      },
      InMemoryProvider(id: "plain", items: Shelf.items),
    ]
    for provider in providers {
      let report = await ProviderComplianceTests(provider: provider, samples: Shelf.samples).run()
      #expect(report.failures.isEmpty, "\(report)")
    }
  }

  @Test func checksHaveDifferentNamesInKebabCase() {
    let ids = ProviderComplianceTests.checks.map(\.id)
    #expect(Set(ids).count == ids.count)
    #expect(ids.allSatisfy { id in id.allSatisfy { $0.isLowercase || $0 == "-" } })
    #expect(ProviderComplianceTests.checks.allSatisfy { !$0.summary.isEmpty })
  }

  @Test func theReportIsATable() async {
    let provider = WrongProvider.item { $0.url = "ftp://\u{1B}[31m" }
    let report = await ProviderComplianceTests(provider: provider, samples: Shelf.samples).run()
    let lines = report.description.split(separator: "\n")
    #expect(
      lines.first
        == "passed  declaration   the declaration is well formed, and the items have only what it names")
    #expect(
      lines.contains(
        "FAILED  ids           every item has an id and a title, and its address is a web address"))
    #expect(
      lines.contains(
        "        repo \"parser\" page 1 item 2 (forge.example/acme/r1): its address is not a web address: \"ftp://␛[31m\""
      ), "\(report)")
    #expect(
      lines.contains(
        "n/a     restart       a cursor is still valid after a restart [the run cannot create a new instance]"
      ))
    #expect(lines.last == "shelf: 10 checks passed, 1 failed, 1 not applicable")
    #expect(report.failedChecks == ["ids"])
    #expect(!report.description.contains("\u{1B}"))
  }

  @Test func repeatedFindingsAreOmitted() async throws {
    let provider = WrongProvider.page { page, _ in
      for place in page.items.indices { page.items[place].title = " " }
    }
    let report = await ProviderComplianceTests(provider: provider, samples: Shelf.samples).run()
    let check = try #require(report.checks.first { $0.id == "ids" })
    #expect(check.findings.count == 1 && check.omitted > 10)
    #expect(report.description.contains("\n        and \(check.omitted) more\n"))
  }

  /// A declared qualifier without a sample is tried with a value of the results, and named if they have none.
  @Test func qualifiersWithoutSamples() async {
    var samples = Shelf.samples
    samples.qualifiers = []
    var provider = Shelf.provider
    let found = await ProviderComplianceTests(provider: provider, samples: samples).run()
    #expect(found.failures.isEmpty && !found.notes.contains { $0.contains("stars:") }, "\(found)")
    for place in provider.items.indices { provider.items[place][.stars] = nil }
    let unknown = await ProviderComplianceTests(provider: provider, samples: samples).run()
    #expect(unknown.notes.contains { $0.contains("not checked") && $0.contains("stars:") })
    #expect(unknown.description.contains("\nnote    repo: not checked"))
  }

  @Test func samplesMustBeOfUse() async {
    var samples = Shelf.samples
    samples.words = ["nothing-has-this"]
    samples.qualifiers = ["stars:many", "parser"]
    let report = await ProviderComplianceTests(provider: Shelf.provider, samples: samples).run()
    #expect(
      report.failures.map(\.description) == [
        "answers: the sample stars:many: stars: takes a whole number or a range of them, not \"many\"",
        "answers: the sample parser: it is not a qualifier such as stars:>10",
        "answers: the kind repo: there are no results for any of the words nothing-has-this",
      ])
  }

  @Test func aHangingProviderIsLeftBehind() async {
    let provider = WrongProvider { _, _ in
      await sleepStubbornly(.seconds(600))
      return SearchPage(items: [])
    }
    var samples = Shelf.samples
    samples.deadline = .milliseconds(20)
    samples.grace = .milliseconds(20)
    let report = await ProviderComplianceTests(provider: provider, samples: samples).run()
    #expect(
      report.failures.map(\.description) == ["answers: repo \"parser\" page 1: no answer within 20 ms"],
      "\(report)")
    #expect(report.checks.first { $0.id == "answers" }?.omitted == 1)
  }

  @Test func aCancelledRunEnds() async {
    let task = Task {
      await ProviderComplianceTests(provider: Shelf.provider, samples: Shelf.samples).run()
    }
    task.cancel()
    let report = await task.value
    #expect(report.checks.count == ProviderComplianceTests.checks.count)
  }
}
