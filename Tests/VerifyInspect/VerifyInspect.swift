import Foundation
import TestSupport

/// Compares what `forage inspect` tells of clones with what git tells of them.
@main
struct VerifyInspect {
  private static let usage = """
    usage: forage-verify-inspect [--all] [--brief] FORAGE CLONE...
      --all    also the largest files of the whole history, which takes time
      --brief  only what differs
    """

  static func main() async throws {
    let arguments = CommandLine.arguments.dropFirst()
    let options = arguments.prefix { $0.hasPrefix("--") }
    let paths = arguments.dropFirst(options.count)
    guard Set(options).isSubset(of: ["--all", "--brief"]), let forage = paths.first, paths.count > 1 else {
      FileHandle.standardError.write(Data("\(usage)\n".utf8))
      exit(2)
    }
    var differing = 0
    for path in paths.dropFirst() {
      do {
        let comparison = try await compare(
          path, forage: URL(fileURLWithPath: forage), isWhole: options.contains("--all"))
        comparison.write(path, isBrief: options.contains("--brief"))
        if comparison.differences > 0 { differing += 1 }
      } catch {
        print("\(path)\n  DIFFERS: \((error as? SupportError)?.message ?? "\(error)")")
        differing += 1
      }
    }
    let count = paths.count - 1
    print("\(count - differing) of \(count) clones: every fact as git tells it")
    if differing > 0 { exit(1) }
  }

  private static func compare(_ path: String, forage: URL, isWhole: Bool) async throws -> Comparison {
    let git = try Git(path)
    var arguments = ["inspect", "--format", "json", "--no-cache", git.folder]
    if isWhole { arguments += ["--with", "largestBlobs"] }
    let result = try await ProcessRunner.run(
      forage, arguments, environment: ProcessInfo.processInfo.environment, timeout: Git.patience)
    guard [0, 3].contains(result.status), !result.stdout.isEmpty else {
      throw SupportError(
        code: .program,
        message: "forage \(arguments.joined(separator: " ")): status \(result.status), \(result.err)",
        hint: "run it by hand")
    }
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
