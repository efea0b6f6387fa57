import ForageCore
import ForageFoundation
import ForageGit
import ForageLocal
import ForagePlatform
import ForageSetup
import ForageStore

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

  fileprivate var arguments: [String] {
    (depth.map { ["--depth=\($0)"] } ?? []) + (filter.map { ["--filter=\($0)"] } ?? [])
  }
}

/// Clones one repository with the git program, so that there is a whole clone afterwards or none; one whose
/// files cannot be checked out stays, as it does with git.
struct GitClone: Sendable {
  private let git: GitCommand
  private let extent: CloneExtent
  private let forage: Forage

  /// Finds the git program.
  ///
  /// - Throws: `ForageError` where there is none.
  init(_ forage: Forage, _ extent: CloneExtent) throws {
    git = try GitCommand(forage)
    self.extent = extent
    self.forage = forage
  }

  /// Clones into a folder that does not exist, or is empty.
  ///
  /// - Parameters:
  ///   - source: What to clone.
  ///   - target: Where to.
  ///   - isInteractive: Whether git may ask for a password on the terminal.
  ///   - started: Takes the messages of git, which appear while it runs.
  /// - Returns: What became of it.
  /// - Throws: `ForageError` with git's reason; `CancellationError`.
  func run(
    _ source: CloneSource, into target: String, isInteractive: Bool,
    started: @Sendable (OutputFile) -> Void
  ) async throws -> Outcome {
    let unfinished: UnfinishedClone
    do throws(GitError) {
      try Self.makeFolder(FileAccess.parent(of: target))
      unfinished = try UnfinishedClone(for: target)
    } catch {
      throw ForageError("\(source.title) cannot be cloned: \(error.message)", hint: error.hint)
    }
    defer { unfinished.remove() }
    let messages = try OutputFile(masking: await forage.credentials.knownSecrets())
    started(messages)
    let start = ContinuousClock.now
    // Submodules are other repositories, which were not requested.
    let arguments =
      ["-c", "submodule.recurse=false", "clone", "--no-recurse-submodules"] + extent.arguments
      + (isInteractive ? ["--progress"] : []) + ["--", source.url, unfinished.clone]
    let outcome = try await git.run(
      arguments, in: unfinished.path, messages: messages, questions: isInteractive ? .onTerminal : .programs)
    let failure: GitFailure? = if case .failed(let failure) = outcome { failure } else { nil }
    forage.reporter.traceEnd(of: "git clone \(source.url)", failure == nil ? "ok" : "failed", since: start)
    // Git removes what it could not download, and keeps a clone whose checkout or hook fails.
    let head = try? GitRepository.open(unfinished.clone, loadsReferences: false).refs.head
    if let failure, head?.commit == nil { throw failure.error(source) }
    let names = RepositoryNames(forage)
    let name = names.name(at: messages.redirects, asked: source.id)
    let known = try name.map { try forage.store.existing()?.clones(ofEntity: $0.id) ?? [] } ?? []
    if let other = known.map(\.path).first(where: CloneProbe.isClone) {
      return Outcome(name: name, other: other)
    }
    // What is downloaded is kept, whatever the forge or the user says meanwhile.
    if let other = try? await names.clone(of: source, besides: unfinished.clone) {
      return Outcome(name: name, other: other)
    }
    do throws(GitError) {
      try unfinished.move(to: target)
      return Outcome(problem: failure?.checkoutError(source, target), name: name)
    } catch {
      throw ForageError("\(source.title): \(error.message)", hint: error.hint)
    }
  }

  /// What became of a clone.
  struct Outcome {
    /// Why the files could not be checked out; `nil` where they were.
    var problem: ForageError?
    /// The name that the repository has on its forge now, where git was redirected to another one.
    var name: RepositoryName?
    /// The clone of the repository that was there before under another name; the new one is not kept.
    var other: String?
  }

  private static func makeFolder(_ path: String) throws(GitError) {
    do {
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    } catch {
      throw GitError(
        .permission, "the folder \(path) cannot be made",
        hint: "check the permissions and the free space of the folders above it")
    }
  }
}

extension GitFailure {
  func error(_ source: CloneSource) -> ForageError {
    ForageError(
      "\(source.title) could not be cloned: \(reason ?? "git failed without a reason")",
      hint: hint(for: source.host) ?? "see all messages with: git clone \(source.url)", code: .failed)
  }

  /// What is said of a clone that is there, though git failed afterwards.
  func checkoutError(_ source: CloneSource, _ path: String) -> ForageError {
    let told = reasons.joined(separator: "; ")
    return ForageError(
      "\(source.title): clone succeeded, but \(isOfCheckout ? "checkout" : "git") failed: \(told)",
      hint: "the clone is in \(path)"
        + (isOfCheckout
          ? "; when the reason is gone, run: git -C \(path.shellQuoted) restore --source=HEAD :/" : ""),
      code: .failed)
  }
}
