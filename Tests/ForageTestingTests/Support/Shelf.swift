import ForageCore
import ForageTesting

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The items, the provider and the samples of the tests.
enum Shelf {
  /// Twelve parsers, every third also about HTTP, and three repositories that no sample word finds.
  static let items: [SearchResult] = (0..<15).map { number in
    let isParser = number < 12
    var item = SearchResult(
      id: "forge.example/acme/r\(number)", forgeID: "forge.example:\(number)", kind: .repo,
      title: "acme/r\(number)", url: "https://forge.example/acme/r\(number)")
    item.set(.description, isParser ? (number % 3 == 0 ? "a parser of http" : "a parser") : "something")
    item.set(.owner, "acme")
    item.set(.name, "r\(number)")
    item.set(.fullName, "acme/r\(number)")
    item.set(.language, number % 2 == 0 ? "Swift" : "C++")
    item.set(.stars, number * 7 % 12)
    item.set(.topics, number % 4 == 0 ? ["parsing", "text"] : nil)
    item.set(.archived, number % 5 == 0)
    item.set(.createdAt, Date(timeIntervalSince1970: 1_700_000_000 + Double(number * 5 % 12) * 86_400))
    return item
  }

  /// A provider of the items that does everything right.
  static let provider = InMemoryProvider(id: "shelf", items: items, pageSize: 10, hosts: ["forge.example"])

  /// What is known about it.
  static let samples = samples(
    ["parser", "http"], ["language:swift", "stars:>4", "created:>=2023-11-20", "topic:text", "archived:true"])

  /// Samples with so much time that a machine that is busy with other tests makes no provider late.
  static func samples(_ words: [String], _ qualifiers: [String] = []) -> ProviderComplianceTests.Samples {
    .init(words: words, qualifiers: qualifiers, deadline: .seconds(120), grace: .seconds(60))
  }

  /// A provider of the same items with other abilities.
  static func provider(_ change: (inout Abilities) -> Void) -> InMemoryProvider {
    var kinds = provider.kinds
    if var abilities = kinds[.repo] {
      change(&abilities)
      kinds[.repo] = abilities
    }
    return InMemoryProvider(
      items, info: provider.info, kinds: kinds, detailedKinds: provider.detailedKinds)
  }
}

/// Whether a request is the start of the plain search for a word, which every run begins with.
func isPlain(_ request: SearchRequest, _ word: String) -> Bool {
  request.query == .term(QueryTerm(word)) && request.sort == nil
}
