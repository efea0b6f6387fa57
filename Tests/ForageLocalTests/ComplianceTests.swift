import ForageCore
import ForageLocal
import ForageStore
import ForageTesting
import Foundation
import TestSupport
import Testing

/// The clones keep the contract that every provider keeps.
struct ComplianceTests {
  @Test func clonesComply() async throws {
    let workshop = try Workshop()
    // The clones need not be there for their names; commits are read from one that is.
    let repository = try await workshop.clone("history")
    for number in 0..<30 { try await repository.commit("parser \(number)") }
    _ = try await workshop.scan()
    let records = try (0..<40).map { number in
      try clone(
        "/src/parser-\(number)", number.isMultiple(of: 7) ? "owner/parser-7" : "owner/parser-\(number)",
        description: "A parser of number \(number)", language: ["Swift", "Rust", "C"][number % 3],
        license: number.isMultiple(of: 4) ? "MIT" : nil, at: "2024-0\(number % 9 + 1)-01",
        size: 1024 * (number + 1))
    }
    try workshop.store.record(folder: "/src", changed: records, gone: [], at: .now)
    let store = workshop.store
    let samples = ProviderComplianceTests.Samples(
      words: ["parser"], qualifiers: ["language:swift", "license:mit", "updated:>2024-03-01", "size:>10"])
    let report = await ProviderComplianceTests(
      provider: LocalProvider { store }, samples: samples, make: { LocalProvider { store } }
    ).run()
    #expect(report.failures.isEmpty, "\(report)")
  }
}
