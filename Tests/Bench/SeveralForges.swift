import Foundation
import TestSupport

/// The row about one list of issues over several forges.
enum SeveralForges {
  private static let ids = ["one", "two", "three", "four"]
  /// Milliseconds until each server answers, as one in another country does.
  private static let delay = 100
  /// Issues that each forge has.
  private static let count = 30

  /// Prints how long one search over all of them takes, as a share of what a search of each takes, one after
  /// the other.
  static func row(_ forage: String) async {
    let title =
      "search -k issue, \(ids.count) servers that answer after \(delay) ms, against one after the other"
    do {
      let home = try IsolatedHome()
      defer { home.directory.remove() }
      let times = try await withServers(ids.map { handler($0) }) { servers in
        let lines = zip(ids, servers).map { id, server in
          "  \(id): {type: github, url: \"\(server.baseURL)/api/v3\"}\n"
        }
        try home.writeConfig(
          "forage/config.yaml", "providers:\n  github: {enabled: false}\n" + lines.joined())
        let environment = home.environment(adding: ["PATH": home.directory.path("no-programs")])
        func seconds(_ providers: [String]) async throws -> Double {
          let command = Command(
            executable: forage,
            arguments: ["search", "match", "-k", "issue", "--no-cache", "--format", "ndjson"]
              + providers.flatMap { ["-p", $0] },
            environment: environment)
          let start = ContinuousClock.now
          let captured = try await command.capturedElsewhere()
          let duration = ContinuousClock.now - start
          // The last line is the summary.
          guard captured.text.split(separator: "\n").count > count else {
            throw BenchError("a forge's issues are missing")
          }
          return duration / .seconds(1)
        }
        var times: [(all: Double, each: Double)] = []
        for _ in 0...Report.runs {
          let all = try await seconds(ids)
          var each = 0.0
          for id in ids { each += try await seconds([id]) }
          times.append((all, each))
        }
        return times.dropFirst()
      }
      func text(_ values: [Double]) -> String { Report.milliseconds(Spread(values.map { $0 * 1000 })) }
      let ratio = Spread(times.map { $0.all / $0.each })
      Report.lines(
        title + "  (\(Report.runs) pairs: median, lowest to highest)",
        [
          "all \(text(times.map(\.all)))   each \(text(times.map(\.each)))   ratio "
            + "\(Report.number(ratio.median, 3)) (\(Report.number(ratio.low, 3)) to \(Report.number(ratio.high, 3)))"
        ])
    } catch {
      Report.missed(title, error)
    }
  }

  private static func handler(_ id: String) -> LoopbackServer.Handler {
    let repository = "\(id)/match"
    let service = FakeGitHub(repositories: [FakeRepository(id: 1, fullName: repository)]) { options in
      options.limits = .absent
      options.issues = (1...count).map {
        FakeIssue(repository: repository, number: $0, title: "match \($0)")
      }
    }
    return { service.respond(to: $0).delayed(milliseconds: delay) }
  }
}
