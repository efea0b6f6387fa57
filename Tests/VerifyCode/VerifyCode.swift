import Foundation
import TestSupport

/// Compares what `forage search --kind code` finds in clones with what `git grep` finds, `forage grep --all`
/// over made-up clones with rg, or the definitions in clones with those of universal-ctags.
@main
struct VerifyCode {
  private static let usage = """
    usage: forage-verify-code [--count=N] FORAGE CLONE...
           forage-verify-code --grep [--count=N] FORAGE
           forage-verify-code --symbols [--examples] FORAGE CLONE...

    """
  /// The queries of each sort for a clone.
  private static let defaultCount = 100

  static func main() async throws {
    let arguments = CommandLine.arguments.dropFirst()
    let options = arguments.prefix { $0.hasPrefix("--") }
    let paths = arguments.dropFirst(options.count)
    if options.contains("--symbols") {
      return try await symbols(Array(paths), showsExamples: options.contains("--examples"))
    }
    let comparesGrep = options.contains("--grep")
    let counts = options.filter { $0 != "--grep" }.map {
      $0.hasPrefix("--count=") ? Int($0.dropFirst("--count=".count)) : nil
    }
    guard let forage = paths.first, (paths.count > 1) != comparesGrep, !counts.contains(nil) else {
      FileHandle.standardError.write(Data(usage.utf8))
      exit(2)
    }
    let count = (counts.first ?? nil) ?? defaultCount
    if comparesGrep { return try await grep(URL(fileURLWithPath: forage), count) }
    var differing = 0
    var random = SeededGenerator(seed: propertySeed(label: "verify-code"))
    for path in paths.dropFirst() {
      do {
        let (cases, differences) = try await search(URL(fileURLWithPath: forage), path, count, &random)
        print("\(path)\n  \(cases) queries, \(differences.count) with differences")
        for difference in differences { print("  DIFFERS: \(difference)") }
        if !differences.isEmpty { differing += 1 }
      } catch {
        print("\(path)\n  DIFFERS: \((error as? SupportError)?.message ?? "\(error)")")
        differing += 1
      }
    }
    let all = paths.count - 1
    print("\(all - differing) of \(all) clones: the same lines as git grep")
    if differing > 0 { exit(1) }
  }

  private static func search(
    _ forage: URL, _ clone: String, _ count: Int, _ random: inout SeededGenerator
  ) async throws -> (cases: Int, differences: [String]) {
    let verification = try await CodeVerification(forage: forage, clone: clone)
    let queries = try await verification.queries(count, &random)
    let differences = try await verification.run(queries)
    return (queries.count, differences + (try await verification.verifyChanges(&random)))
  }

  private static func symbols(_ paths: [String], showsExamples: Bool) async throws {
    guard let forage = paths.first, paths.count > 1 else {
      FileHandle.standardError.write(Data(usage.utf8))
      exit(2)
    }
    var counts: [String: SymbolVerification.Counts] = [:]
    for clone in paths.dropFirst() {
      let verification = SymbolVerification(
        forage: URL(fileURLWithPath: forage), ctags: installed("ctags"), clone: URL(fileURLWithPath: clone))
      counts.add(try await verification.counts())
    }
    print(counts.table)
    guard showsExamples else { return }
    for (language, counts) in counts.sorted(by: { $0.key < $1.key }) {
      for example in counts.missing { print("\(language): not found: \(example)") }
      for example in counts.extra { print("\(language): no tag: \(example)") }
    }
  }

  /// The path of a program; ends this one if it is not installed.
  private static func installed(_ name: String) -> URL {
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin").split(separator: ":")
    guard let path = folders.map({ "\($0)/\(name)" }).first(where: FileManager.default.isExecutableFile)
    else {
      FileHandle.standardError.write(Data("\(name) is not installed\n".utf8))
      exit(2)
    }
    return URL(fileURLWithPath: path)
  }

  private static func grep(_ forage: URL, _ count: Int) async throws {
    var verification = try await GrepVerification(
      forage: forage, rg: installed("rg"), seed: propertySeed(label: "verify-grep"))
    let differences = try await verification.differences(count)
    for difference in differences { print("DIFFERS: \(difference)") }
    print("clones were left out of \(verification.narrowed) commands")
    print("\(count) commands, \(differences.count) with other bytes than rg")
    if !differences.isEmpty { exit(1) }
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
