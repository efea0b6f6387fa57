import ForageCore
import ForageFoundation
import ForageGit
import ForageLocal
import Subprocess
import SystemPackage

/// How much of a repository is cloned, as for git.
public struct CloneExtent: Hashable, Sendable {
  /// The number of commits, `nil` for all.
  public var depth: Int?
  /// A filter of git for the objects that are left with the remote, for example `blob:none`; `nil` for none.
  public var filter: String?

  /// Creates an extent, by default the whole repository.
  public init(depth: Int? = nil, filter: String? = nil) {
    self.depth = depth
    self.filter = filter
  }

  /// The options of `git clone`.
  fileprivate var arguments: [String] {
    (depth.map { ["--depth=\($0)"] } ?? []) + (filter.map { ["--filter=\($0)"] } ?? [])
  }
}

/// Clones one repository with the git program, so that there is a whole clone afterwards or none.
struct GitClone: Sendable {
  private let program: InstalledProgram
  /// The variables of this process without any token; the user's configuration of git applies.
  private let environment: [String: String]
  private let extent: CloneExtent
  private let services: Services

  /// Finds the git program.
  ///
  /// - Throws: `ForageError` where there is none.
  init(_ services: Services, _ extent: CloneExtent) throws {
    guard let program = InstalledProgram("git", environment: services.environment) else {
      throw ForageError("there is no git program", hint: "install git", code: .noAnswer)
    }
    var variables = services.environmentWithoutTokens.filter { !Self.repositoryVariables.contains($0.key) }
    // The messages are read here.
    variables["LC_ALL"] = "C"
    self.program = program
    self.environment = variables
    self.extent = extent
    self.services = services
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
  ///   - isInteractive: Whether git may ask for a password on the terminal.
  ///   - started: Takes the messages of git, which appear while it runs.
  /// - Throws: `ForageError` with git's reason; `CancellationError`.
  func run(
    _ source: CloneSource, into target: String, isInteractive: Bool,
    started: @Sendable (GitMessages) -> Void
  ) async throws {
    let partial: PartialClone
    do throws(GitError) {
      try Self.makeFolder(FileAccess.parent(of: target))
      partial = try PartialClone(for: target)
    } catch {
      throw ForageError("\(source.title) cannot be cloned: \(error.message)", hint: error.hint)
    }
    defer { partial.remove() }
    let messages = GitMessages(path: partial.messages)
    started(messages)
    let start = ContinuousClock.now
    let isDone = await runGit(source.url, partial, isInteractive)
    let elapsed = HumanFormat.duration(ContinuousClock.now - start)
    services.trace("git clone \(source.url): \(isDone ? "ok" : "failed"), \(elapsed)")
    try Task.checkCancellation()
    guard isDone else { throw messages.failure.error(source) }
    do throws(GitError) {
      try partial.move(to: target)
    } catch {
      throw ForageError("\(source.title): \(error.message)", hint: error.hint)
    }
  }

  /// - Returns: Whether git made the clone.
  private func runGit(_ url: String, _ partial: PartialClone, _ isInteractive: Bool) async -> Bool {
    var environment = environment
    if !isInteractive { environment["GIT_TERMINAL_PROMPT"] = "0" }
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
