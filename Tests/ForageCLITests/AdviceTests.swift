import Forage
import ForageCore
import Foundation
import TestSupport
import Testing

@testable import ForageCLI

/// What the program says to do about the errors of providers, which do not know its options.
struct AdviceTests {
  @Test(arguments: [
    (SearchError(.timeout, "m"), "allow more time with --timeout SECONDS"),
    (SearchError(.timeout, "m", hint: "own"), "own"),
    (SearchError(.invalidCursor, "m"), "search again"),
    (SearchError(.offline, "m"), "run without --offline to contact it"),
    (SearchError(.unsupportedQuery, "m", hint: "supported kinds: code"), "supported kinds: code"),
    (SearchError(.unreachable, "m", hint: "check it"), "check it"),
    (
      SearchError(.rateLimited, "m", hint: "try again in 7 s", retryAfterMilliseconds: 7000),
      "try again in 7 s, or wait with --timeout 17"
    ),
    (SearchError(.rateLimited, "m", hint: "later", retryAfterMilliseconds: 1_200_000), "later"),
    (SearchError(.rateLimited, "m", hint: "later"), "later"),
    (
      SearchError(.configuration, "m", hint: "review it, then trust it", subject: "acme"),
      "review it, then run: forage plugin trust acme"
    ), (SearchError(.configuration, "m", hint: "correct it"), "correct it"),
    (SearchError(.requestLimit, "m"), "start again with a larger --max-requests"),
    (SearchError("of_a_plugin", "m"), "add --verbose to see its requests"),
  ])
  func ofAnError(_ error: SearchError, _ expected: String) { #expect(error.advice == expected) }

  @Test func ofAnOutcome() {
    var outcome = ProviderOutcome(id: "github", name: "GitHub", kind: .repo, state: .unsupported)
    outcome.error = SearchError(.unsupportedQuery, "state: is not supported")
    #expect(outcome.advice == "change the query, or choose other providers with --provider")
    outcome.lacksKind = true
    #expect(outcome.advice == "search it with: forage search -p github QUERY")
    outcome.lacksKind = false
    outcome.otherKinds = [.issue, .code]
    #expect(outcome.advice == "leave it out, or use -k issue,code")
    outcome = ProviderOutcome(id: "local", name: "Clones", kind: .repo, state: .skipped)
    outcome.error = SearchError(.nothingToAsk, "there are no clones", hint: "add the folders")
    #expect(outcome.advice == "add them with: forage clones add DIR")
    outcome.error = nil
    outcome.state = .ok
    #expect(outcome.advice == "")
  }

  @Test(arguments: [
    (Note(.requestsExceeded, "m"), "allow more with --max-requests"),
    (Note(.requestsExceeded, "m", hint: "about 12"), "allow more with --max-requests (about 12)"),
    (Note(.sortApproximate, "m", hint: "choose another"), "choose another, with --provider"),
    (Note(.stale, "m"), ""), (Note(.stale, "m", hint: "later"), Remedy.askAgain.advice),
    (Note(.invalidResponse, "m"), Remedy.traceRequests.advice),
    (Note(.outOfReach, "m", hint: "narrow it"), "narrow it"),
  ])
  func ofANote(_ note: Note, _ expected: String) { #expect(note.advice == expected) }

  @Test func elsewhere() {
    let star = SearchError(.connectionLost, "m", hint: "check your stars", subject: "a/b")
    #expect(star.adviceForStar == "check with: forage stars repo:a/b; the command can be repeated safely")
    #expect(SearchError(.forbidden, "m", hint: "rights").adviceForStar == "rights")
    let limit = SearchError(.rateLimited, "m", hint: "try again in 7 s", retryAfterMilliseconds: 7000)
    #expect(limit.hintOutsideSearch == "try again in 7 s")
  }

  /// Only a search can be limited to clones.
  @Test func ofAValidation() async throws {
    try await withIsolatedHome { home in
      let manifest = try home.directory.writeShop("shop.yaml", at: "\(nobody)/find")
      let outcome = await forage(["plugin", "validate", manifest.path], in: variables(home))
      #expect(outcome.out.contains("the description is valid") && outcome.err.contains("was not tested"))
      #expect(!outcome.err.contains("only clones"), "\(outcome.err)")
    }
  }

  /// An incomplete installation is named with the places that were searched.
  @Test func withoutBundledManifests() async throws {
    let outcome = try await forage(["providers", "enable", "gitlab"])
    let first = try #require(outcome.err.split(separator: "\n").first)
    #expect(outcome.status == .usage)
    #expect(
      first.contains("there is no provider \"gitlab\": no bundled manifests were found in /"), "\(first)")
    #expect(first.contains("/share/forage/providers, "), "\(first)")
  }
}
