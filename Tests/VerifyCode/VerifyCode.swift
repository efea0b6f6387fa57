import Foundation
import TestSupport

/// Compares what `forage search --kind code` finds in clones with what `git grep` finds.
@main
struct VerifyCode {
  private static let usage = "usage: forage-verify-code [--count=N] FORAGE CLONE...\n"
  /// The queries of each sort for a clone.
  private static let defaultCount = 100

  static func main() async throws {
    let arguments = CommandLine.arguments.dropFirst()
    let options = arguments.prefix { $0.hasPrefix("--") }
    let paths = arguments.dropFirst(options.count)
    let counts = options.map { $0.hasPrefix("--count=") ? Int($0.dropFirst("--count=".count)) : nil }
    guard let forage = paths.first, paths.count > 1, !counts.contains(nil) else {
      FileHandle.standardError.write(Data(usage.utf8))
      exit(2)
    }
    var differing = 0
    var random = SeededGenerator(seed: propertySeed(label: "verify-code"))
    for path in paths.dropFirst() {
      do {
        let verification = try await CodeVerification(forage: URL(fileURLWithPath: forage), clone: path)
        let queries = try await verification.queries((counts.first ?? nil) ?? defaultCount, &random)
        let differences = try await verification.run(queries)
        print("\(path)\n  \(queries.count) queries, \(differences.count) with differences")
        for difference in differences { print("  DIFFERS: \(difference)") }
        let changes = try await verification.verifyChanges(&random)
        for difference in changes { print("  DIFFERS: \(difference)") }
        if !differences.isEmpty || !changes.isEmpty { differing += 1 }
      } catch {
        print("\(path)\n  DIFFERS: \((error as? SupportError)?.message ?? "\(error)")")
        differing += 1
      }
    }
    let count = paths.count - 1
    print("\(count - differing) of \(count) clones: the same lines as git grep")
    if differing > 0 { exit(1) }
  }
}

/// A query, and the arguments with which `git grep` finds the same lines.
struct CodeCase {
  var query: String
  var arguments: [String]
}

/// A place of a match.
struct CodePlace: Hashable, Comparable, CustomStringConvertible {
  var path: String
  var line: Int
  var column: Int

  static func < (a: CodePlace, b: CodePlace) -> Bool {
    (a.path, a.line, a.column) < (b.path, b.line, b.column)
  }
  var description: String { "\(path):\(line):\(column)" }
}
