import Forage
import ForageCore
import ForagePluginProtocol
import Foundation
import TestSupport
import Testing

@testable import ForageCLI
@testable import ForageGitHub

/// Any number in an answer, down to what is printed: nothing traps, and the other items are there.
struct HostileNumberTests {
  private static let other = SearchResult(
    id: "github.com/acme/größe", kind: .repo, title: "acme/größe", url: "https://github.com/acme/größe")

  /// Prints items in each form, and what else a list does with them.
  private func print(_ items: [SearchResult], _ text: String) async throws {
    // A list of files is shown with their lines where it has nothing else.
    var other = Self.other
    other.kind = items.first?.kind ?? .repo
    let list = [other] + items
    let shown = try await KindListTests.written(list, contextLines: 2)
    #expect(shown.contains("größe"), "\(text)")
    for format in [OutputFormat.tsv, .json, .markdown] {
      #expect(try await KindListTests.written(list, format).contains("größe"), "\(format) \(text)")
    }
    let files = items.filter { $0.kind == .code }.map { item in
      var file = item
      file.set(.file, "/größe/a.c")
      return file
    }
    _ = try await KindListTests.written(files, .tsv, isForEditors: true)
    let kept = LastList(
      command: "search", arguments: [], hasMore: false, items: list, knownUntil: .distantPast)
    #expect(LastList(kept.encoded)?.items.count == list.count, "\(text)")
    for item in items + files { _ = (item.pageAddress, item.fileLocation?.withEditorColumn, item.sizeBytes) }
  }

  private static let items = [
    #"""
    {"id":"1","kind":"code","url":"https://a.example/1","title":"größe.c","fields":{"path":"größe.c",
    "matchCount":7,"line":2,"column":5,"matches":[{"line":2,"column":5,"text":"let a = 1",
    "ranges":[[4,5],[6,7]],"before":["x","w"],"after":["y","z"]},{"line":1,"column":1,"text":"let b",
    "ranges":[[0,3]],"before":["y"],"after":["x"]}]}}
    """#,
    #"""
    {"id":"2","kind":"code","url":"https://a.example/2","title":"größe.c","fields":{"path":"größe.c",
    "fragments":[{"text":"let a\nlet b\nlet c","line":9,"matches":[[4,5],[10,11]]}]}}
    """#,
    #"""
    {"id":"3","kind":"repo","url":"https://a.example/o/n","title":"o/n","fields":{"stars":3,"forks":4,
    "sizeKB":5,"comments":6,"reactions":7,"share":0.5,"languages":[{"name":"C","bytes":8,"share":0.25}],
    "latestRelease":{"tag":"v1","downloads":9}}}
    """#,
  ]

  @Test(arguments: items) func itemsOfAPlugin(_ item: String) async throws {
    let reader = ItemReader(ProviderInfo(id: "acme"))
    for text in HostileNumbers.variants(of: item) {
      let batch = ItemBatch([try JSONTree(parsing: text.utf8)])
      try await print(batch.items.compactMap { reader.result($0) }, text)
    }
  }

  private static let answers: [(ResultKind, String)] = [
    (
      .repo,
      #"""
      {"total_count":40,"items":[{"id":1,"name":"n","full_name":"o/n","html_url":"https://github.com/o/n",
      "stargazers_count":5,"forks_count":6,"watchers_count":7,"open_issues_count":8,"size":9,"score":1.0}]}
      """#
    ),
    (
      .issue,
      #"""
      {"total_count":40,"items":[{"id":1,"number":2,"title":"t","html_url":"https://github.com/o/n/issues/2",
      "repository_url":"https://api.github.com/repos/o/n","comments":3,"reactions":{"total_count":4,"+1":5}}]}
      """#
    ),
    (
      .code,
      #"""
      {"total_count":40,"items":[{"name":"a.c","path":"a.c","html_url":"https://github.com/o/n/blob/main/a.c",
      "repository":{"id":1,"name":"n","full_name":"o/n","html_url":"https://github.com/o/n"},"text_matches":[
      {"property":"content","fragment":"let a","matches":[{"text":"a","indices":[4,5]}]}]}]}
      """#
    ),
    (
      .user,
      #"""
      {"total_count":40,"items":[{"id":1,"login":"ada","html_url":"https://github.com/ada","followers":2,
      "public_repos":3}]}
      """#
    ),
  ]

  @Test(arguments: answers) func answersOfGitHub(_ kind: ResultKind, _ answer: String) async throws {
    let reader = try #require(GitHubKind.all.first { $0.kind == kind })
    for text in HostileNumbers.variants(of: answer) {
      let found = SearchResponse(
        try JSONTree(parsing: text.utf8), host: "github.com", reader, keepsAnswers: true, report: { _ in })
      try await print((found?.items ?? []).compactMap(\.self), text)
    }
  }
}
