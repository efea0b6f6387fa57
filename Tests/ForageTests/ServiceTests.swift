import ForageCore
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import ForageSetup

/// The small services that hold what changes in a run.
struct ServiceTests {
  @Test func aServiceIsMadeOnce() async {
    let count = Mutex(0)
    let service = Once { () throws(Never) in
      count.withLock { count in
        count += 1
        return count
      }
    }
    #expect(service.made == nil)
    await withTaskGroup(of: Int.self) { group in
      for _ in 1...50 { group.addTask { service.get() } }
      for await value in group { #expect(value == 1) }
    }
    #expect(service.made == 1)
  }

  @Test func aServiceThatCannotBeMadeSaysSoEachTime() {
    let service = Once<Int, SearchError> { () throws(SearchError) in throw SearchError(.other, "no") }
    for _ in 1...2 { #expect(throws: SearchError.self) { try service.get() } }
    #expect(service.made == nil)
  }

  /// What one task of a program learns of servers, the next one knows.
  @Test func tasksShareWhatIsKnown() async throws {
    try await withIsolatedHome { home in
      let forage = Forage(ForageSetup(environment: home.environment(adding: [:])), reportingTo: Reporter())
      let next = forage.renewed(reportingTo: Reporter())
      #expect(next.network.budgets === forage.network.budgets)
      await forage.close()
    }
  }

  @Test func requestsAreCountedDown() async throws {
    let allowance = RequestAllowance(20)
    let refused = await withTaskGroup(of: Bool.self) { group in
      for _ in 1...50 { group.addTask { (try? allowance.take()) == nil } }
      return await group.reduce(into: 0) { count, isRefused in count += isRefused ? 1 : 0 }
    }
    #expect(refused == 30)
    #expect(throws: SearchError.self) { try allowance.take() }
  }

  /// Secrets of settings and tokens are kept from programs that need none.
  @Test func theEnvironmentOfOtherPrograms() async throws {
    try await withIsolatedHome { home in
      try home.writeConfig(
        "forage/config.yaml",
        "providers:\n  work: {type: github, url: https://git.example, secrets: {token: {env: WORK}}}\n")
      let environment = home.environment(adding: ["GH_TOKEN": "a", "WORK": "b", "OTHER": "c"])
      let forage = Forage(ForageSetup(environment: environment), reportingTo: Reporter())
      let others = forage.environmentWithoutTokens
      #expect(others["OTHER"] == "c" && others["GH_TOKEN"] == nil && others["WORK"] == nil)
      #expect(Set(await forage.credentials.knownSecrets()).isSuperset(of: ["a"]))
      await forage.close()
    }
  }
}
