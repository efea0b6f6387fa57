import ForageCore
import ForageFoundation
import ForageGit
import ForageLocal
import ForagePlatform
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

/// Why a command of git failed, from its messages.
struct GitFailure {
  private let lines: [String]

  /// Bytes at the end of the messages that are read: the reason is among the last lines.
  static let limit = 64 << 10
  /// What git says last when ssh or the server has said the reason before.
  private static let generic = "Could not read from remote repository"

  init(text: String) {
    lines = text.split(whereSeparator: \.isNewline).map { $0.trimmingWhitespace() }.filter {
      !$0.isEmpty && !$0.hasPrefix("Cloning into ")
    }
  }

  func error(_ source: CloneSource) -> ForageError {
    let reason = reason
    return ForageError(
      "\(source.title) could not be cloned: \(reason ?? "git failed without a reason")",
      hint: hint(for: source.host) ?? "see all messages with: git clone \(source.url)", code: .failed)
  }

  /// What is said of a clone that is there, though git failed afterwards.
  func checkoutError(_ source: CloneSource, _ path: String) -> ForageError {
    let words = lines.filter { line in ["fatal: ", "error: "].contains { line.hasPrefix($0) } }
    let isOfCheckout = lines.contains { $0.contains("Clone succeeded, but checkout failed") }
    let told = (words.isEmpty ? lines.suffix(1) : words).map(Self.withoutPrefix).joined(separator: "; ")
    return ForageError(
      "\(source.title): clone succeeded, but \(isOfCheckout ? "checkout" : "git") failed: \(told)",
      hint: "the clone is in \(path)"
        + (isOfCheckout
          ? "; when the reason is gone, run: git -C \(path.shellQuoted) restore --source=HEAD :/" : ""),
      code: .failed)
  }

  /// The first line of git that says what went wrong, without credentials.
  var reason: String? {
    let faults = lines.indices.filter { index in
      ["fatal: ", "error: "].contains(where: lines[index].hasPrefix)
    }
    var index = faults.first
    if let first = index, lines[first].contains(Self.generic) {
      index = first > 0 ? first - 1 : first
    }
    return (index.map { lines[$0] } ?? lines.last).map(Self.withoutPrefix)
  }

  /// A line without what git puts before it, and without credentials.
  private static func withoutPrefix(_ line: String) -> String {
    var text = line[...]
    for prefix in ["fatal: ", "error: ", "remote: ", "ERROR: "] where text.hasPrefix(prefix) {
      text = text.dropFirst(prefix.count)
    }
    let words = text.split(separator: " ", omittingEmptySubsequences: false).map { word in
      word.contains("://") && word.contains("@") ? withoutCredentials(word) : String(word)
    }
    return words.joined(separator: " ")
  }

  /// A word that holds an address, perhaps in quotes.
  private static func withoutCredentials(_ word: Substring) -> String {
    let quotes = word.prefix { "'\"".contains($0) }
    return quotes + RemoteURL.withoutCredentials(String(word.dropFirst(quotes.count)))
  }

  /// Whether a branch cannot be written while one that its remote has no more is in its way: `a` and `a/b`.
  var isBlockedByRemovedBranch: Bool {
    lines.contains { $0.contains("cannot lock ref 'refs/remotes/") && $0.contains("exists; cannot create") }
      || lines.contains {
        $0.contains("cannot lock ref 'refs/remotes/") && $0.contains("there is a non-empty directory")
      }
  }

  /// Whether a tag is not taken that has moved on the remote.
  var isBlockedByMovedTag: Bool { lines.contains { $0.contains("would clobber existing tag") } }

  /// What to do about the reason; `nil` where git's own words are all that is known.
  func hint(for host: String) -> String? {
    let login = host == BuiltInProvider.usualHost ? ", for example with: gh auth setup-git" : ""
    func says(_ texts: String...) -> Bool {
      let lower = (reason ?? "").lowercased()
      return texts.contains { lower.contains($0) }
    }
    if says(
      "could not read username", "could not read password", "authentication failed", "permission denied")
    {
      return
        "check the name; for a private repository let git log in" + login
    }
    if let reason, reason.hasPrefix("'/"), says("does not exist", "does not appear to be") {
      return "the folder that the remote names is gone; see it with: git remote -v"
    }
    if says("not found", "does not exist", "does not appear to be") {
      return "check the name; a private repository needs a login for git" + login
    }
    if says("could not resolve", "failed to connect", "timed out", "connection refused", "unreachable") {
      return "check the network, then run the command again"
    }
    if says("no space left", "disk quota") { return "free some space, then run the command again" }
    return nil
  }
}
