import Testing

@testable import ForageCLI
@testable import ForageCore

/// What is told beside a list when a provider was asked for several kinds.
struct NotesTests {
  private func told(_ outcomes: [ProviderOutcome]) -> String {
    let capture = Capture()
    SearchRendering(
      result: FederatedResult(items: [], outcomes: outcomes), query: "x", explains: false, next: nil,
      output: capture.output(columns: nil)
    ).writeNotes()
    return capture.messages
  }

  private func outcome(_ kind: ResultKind, _ state: ProviderOutcome.State, _ message: String? = nil)
    -> ProviderOutcome
  {
    var outcome = ProviderOutcome(id: "github", name: "GitHub", kind: kind, state: state)
    outcome.error = message.map { SearchError(.unreachable, $0, hint: "do") }
    return outcome
  }

  private let end = "forage: no provider answered\nhint: see above, or run forage doctor\n"

  @Test func whatFailsForAllKindsIsToldOnce() {
    let down = "GitHub could not be reached"
    #expect(
      told([outcome(.repo, .failed, down), outcome(.issue, .failed, down)])
        == "forage: github: \(down)\nhint: do\n" + end)
  }

  @Test func kindsWithStoriesOfTheirOwnAreNamed() {
    #expect(
      told([outcome(.repo, .ok), outcome(.code, .unauthorized, "a token is needed")]).hasPrefix(
        "forage: github (code): a token is needed\nhint: do\n"))
    #expect(
      told([outcome(.repo, .timeout, "late"), outcome(.code, .unauthorized, "a token is needed")])
        == "forage: github (repo): late\nhint: do\nforage: github (code): a token is needed\nhint: do\n" + end
    )
  }

  @Test func oneKindNeedsNoName() {
    #expect(told([outcome(.issue, .failed, "down")]) == "forage: github: down\nhint: do\n" + end)
  }
}
