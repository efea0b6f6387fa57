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
    let skipped = report.checks.filter { if case .notApplicable = $0.outcome { true } else { false } }
    #expect(skipped.map(\.id) == ["requests-counted", "reachable", "feed-undeclared"])
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
    #expect(lines.first == "passed  declaration           what the provider says of itself is well formed")
    #expect(
      lines.contains(
        "FAILED  url                   addresses are absolute, http or https, and hold no credentials"))
    #expect(
      lines.contains(
        "        url: repo \"parser\" page 1 item 2 (forge.example/acme/r1): expected a web address without credentials, "
          + "but it is \"ftp://␛[31m\""))
    #expect(
      lines.contains(
        "n/a     requests-counted      the requests of the provider are counted [the samples do not say that it sends requests]"
      ))
    #expect(report.failedChecks == ["url", "control-characters"])
    #expect(lines.last == "shelf: \(report.checks.count - 6) passed, 2 failed, 4 not applicable")
    #expect(!report.description.contains("\u{1B}"))
  }

  @Test func repeatedFindingsAreOmitted() async throws {
    let provider = WrongProvider.page { page, _ in
      for place in page.items.indices { page.items[place].title = " " }
    }
    let report = await ProviderComplianceTests(provider: provider, samples: Shelf.samples).run()
    let check = try #require(report.checks.first { $0.id == "title" })
    #expect(check.findings.count == 1 && check.omitted > 10)
    #expect(report.description.contains("\n        title: and \(check.omitted) more\n"))
  }

  /// A provider of which half of the items are thrown away is not complete; a rare odd one is no fault.
  @Test(arguments: [(1, true), (5, false)])
  func mostItemsMustBeReadable(_ lost: Int, _ isFine: Bool) async throws {
    let provider = WrongProvider.page { page, request in
      if request.cursor == nil { page.unreadable = request.pageSize == 5 ? lost - 1 : 0 }
      if !isFine { page.unreadable = page.items.count }
    }
    let report = await ProviderComplianceTests(provider: provider, samples: Shelf.samples).run()
    #expect(report.failedChecks.contains("readable") == !isFine, "\(report)")
    let finding = report.failures.first { $0.check == "readable" }
    #expect(isFine || finding?.found.contains("were left out") == true)
  }

  /// A declared qualifier without a sample is named.
  @Test func uncheckedQualifiersAreNamed() async {
    var samples = Shelf.samples
    samples.qualifiers = ["stars:>4"]
    let checked = await ProviderComplianceTests(provider: Shelf.provider, samples: samples).run()
    samples.qualifiers = []
    let unchecked = await ProviderComplianceTests(provider: Shelf.provider, samples: samples).run()
    #expect(unchecked.notes.contains { $0.contains("not checked") && $0.contains("stars:") })
    #expect(!checked.notes.contains { $0.contains("stars:") })
    #expect(unchecked.description.contains("\nnote    repo: not checked"))
  }

  @Test func samplesMustBeOfUse() async {
    var samples = Shelf.samples
    samples.words = ["nothing-has-this"]
    samples.qualifiers = ["stars:many", "parser"]
    let report = await ProviderComplianceTests(provider: Shelf.provider, samples: samples).run()
    #expect(report.failedChecks == ["samples"])
    #expect(
      report.failures.map(\.description) == [
        "samples: the sample stars:many: expected one qualifier such as stars:>10, "
          + "but stars: takes a whole number or a range of them, not \"many\"",
        "samples: the sample parser: expected one qualifier such as stars:>10, but it is none",
        "samples: the kind repo: expected items for one of the words nothing-has-this, but there are none",
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
    #expect(report.failedChecks == ["deadline"])
    #expect(
      report.failures.map(\.description) == [
        "deadline: repo \"parser\" page 1: expected an end within 20 ms, but it was still running after that"
      ])
    #expect(report.checks.first { $0.id == "deadline" }?.omitted == 1)
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
