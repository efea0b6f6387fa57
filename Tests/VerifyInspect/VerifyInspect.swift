import Foundation
import TestSupport

/// Compares what `forage inspect` tells of clones with what git tells of them.
@main
struct VerifyInspect {
  private static let usage = """
    usage: forage-verify-inspect [--all] [--damaged] [--brief] FORAGE CLONE...
      --all      also the largest files of the whole history, which takes time
      --damaged  also copies of each clone, in a temporary folder: shallow, sparse, partial, and one with damaged
                 objects; the clones must be whole
      --brief    only what differs
    """

  static func main() async throws {
    let arguments = CommandLine.arguments.dropFirst()
    let options = Set(arguments.prefix { $0.hasPrefix("--") })
    let paths = arguments.drop { $0.hasPrefix("--") }
    guard options.isSubset(of: ["--all", "--damaged", "--brief"]), let forage = paths.first, paths.count > 1
    else {
      FileHandle.standardError.write(Data("\(usage)\n".utf8))
      exit(2)
    }
    var run = VerifyInspect(forage: URL(fileURLWithPath: forage), options: options)
    for path in paths.dropFirst() {
      await run.show(path) { run in try await run.compare(path) }
      if options.contains("--damaged") { await run.showCopies(of: path) }
    }
    print("\(run.count - run.differing) of \(run.count) clones: every fact as git tells it")
    if run.differing > 0 { exit(1) }
  }

  private let forage: URL
  private let options: Set<String>
  private var count = 0
  private var differing = 0

  private init(forage: URL, options: Set<String>) { (self.forage, self.options) = (forage, options) }

  /// Prints a comparison and counts it.
  private mutating func show(_ title: String, _ comparing: (VerifyInspect) async throws -> Comparison) async {
    count += 1
    do {
      let comparison = try await comparing(self)
      comparison.write(title, isBrief: options.contains("--brief"))
      if comparison.differences > 0 { differing += 1 }
    } catch {
      print("\(title)\n  DIFFERS: \((error as? SupportError)?.message ?? "\(error)")")
      differing += 1
    }
  }

  private mutating func showCopies(of path: String) async {
    do {
      try await copies(of: path)
    } catch {
      await show("\(path), copies") { _ in throw error }
    }
  }

  /// Compares copies that lack something with git, and one with damaged objects with the whole copy.
  private mutating func copies(of path: String) async throws {
    let copies = try Copies(of: path)
    for copy in try await copies.incomplete() {
      await show("\(path), \(copy.name)") { run in try await run.compare(copy.path) }
    }
    let whole = try await copies.whole()
    await show("\(path), damaged") { run in
      try await DamageVerification.run(whole) { try await run.inspect(whole) }
    }
  }

  private func inspect(_ folder: String, _ more: [String] = []) async throws -> ProcessResult {
    let arguments = ["inspect", "--format", "json", "--no-cache", folder] + more
    let result = try await ProcessRunner.run(
      forage, arguments, environment: ProcessInfo.processInfo.environment, timeout: Git.patience)
    guard [0, 3].contains(result.status), !result.stdout.isEmpty else {
      throw SupportError(
        code: .program,
        message: "forage \(arguments.joined(separator: " ")): status \(result.status), \(result.err)",
        hint: "run it by hand")
    }
    return result
  }

  private func compare(_ path: String) async throws -> Comparison {
    let git = try Git(path)
    let isWhole = options.contains("--all")
    let result = try await inspect(git.folder, isWhole ? ["--with", "largestBlobs"] : [])
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .iso8601
    let told: Told
    do {
      told = try decoder.decode(Told.self, from: result.stdout)
    } catch {
      throw SupportError(
        code: .program, message: "the report cannot be read: \(error)", hint: "run it by hand")
    }
    var verification = Verification(
      told: told, git: git, clone: try await Clone(git), comparison: Comparison(notes: told.notes))
    try await verification.run(isWhole: isWhole)
    return verification.comparison
  }
}
