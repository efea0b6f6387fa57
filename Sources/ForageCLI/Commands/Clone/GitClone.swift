import Forage
import ForageCore
import ForageGit
import ForageLocal
import Subprocess
import SystemPackage

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Clones one repository with the git program, so that there is a whole clone afterwards or none.
struct GitClone: Sendable {
  /// What of a repository is cloned, as for git.
  struct Extent: Sendable {
    /// The number of commits, `nil` for all.
    var depth: Int?
    /// Which objects are left with the remote, `nil` for none.
    var filter: String?

    /// The options of `git clone`.
    var arguments: [String] {
      (depth.map { ["--depth=\($0)"] } ?? []) + (filter.map { ["--filter=\($0)"] } ?? [])
    }
  }

  /// The git program.
  let program: InstalledProgram
  /// Its variables, without any token.
  let environment: [String: String]
  let extent: Extent
  /// Whether git may ask for a password on the terminal.
  let isInteractive: Bool
  /// Gets a line about each run of git.
  let report: @Sendable (_ line: String) -> Void

  /// The git program.
  ///
  /// - Throws: `ForageError` where there is none.
  static func program(_ environment: [String: String]) throws -> InstalledProgram {
    if let program = InstalledProgram("git", environment: environment) { return program }
    throw ForageError("there is no git program", hint: "install git", code: .noAnswer)
  }

  /// - Parameter environment: The variables of this process without tokens; the user's configuration of git applies.
  init(
    program: InstalledProgram, environment: [String: String], extent: Extent, isInteractive: Bool,
    report: @escaping @Sendable (_ line: String) -> Void
  ) {
    var variables = environment.filter { !Self.repositoryVariables.contains($0.key) }
    // The messages are read here.
    variables["LC_ALL"] = "C"
    if !isInteractive { variables["GIT_TERMINAL_PROMPT"] = "0" }
    self.program = program
    self.environment = variables
    self.extent = extent
    self.isInteractive = isInteractive
    self.report = report
  }

  /// The variables that lead git to a repository (`git rev-parse --local-env-vars`), as hooks have them; those of the configuration stay.
  private static let repositoryVariables: Set<String> = [
    "GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_COMMON_DIR", "GIT_DIR", "GIT_GRAFT_FILE",
    "GIT_IMPLICIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_NO_REPLACE_OBJECTS", "GIT_OBJECT_DIRECTORY",
    "GIT_PREFIX", "GIT_REPLACE_REF_BASE", "GIT_SHALLOW_FILE", "GIT_WORK_TREE",
  ]

  /// How long git may take to end by itself after Ctrl-C.
  private static let grace: Duration = .milliseconds(200)

  /// Clones into a folder that does not exist, or is empty.
  ///
  /// - Parameters:
  ///   - source: What to clone.
  ///   - target: Where to.
  ///   - started: Gets the file in which git's messages appear.
  /// - Throws: `ForageError` with git's reason; `CancellationError`.
  func run(
    _ source: CloneSource, into target: String, started: @Sendable (_ messages: String) -> Void
  ) async throws {
    let partial: PartialClone
    do throws(GitError) {
      try Self.makeFolder(FileAccess.parent(of: target))
      partial = try PartialClone(for: target)
    } catch {
      throw ForageError("\(source.title) cannot be cloned: \(error.message)", hint: error.hint)
    }
    defer { partial.remove() }
    started(partial.messages)
    let start = ContinuousClock.now
    let isDone = await runGit(source.url, partial)
    let elapsed = HumanFormat.duration(ContinuousClock.now - start)
    report("git clone \(source.url): \(isDone ? "ok" : "failed"), \(elapsed)")
    try Task.checkCancellation()
    guard isDone else { throw GitCloneFailure(messages: partial.messages).error(source) }
    do throws(GitError) {
      try partial.move(to: target)
    } catch {
      throw ForageError("\(source.title): \(error.message)", hint: error.hint)
    }
  }

  /// - Returns: Whether git made the clone.
  private func runGit(_ url: String, _ partial: PartialClone) async -> Bool {
    // Submodules are other repositories, which were not requested.
    let arguments =
      ["-c", "submodule.recurse=false", "clone", "--no-recurse-submodules"] + extent.arguments
      + (isInteractive ? ["--progress"] : []) + ["--", url, partial.clone]
    do {
      let messages = try FileDescriptor.open(
        FilePath(partial.messages), .writeOnly, options: [.create, .append, .closeOnExec],
        permissions: .ownerReadWrite)
      // Without a terminal of its own neither git nor ssh can wait for an answer; with one, git stays in the foreground to get it.
      let result = try await program.run(
        arguments, environment: environment, folder: partial.path, group: isInteractive ? .shared : .session,
        grace: Self.grace, input: .none, output: .discarded,
        error: .fileDescriptor(messages, closeAfterSpawningProcess: true))
      return result.terminationStatus.isSuccess
    } catch {
      return false
    }
  }

  private static func makeFolder(_ path: String) throws(GitError) {
    do {
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    } catch {
      throw GitError(
        .permission, "the folder \(path) cannot be made", hint: "check the permissions and the free space")
    }
  }
}
