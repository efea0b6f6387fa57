import Foundation
import TestSupport
import Testing

/// The pages of a list that `--next` continues.
struct ListPages {
  /// The titles of the results of each page.
  var titles: [[String]] = []
  /// The status of each run.
  var statuses: [Int32] = []

  /// The titles of all pages.
  var all: [String] { titles.flatMap(\.self) }
  /// The number of results of each page.
  var sizes: [Int] { titles.map(\.count) }
}

extension Program {
  /// Runs a shell script on one terminal, in which `$forage` is the program.
  func runScript(
    _ script: String, streams: ProcessRunner.TerminalStreams = .outputOnly, timeout: Duration = .seconds(60)
  ) async throws -> ProcessResult {
    let environment = environment.merging(["forage": try forageBinary.path, "NO_COLOR": "1"]) { _, new in new
    }
    return try await Gate.shared.run {
      try await ProcessRunner.runInTerminal(
        URL(fileURLWithPath: "/bin/sh"), ["-c", script], environment: environment, columns: 100,
        streams: streams, workingDirectory: home.home, timeout: timeout)
    }
  }

  /// Prints a list of repositories page by page, until there are no further results.
  ///
  /// - Parameters:
  ///   - command: The command and its arguments, without limit and format.
  ///   - limit: The number of results of a page.
  func pages(of command: String, limit: Int, _ location: SourceLocation = #_sourceLocation) async throws
    -> ListPages
  {
    let name = command.prefix { $0 != " " }
    // More pages than any test has; a list that does not end gets there.
    let result = try await runScript(
      """
      page=0
      $forage \(command) -L \(limit) --format tsv --timeout 50 2>messages
      echo "status $?"
      while [ $page -lt 40 ]; do
        page=$((page + 1))
        $forage \(name) --next 2>messages
        status=$?
        case "$(/bin/cat messages)" in *"no further results"*) exit 0;; esac
        echo "status $status"
      done
      exit 1
      """, timeout: .seconds(300))
    #expect(result.status == 0, "the pages do not end: \(result.out.suffix(500))", sourceLocation: location)
    var (pages, titles) = (ListPages(), [String]())
    for line in result.outLines {
      if let match = line.wholeMatch(of: /status ([0-9]+)/) {
        pages.titles.append(titles)
        pages.statuses.append(Int32(match.output.1) ?? -1)
        titles = []
      } else {
        titles += line.split(separator: "\t", maxSplits: 1).prefix(1).map(String.init)
      }
    }
    #expect(Set(pages.all).count == pages.all.count, "a result is there twice", sourceLocation: location)
    return pages
  }
}
