import Forage
import ForageCore
import Foundation
import Testing

@testable import ForageCLI

/// Tables show what their list is sorted by.
struct ShownOrderTests {
  private func age(_ days: Double) -> FieldValue { .date(Capture.now.addingTimeInterval(-days * 86_400)) }

  private func item(_ name: String, kind: ResultKind = .repo, _ fields: [ResultField: FieldValue])
    -> MergedItem
  {
    var result = SearchResult(
      id: "example.org/o/\(name)", kind: kind, title: "o/\(name)", url: "https://example.org/o/\(name)")
    for (field, value) in fields { result[field] = value }
    return Self.merged(result)
  }

  private static func merged(_ result: SearchResult) -> MergedItem {
    ProviderRegistry([Source()]).preview([("forge", [result])], limit: 1)[0]
  }

  private struct Source: SearchProvider {
    let info = ProviderInfo(id: "forge", name: "Forge")
    let kinds: [ResultKind: Abilities] = [:]
    func search(_ request: SearchRequest) async throws -> SearchPage { SearchPage(items: []) }
  }

  /// The lines of the table.
  private func lines(
    _ items: [MergedItem], _ search: FederatedSearch, columns: Int = 100
  ) throws -> [String] {
    let capture = Capture()
    let report = SearchReport(FederatedResult(items: items, outcomes: []), of: search)
    try SearchRendering(
      report, nil, ListStyle(showsNumbers: false), output: capture.output(columns: columns)
    ).write()
    let lines = capture.results.split(separator: "\n").map(String.init)
    try #require(lines.count == 1 + items.count, "\(lines)")
    return lines
  }

  private func sorted(by key: String?) throws -> FederatedSearch {
    FederatedSearch(query: try QueryParser().parse("x"), sort: key)
  }

  private var repository: MergedItem {
    item(
      "a",
      [
        .stars: .number(5), .forks: .number(4321), .sizeKB: .number(2000), .updatedAt: age(3),
        .pushedAt: age(40),
        .createdAt: age(800), .starredAt: age(9),
      ])
  }

  @Test(
    arguments: [
      (nil, "UPDATED", "1mo ago"), ("updated", "UPDATED", "3d ago"), ("pushed", "PUSHED", "1mo ago"),
      ("created", "CREATED", "2y ago"), ("starred", "STARRED", "9d ago"), ("forks", "FORKS", "4.3k"),
      ("size", "SIZE", "2 MB"), ("stars", "STARS", "5"),
    ] as [(String?, String, String)])
  func repositories(key: String?, title: String, value: String) throws {
    // However narrow the terminal is.
    for columns in [40, 100] where key != nil || columns == 100 {
      let lines = try lines([repository], sorted(by: key), columns: columns)
      let header = lines[0].split(separator: " ").map(String.init)
      #expect(header.contains(title), "\(lines)")
      #expect(lines[1].contains(value), "\(lines)")
      // A time takes the place of the usual one.
      #expect(header.count { ["UPDATED", "PUSHED", "CREATED", "STARRED"].contains($0) } <= 1)
    }
  }

  /// The time that the query has a condition on is shown, unless the list is sorted by another one.
  @Test(
    arguments: [
      ("updated:>2020-01-01", nil, "UPDATED", "3d ago"), ("x -created:2020-01-01", nil, "CREATED", "2y ago"),
      ("created:>2020-01-01", "stars", "CREATED", "2y ago"), ("pushed:>2020-01-01", nil, "PUSHED", "1mo ago"),
      ("created:>2020-01-01", "updated", "UPDATED", "3d ago"), ("x", nil, "UPDATED", "1mo ago"),
    ] as [(String, String?, String, String)])
  func conditions(_ query: String, _ sort: String?, _ title: String, _ value: String) throws {
    let search = FederatedSearch(
      query: try QueryParser().parse(query), kinds: [.repo], limit: 3, sort: sort, order: .descending)
    let shown = try lines([repository], search, columns: 100)
    #expect(shown[0].contains(title) && shown[1].contains(value), "\(shown)")
    #expect(shown[0].contains("STARS"))
    let field = ShownOrder(search).time(of: [repository], in: KindRendering.repository.fields)?.field
    #expect(field?.name.uppercased() == (query == "x" ? nil : title))
  }

  @Test func issues() throws {
    let issue = item(
      "b", kind: .issue,
      [.comments: .number(7), .reactions: .number(12), .updatedAt: age(3), .createdAt: age(70)])
    #expect(try lines([issue], sorted(by: "interactions"))[1].contains("19"))
    #expect(try lines([issue], sorted(by: "reactions"))[0].contains("REACTIONS"))
    #expect(try lines([issue], sorted(by: "created"))[1].contains("2mo ago"))
    #expect(try lines([issue], sorted(by: "comments"), columns: 50)[0].contains("COMMENTS"))
  }

  /// A key for one sort of reactions is not their sum.
  @Test func oneSortOfReactions() throws {
    let hearts = item("c", kind: .issue, [.reactions: .number(12), "reactions-heart": .number(5)])
    let none = item("d", kind: .issue, [.reactions: .number(12)])
    let shown = try lines([hearts, none], sorted(by: "reactions-heart"))
    #expect(shown[0].contains("HEART") && shown[1].contains(" 5") && !shown[1].contains("12"))
    #expect(shown[2].contains(" 0") && !shown[2].contains("12"))
  }

  /// The title stays beside a long id and the count that the list is sorted by.
  @Test func theTitleOfAnIssueStays() throws {
    var result = SearchResult(
      id: "github.com/swift-server/async-http-client#1234", kind: .issue,
      title: "A crash in the pool when many connections are closed")
    result.set(.repository, "github.com/swift-server/async-http-client")
    result.set(.number, 1234)
    result.set(.comments, 7)
    let shown = try lines([Self.merged(result)], sorted(by: "comments"), columns: 60)
    #expect(shown[0].contains("TITLE") && shown[0].contains("COMMENTS"))
    #expect(shown[1].contains("#1234") && shown[1].contains("A crash in the pool"), "\(shown)")
  }

  /// The folder that a list is sorted by stays, with its last name.
  @Test(arguments: [60, 80])
  func theFolder(_ columns: Int) throws {
    let path = "/home/me/src/github.com/swift-server/async-http-client"
    let clone = item("async-http-client", [.path: .text(path), .stars: .number(1), .updatedAt: age(3)])
    let shown = try lines([clone], sorted(by: "path"), columns: columns)
    #expect(shown[0].contains("CLONE") && shown[1].hasSuffix("-http-client"), "\(shown)")
  }

  /// A terminal shows the home folder as every list of clones does; other columns are left alone.
  @Test func theHomeFolder() {
    let clone = item("a", [.path: .text("/home/me/src/a"), .description: .text("/home/me/x")])
    func shown(_ home: String?) -> String {
      KindRendering.repository.table([clone], width: 100, dates: .ages(Capture.now), home: home)
        .lines(width: 100, isColored: false)[1]
    }
    #expect(shown("/home/me").hasSuffix("  ~/src/a") && shown("/home/me").contains("/home/me/x"))
    #expect(shown(nil).hasSuffix("/home/me/src/a"))
  }

  /// In a feed of several providers each result shows the time that it has.
  @Test func aFeedOfSeveral() throws {
    let feed = FederatedSearch(feedOf: [.repo])
    let local = item("c", [.updatedAt: age(2), .pushedAt: age(2)])
    let both = try lines([repository, local], feed)
    #expect(both[0].contains("STARRED") && both[0].contains("UPDATED"))
    #expect(both[1].contains("9d ago") && both[2].contains("2d ago"))
    #expect(try !lines([local], feed)[0].contains("STARRED"))
    #expect(try !lines([repository], feed)[0].contains("UPDATED"))
  }

  /// Scripts depend on the number of fields; the time is that of the order.
  @Test func rowsForPrograms() throws {
    func rows(_ search: FederatedSearch, _ format: OutputFormat = .tsv) throws -> String {
      let capture = Capture()
      let report = SearchReport(FederatedResult(items: [repository], outcomes: []), of: search)
      try SearchRendering(report, nil, ListStyle(format: format), output: capture.output()).write()
      return capture.results
    }
    func fields(_ search: FederatedSearch) throws -> [Substring] {
      try rows(search).split(separator: "\t", omittingEmptySubsequences: false)
    }
    let (pushed, updated) = (try fields(sorted(by: nil)), try fields(sorted(by: "updated")))
    try #require(pushed.count == updated.count && pushed.count > 4)
    #expect(pushed[4] == "2025-11-22T00:00:00Z")
    #expect(updated[4] == "2025-12-29T00:00:00Z")
    #expect(try rows(sorted(by: "stars")) == rows(sorted(by: nil)))
    let feed = FederatedSearch(feedOf: [.repo])
    #expect(try fields(feed) == fields(sorted(by: "starred")))
    #expect(try fields(feed) != pushed)
    #expect(try rows(feed, .markdown).contains(" | Starred | "))
    let markdown = try rows(sorted(by: "created"), .markdown)
    #expect(markdown.contains(" | Created | "), "\(markdown)")
  }
}
