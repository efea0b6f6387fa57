import Foundation
import Synchronization
import TestSupport

@testable import ForageCLI

/// Collects what a command writes, and stands in for a terminal or a pipe.
final class Capture: Sendable {
  private struct Texts {
    var results = ""
    var messages = ""
  }

  /// 2026-01-01 00:00:00 UTC, from which relative times count.
  static let now = Date(timeIntervalSince1970: 1_767_225_600)

  private let texts = Mutex(Texts())

  /// What went to standard output.
  var results: String { texts.withLock { $0.results } }
  /// What went to standard error.
  var messages: String { texts.withLock { $0.messages } }

  /// An output that ends here.
  ///
  /// - Parameters:
  ///   - columns: The terminal's width; nil: results go to a pipe.
  ///   - color: Whether results and messages are coloured.
  ///   - terminal: The name of the terminal and its session, by which the last list is kept.
  func output(
    columns: Int? = nil, color: Bool = false, terminal: String? = nil, canMoveCursor: Bool = true
  ) -> Output {
    var output = Output(
      writeResult: { text in self.texts.withLock { $0.results += text } },
      writeMessage: { text in self.texts.withLock { $0.messages += text } },
      isTerminal: columns != nil, isMessageTerminal: false, columns: columns ?? 80, hasColor: color,
      hasMessageColor: color, canMoveCursor: canMoveCursor, now: Self.now)
    output.terminalName = terminal
    return output
  }
}

/// The status of the program; the test library has a type of the same name.
typealias Status = ForageCLI.ExitStatus

/// How a command ended and what it wrote.
struct Outcome {
  var status: Status
  var out: String
  var err: String
}

/// An address where nobody listens: port 9 is that of the discard service, which no machine runs any more.
let nobody = "http://127.0.0.1:9"

/// The environment of a run inside the test's own process: no helper program and nothing that is installed is
/// found.
func variables(_ home: IsolatedHome, _ api: String = nobody, adding extra: [String: String] = [:])
  -> [String: String]
{
  home.environment(
    adding: [
      "PATH": home.directory.path("no-programs"), "XDG_DATA_DIRS": home.directory.path("no-data"),
      "FORAGE_GITHUB_URL": api,
    ].merging(extra) { _, new in new })
}

/// Runs a command as the program does, in this process.
func forage(
  _ arguments: [String], in environment: [String: String], columns: Int? = nil, color: Bool = false,
  terminal: String? = nil
) async -> Outcome {
  let capture = Capture()
  let process = ProcessEnvironment(
    environment: environment, output: capture.output(columns: columns, color: color, terminal: terminal))
  let status = await Entry.run(arguments, in: process)
  return Outcome(status: status, out: capture.results, err: capture.messages)
}

/// Runs a command with a home of its own and no server.
func forage(_ arguments: [String], columns: Int? = nil) async throws -> Outcome {
  try await withIsolatedHome { home in
    await forage(arguments, in: variables(home), columns: columns)
  }
}

/// Three repositories that show every column: plain, archived fork in another script, without anything.
let threeRepositories: [FakeRepository] = [
  FakeRepository(
    id: 1, fullName: "apple/swift-nio", description: "Event-driven network framework for http clients",
    language: "Swift", topics: ["networking"], stars: 8149
  ).with {
    $0.license = "Apache-2.0"
    $0.pushedAt = Date(timeIntervalSince1970: 1_767_225_600 - 3 * 3600)
  },
  FakeRepository(
    id: 2, fullName: "kana/http-検索", description: "高速な検索ライブラリ 🚀", language: "Rust", stars: 999
  ).with {
    $0.archived = true
    $0.pushedAt = Date(timeIntervalSince1970: 1_767_225_600 - 40 * 86_400)
  },
  FakeRepository(id: 3, fullName: "nemo/http").with {
    $0.pushedAt = nil
    $0.updatedAt = Date(timeIntervalSince1970: 1_700_000_000)
  },
]
