import Foundation
import TestSupport

extension GoldenScenario {
  /// GitHub goes wrong, and a clone answers.
  static let failures =
    [
      failure("error", { GoldenWorld.service(failing: .serverError) }, more: [.terminal(["search http"])]),
      failure("hang", { GoldenWorld.service(failing: .hang) }, option: " --timeout 1"),
      failure("primary-limit", { GoldenWorld.service(failing: .primaryLimit(resetIn: 3600)) }),
      failure("secondary-limit", { GoldenWorld.service(failing: .secondaryLimit(retryAfter: 3600)) }),
      failure("no-token", { GoldenWorld.service { $0.requiredToken = "g00d" } }),
      failure(
        "refused-token", { GoldenWorld.service { $0.requiredToken = "g00d" } }, environment: GoldenWorld.token
      ),
      failure(
        "single-sign-on", { GoldenWorld.service { $0.singleSignOn = "partial-results; organizations=1,2" } },
        environment: GoldenWorld.token, more: [.terminal(["search http"])]),
      failure("web-page", { GoldenWorld.service(failing: .pageHTML) }),
      failure("incomplete", { GoldenWorld.service { $0.incompleteResults = true } }),
    ] + [knownLimit, twoForges]

  /// A scenario with the same commands for each failure.
  private static func failure(
    _ name: String, _ service: @escaping @Sendable () -> FakeGitHub, option: String = "",
    environment: [String: String] = [:], more: [Step] = []
  ) -> GoldenScenario {
    GoldenScenario(
      name: "failure-\(name)", environment: environment, service: service,
      setUp: { try await $0.addClones(["owner/http-client"]) },
      steps: [
        "search http\(option)", "search http\(option) -p github", "search http\(option) --strict",
        "search http\(option) -p github,local --format json", "search nothinglike\(option) --json title",
      ] + more)
  }

  /// The second command has heard of the limit from the first.
  private static let knownLimit = GoldenScenario(
    name: "failure-known-limit", service: { GoldenWorld.service(failing: .primaryLimit(resetIn: 3600)) },
    keepsCache: true, steps: ["search http -p github", "search http -p github --format json"])

  /// One of two forges fails.
  private static let twoForges = GoldenScenario(
    name: "failure-of-one-forge", service: { GoldenWorld.service(failing: .serverError) },
    others: [GoldenWorld.service().handler],
    setUp: { run in
      try run.program.home.writeConfig(
        "forage/config.yaml",
        "providers:\n  second: {type: github, url: \"\(run.servers[1].baseURL)/api/v3\"}\n")
    },
    steps: [
      "search http", "search http --strict", "search http -p github,second --format json",
      "search http -p second",
      "search nothinglike", .terminal(["search http"]),
    ])
}
