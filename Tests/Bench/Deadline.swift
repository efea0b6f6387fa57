import Foundation
import TestSupport

/// The row about a search whose providers do not keep its deadline.
enum Deadline {
  /// Short, so that the row takes no longer than the others, and long enough for the provider that is well.
  private static let timeout = 1.0
  /// What may pass between the deadline and the end of the program, in milliseconds.
  private static let goal = 50.0

  /// Prints by how much the program ends after `--timeout` while one provider hangs, one drips, one fails and
  /// one repeats its pages.
  ///
  /// The time runs from the start of the program to its end: start-up, merging and printing are included.
  static func row(_ forage: String) async {
    let title =
      "five providers, one hangs, one drips, one fails, one repeats: time over --timeout \(timeout) in ms"
    do {
      let home = try IsolatedHome()
      defer { home.directory.remove() }
      let (times, delivered) = try await withFiveForges { forges in
        try home.writeConfig("forage/config.yaml", forges.settings)
        let command = Command(
          executable: forage,
          arguments: [
            "search", "match", "-L", String(FiveForges.count), "--timeout", String(timeout), "--format",
            "ndjson", "--no-cache",
          ], environment: home.environment(adding: ["PATH": home.directory.path("no-programs")]))
        var (times, delivered) = ([Double](), [Int]())
        for _ in 0...Report.runs {
          let start = ContinuousClock.now
          let captured = try await command.capturedElsewhere()
          times.append((ContinuousClock.now - start) / .milliseconds(1) - timeout * 1000)
          // The last line is the summary.
          delivered.append(captured.text.split(separator: "\n").count - 1)
        }
        return (Array(times.dropFirst()), Array(delivered.dropFirst()))
      }
      let fewest = delivered.min() ?? 0
      Report.single(
        title, milliseconds: times, goal: goal,
        notes: [
          "results: \(fewest) of \(FiveForges.count) at least in each run"
            + (fewest < FiveForges.count ? "   INCOMPLETE" : "")
        ])
    } catch {
      Report.missed(title, error)
    }
  }
}
