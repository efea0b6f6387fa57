import ForageCore
import Foundation

/// Invented results, the same in every run.
enum Sample {
  /// A query that every list answers.
  static let query = Query(root: .term(QueryTerm("name")))

  private static let languages = ["Swift", "Rust", "Go", "C++", "Python", "TypeScript", "Haskell"]
  private static let subjects = ["message queue", "parser", "event loop", "image codec", "package manager"]
  private static let qualities = ["fast", "small", "portable", "well tested", "experimental", "minimal"]

  /// What a provider delivers, with the usual fields.
  static func repository(_ number: Int) -> SearchResult {
    let (owner, name) = ("owner\(number % 977)", "name\(number)")
    let subject = subjects[number % subjects.count]
    let id = "github.com/\(owner)/\(name)"
    var result = SearchResult(
      id: id, forgeID: "github.com:\(number)", kind: .repo, title: "\(owner)/\(name)", url: "https://\(id)")
    let quality = qualities[number % qualities.count]
    result.set(.description, "A \(quality) \(subject) for servers, number \(number)")
    result.set(.host, "github.com")
    result.set(.owner, owner)
    result.set(.name, name)
    result.set(.language, languages[number % languages.count])
    result.set(.topics, [subject.replacingOccurrences(of: " ", with: "-"), "server", "library"])
    result.set(.license, "MIT")
    // A prime stride, so that neighbours differ.
    result.set(.stars, number * 7919 % 30_000)
    result.set(.forks, number * 104_729 % 5000)
    result.set(.archived, number % 11 == 0)
    result.set(.fork, false)
    result.set(.pushedAt, Date(timeIntervalSince1970: firstPush + Double(number % pushDays) * 86_400))
    return result
  }

  /// 2018-01-01 and eight years of days.
  private static let firstPush = 1_514_764_800.0
  private static let pushDays = 2922

  /// Lists that share entities: no list has one twice, and what several have is the same in each.
  ///
  /// - Parameters:
  ///   - length: How many each list has.
  ///   - entities: How many different ones there are at most; no multiple of 7 and no fewer than `length`.
  static func lists(_ count: Int, length: Int, entities: Int) -> [[SearchResult]] {
    (0..<count).map { list in
      (0..<length).map { rank in
        let number = (rank * 7 + list * 131) % entities
        let title = "owner/name\(number)"
        var result = SearchResult(id: "github.com/\(title)", kind: .repo, title: title)
        result.set(.stars, number)
        return result
      }
    }
  }
}

/// A provider that has its answer at hand.
struct FixedProvider: SearchProvider {
  let info: ProviderInfo
  let kinds: [ResultKind: Abilities]
  let items: [SearchResult]

  /// - Parameter sorts: The keys by which the items are sorted already.
  init(id: String, items: [SearchResult], sorts: [String] = []) {
    self.items = items
    info = ProviderInfo(id: id)
    kinds = [.repo: Abilities(fields: [], sorts: sorts, maximumPageSize: max(1, items.count))]
  }

  func search(_ request: SearchRequest) async throws -> SearchPage { SearchPage(items: items) }
}
