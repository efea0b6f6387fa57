import Foundation
import TestSupport

/// Inspects many damaged repositories, a batch in each process, and finds those that the program fails on.
struct DamageRun {
  /// A repository that the program does not stand.
  struct Failure {
    var seed: UInt64
    /// What went wrong, and how the repository is made again.
    var message: String
  }

  /// Seconds for each repository of a batch, after which the program hangs.
  private static let patience = 5
  /// Damaged numbers must not become memory: far more than any of these small repositories takes.
  private static let memoryLimitKB = 1_000_000

  let program: URL
  let environment: [String: String]
  let bases: [DamageBase]
  /// Where the repositories are made.
  let folder: String
  /// How many one process is given.
  var batch = 100
  /// Where repositories that fail are left, nil to leave none.
  var keep: String?

  /// Inspects so many repositories.
  ///
  /// - Parameters:
  ///   - seed: The first one's; each next has one more.
  ///   - count: How many.
  /// - Returns: At most ten failures.
  func run(seed: UInt64, count: Int) async throws -> [Failure] {
    var failures: [Failure] = []
    for start in stride(from: 0, to: count, by: batch) where failures.count < 10 {
      let seeds = (start..<min(count, start + batch)).map { seed &+ UInt64($0) }
      failures += try await search(seeds)
    }
    return failures
  }

  /// Halves a batch that fails until single repositories are left.
  private func search(_ seeds: [UInt64]) async throws -> [Failure] {
    let place = "\(folder)/\(seeds[0])-\(seeds.count)"
    defer { try? FileManager.default.removeItem(atPath: place) }
    var (paths, told) = ([String](), [String]())
    for (number, seed) in seeds.enumerated() {
      var damage = Damage(seed: seed)
      paths.append(try damage.make(from: bases, at: "\(place)/case\(number)x"))
      told.append(damage.told.joined(separator: ", "))
    }
    guard let problem = try await inspect(paths, below: place) else { return [] }
    guard seeds.count > 1 else {
      if let keep {
        let target = "\(keep)/\(seeds[0])"
        try? FileManager.default.createDirectory(atPath: keep, withIntermediateDirectories: true)
        try? FileManager.default.copyItem(atPath: place, toPath: target)
      }
      let again = "FORAGE_TEST_SEED=\(seeds[0]) FORAGE_FUZZ_REPOSITORIES=1"
      return [Failure(seed: seeds[0], message: "\(problem)\n\(told[0])\nagain with \(again)")]
    }
    let middle = seeds.count / 2
    let found = try await search(Array(seeds[..<middle])) + search(Array(seeds[middle...]))
    guard found.isEmpty else { return found }
    let among = "only together, \(seeds.count) repositories from FORAGE_TEST_SEED=\(seeds[0])"
    return [Failure(seed: seeds[0], message: "\(problem)\n\(among)")]
  }

  /// Runs the program once; nil when all is as it should be.
  private func inspect(_ paths: [String], below place: String) async throws -> String? {
    let result = try await ProcessRunner.run(
      program, ["inspect", "--format", "ndjson", "--no-cache"] + paths, environment: environment,
      workingDirectory: URL(fileURLWithPath: folder), timeout: .seconds(Self.patience * paths.count))
    if result.timedOut { return "it hangs" }
    if let signal = result.signal { return "signal \(signal): \(result.err.suffix(2000))" }
    guard [0, 2, 3, 4].contains(result.status) else { return "status \(result.status): \(result.err)" }
    guard result.peakKB < Self.memoryLimitKB else { return "\(result.peakKB) KB of memory" }
    var found: Set<Substring> = []
    for line in result.outLines {
      // A report, or for a clone that cannot be opened its error.
      guard let object = try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any],
        let path = object["path"] as? String, let gitDir = object["gitDir"] as? String ?? errorText(object)
      else { return "no report: \(line.prefix(500))" }
      for text in [gitDir, path] { found.formUnion(Self.cases(in: text)) }
    }
    for line in result.err.split(separator: "\n") {
      guard line.hasPrefix("forage: ") || line.hasPrefix("hint: ") else { return "no sentence: \(line)" }
      found.formUnion(Self.cases(in: String(line)))
    }
    for number in paths.indices where !found.contains("case\(number)x") {
      return "nothing is told of \(paths[number]): \(result.err.prefix(2000))"
    }
    return nil
  }

  private func errorText(_ object: [String: Any]) -> String? {
    (object["error"] as? [String: Any])?["message"] as? String
  }

  /// Every `case12x` in a text.
  private static func cases(in text: String) -> [Substring] {
    text.split { !($0.isASCII && ($0.isLetter || $0.isNumber)) }.filter { $0.hasPrefix("case") }
  }
}
