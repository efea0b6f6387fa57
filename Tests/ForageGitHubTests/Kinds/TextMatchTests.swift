import ForageCore
import Foundation
import TestSupport
import Testing

@testable import ForageGitHub

/// Where the words of a query stand in a piece of a file, whatever the API counts in.
@Suite struct TextMatchTests {
  /// A text with what takes one, two, three and four bytes.
  private static let fragment = "é🧑‍🚀 日本 naïve naïve \t𝛑r²"

  @Test(arguments: ["scalars", "UTF-16", "UTF-8"])
  func everyUnit(unit: String) {
    let scalars = Array(Self.fragment.unicodeScalars)
    func offset(_ index: Int) -> Int {
      scalars[..<index].reduce(0) { sum, scalar in
        sum + (unit == "scalars" ? 1 : unit == "UTF-16" ? UTF16.width(scalar) : UTF8.width(scalar))
      }
    }
    let places = [5..<7, 8..<13, 14..<19, 21..<24]
    let told = places.map { place in
      var text = String.UnicodeScalarView()
      text.append(contentsOf: scalars[place])
      return TextMatch.ReportedMatch(
        text: String(text), range: offset(place.lowerBound)..<offset(place.upperBound))
    }
    #expect(TextMatch.places(told, in: Self.fragment) == places)
  }

  @Test func nonsenseIsLeftOut() {
    let told = [
      TextMatch.ReportedMatch(text: "b", range: 1..<2), TextMatch.ReportedMatch(text: "x", range: 0..<1),
      TextMatch.ReportedMatch(text: nil, range: 2..<3), TextMatch.ReportedMatch(text: "c", range: 2..<99),
    ]
    #expect(TextMatch.places(told, in: "abc") == [1..<2, 2..<3])
    #expect(TextMatch.places([], in: "abc") == [])
  }

  @Test(arguments: [
    #"{"fragment":"a for b","matches":[{"text":"for","indices":[2,5]}]}"#,
    #"{"fragment":"a for b","property":"content","matches":[{"text":"for","indices":[2,5]},{"text":"a","indices":[1]},{"indices":[5,2]},{"indices":[-1,2]},null,7]}"#,
    #"{"fragment":"a for b","matches":[{"text":"for","indices":[2,5],"more":{}}],"object_type":null}"#,
  ])
  func lenient(json: String) throws {
    let match = try #require(TextMatch(try JSONTree(json: json)))
    #expect(
      match.value
        == .record(["text": .text("a for b"), "matches": .items([.items([.number(2), .number(5)])])]))
  }

  @Test(arguments: [#"{}"#, #"{"fragment":""}"#, #"{"fragment":null}"#, #"{"fragment":3}"#])
  func nothing(json: String) throws {
    #expect(TextMatch(try JSONTree(json: json)) == nil)
  }

  /// Pieces of paths are not shown twice, and those without any place are kept.
  @Test func piecesOfAFile() throws {
    let json = #"""
      {"path":"a","html_url":"https://github.com/o/n/blob/x/a","text_matches":[
        {"property":"path","fragment":"a","matches":[{"text":"a","indices":[0,1]}]},
        {"property":"content","fragment":"no place"},null,{"fragment":["x"]}]}
      """#
    let found = GitHubKind.code.item(try JSONTree(json: json), "h")
    #expect(
      found?[.fragments] == .items([.record(["text": .text("no place"), "matches": .items([])])]))
  }

  /// A file with as many pieces as GitHub shows can have more; who wants more than usual is told.
  @Test(arguments: [(1, 20), (2, 5), (2, 20)])
  func filesWithMorePieces(pieces: Int, limit: Int) async throws {
    let github = FakeGitHub(repositories: [FakeRepository(id: 1, fullName: "o/n")]) {
      $0.files = ["a", "b"].map { name in
        FakeFile(
          repository: "o/n", path: name,
          content: (0..<pieces).map { "needle \($0)\n" }.joined())
      }
    }
    try await withFake(github, token: "t0ken") { provider, _ in
      var request = try searchRequest("needle", kind: .code)
      request.matches.limit = limit
      let page = try await provider.search(request)
      #expect(page.items.map { $0[.fragments]?.elements.count } == [pieces, pieces])
      #expect(page.items.map { $0[.truncated] } == (pieces == 2 ? [.flag(true), .flag(true)] : [nil, nil]))
      #expect(page.notes.map(\.code) == (pieces == 2 && limit == 20 ? [.fragmentsOnly] : []))
      #expect(page.notes.allSatisfy { !$0.isMissing })
    }
  }
}
