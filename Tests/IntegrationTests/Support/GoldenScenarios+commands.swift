import Foundation
import TestSupport

extension GoldenScenario {
  static let favorites = GoldenScenario(
    name: "favorites", setUp: { try await $0.addClones(["owner/http-client"]) },
    steps: [
      "favorite list", "search http --favorites",
      "favorite add owner/http-client other/http-client-kit 'github.com/o/r#3'",
      "favorite add owner/http-client", "favorite add no/such/folder", "favorite list",
      "favorite list --format json", "search http --favorites", "search http --favorites --format json",
      .terminal(["search http"]), "favorite remove owner/http-client", "favorite remove owner/http-client",
    ])

  private static func starred() -> FakeGitHub {
    GoldenWorld.service {
      $0.starred = ["third/http-empty", "owner/http-client"]
      $0.starredBy = ["http-ada": ["fourth/wide"]]
    }
  }

  static let stars = GoldenScenario(
    name: "stars", environment: GoldenWorld.token, service: starred,
    setUp: { try await $0.addClones(["owner/http-client", "me/own"]) },
    steps: [
      "stars", "stars --format json", "stars language:swift", "stars --sort stars --json title,stars",
      "stars --user http-ada", "feed", "feed --format json", "feed -p local", "feed --sample 2 --seed 3",
      "star other/http-client-kit", "stars --json title,starredAt", "unstar other/http-client-kit",
      "star no/body", "stars nothinglike",
    ])

  static let noToken = GoldenScenario(
    name: "stars-without-token", service: starred, setUp: { try await $0.addClones(["owner/http-client"]) },
    steps: [
      "star owner/http-client", "unstar owner/http-client", "stars", "stars --user http-ada", "feed",
      "feed -p github --format json", "search http -k code", "search http -k code -p github --format json",
    ])

  static let show = GoldenScenario(
    name: "show", environment: GoldenWorld.token,
    steps: [
      "show owner/http-client", "show owner/http-client --format json",
      "show owner/http-client --format markdown",
      "show third/http-empty", "show 'owner/http-client#1'", "show 'owner/http-client#1' --format json",
      "show 'owner/http-client#2'", "show owner/http-client@a1b2c3d4",
      "show owner/http-client@a1b2c3d4 --format json",
      "show @http-ada", "show @http-ada --format json", "show no/body", "show no/body --format json",
      "show 'owner/http-client#99'", "show @nobody",
      .terminal(["show owner/http-client", "show 'owner/http-client#1'", "show no/body"]),
      .change { $0.github.fail(.serverError, path: "/repos/other/http-client-kit") },
      "show other/http-client-kit", "show other/http-client-kit --format json",
    ])

  /// The address is printed where no browser can be started.
  static let browser = GoldenScenario(
    name: "browser",
    steps: [
      "search http -p github -w", "show owner/http-client -w", "show 'owner/http-client#1' -w",
      "search nothinglike -p local -w",
    ])

  /// The program `test` ends well with any one argument.
  static let opening = GoldenScenario(
    name: "browser-opens", environment: ["BROWSER": "/bin/test"],
    steps: ["search http -p github -w", "show owner/http-client -w"])
}
