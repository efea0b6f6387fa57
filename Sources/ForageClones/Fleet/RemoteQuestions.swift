import ForageCore
import ForageFoundation
import ForageGit
import ForageLocal
import ForagePlatform
import ForageSetup
import Synchronization

/// Asks the remotes of clones what they have at this moment, with the git program. Nothing in a clone is
/// changed.
final class RemoteQuestions: Sendable {
  private let git: GitCommand
  private let timeLimit: Duration
  /// Masks secrets in what git says.
  private let redaction: SecretRedaction
  /// What was answered, and when.
  private let answers = Mutex<[Question: (answer: RemoteAnswer, at: ContinuousClock.Instant)]>([:])

  private struct Question: Hashable {
    let gitDir: String
    let remote: String
    let commits: Set<ObjectID>
  }

  /// How long an answer holds: a clone is looked at twice, before the question to the user and before it is
  /// deleted.
  private static let freshness: Duration = .seconds(60)
  /// The most bytes of an answer; a line has some 60, and large servers have a million references.
  private static let outputLimit = 256 << 20
  /// The interval at which cancellation is checked.
  private static let pollInterval: Duration = .milliseconds(50)
  /// How long git may take to remove its files after a signal to end.
  private static let grace: Duration = .seconds(1)

  /// - Parameters:
  ///   - timeLimit: How long a remote may take to list its references, and how long git may say nothing while
  ///     it fetches.
  /// - Throws: `ForageError` where there is no git program.
  init(_ forage: Forage, timeLimit: Duration) async throws {
    git = try GitCommand(forage)
    redaction = SecretRedaction(await forage.credentials.knownSecrets())
    self.timeLimit = timeLimit
  }

  /// Asks a remote which of some commits it has; blocks the thread.
  func ask(
    _ repository: GitRepository, _ remote: Remote, _ commits: Set<ObjectID>,
    isCancelled: @escaping () -> Bool
  ) -> RemoteAnswer {
    let question = Question(gitDir: repository.gitDir, remote: remote.name, commits: commits)
    if let known = answers.withLock({ $0[question] }), ContinuousClock.now - known.at < Self.freshness {
      return known.answer
    }
    let asking = Asking(
      repository: repository, remote: remote.name, git: git, timeLimit: timeLimit, redaction: redaction,
      isCancelled: isCancelled)
    let answer: RemoteAnswer
    do throws(Silence) {
      answer = .has(try asking.kept(of: commits))
    } catch {
      answer = .unanswered(error.reason)
    }
    answers.withLock { $0[question] = (answer, .now) }
    return answer
  }

  /// Asks the server of Git LFS for the objects that a clone has of it; blocks the thread.
  ///
  /// - Returns: Why some may be nowhere else; `nil` where the server has all.
  /// - Throws: `Silence` where Git LFS is not installed.
  func missingLargeFiles(_ repository: GitRepository, isCancelled: @escaping () -> Bool) throws(Silence)
    -> String?
  {
    let asking = Asking(
      repository: repository, remote: "", git: git, timeLimit: timeLimit, redaction: redaction,
      isCancelled: isCancelled)
    guard programPath("git-lfs", environment: git.environment) != nil else {
      throw Silence(reason: "git-lfs is not installed")
    }
    do {
      // What it would remove is what the server says that it has; it retains what was never pushed.
      let output = try asking.run(
        ["lfs", "prune", "--dry-run", "--verify-remote", "--force"], timeLimit: timeLimit)
      // For example "prune: 3 local objects, 1 retained, 2 verified with remote, done."
      let text = String(decoding: output, as: UTF8.self)
      func number(before words: String) -> Int? {
        text.firstRange(of: words).flatMap { Int(text[..<$0.lowerBound].split(separator: " ").last ?? "") }
      }
      let known = number(before: " local object").map { $0 == number(before: " verified with remote") ?? 0 }
      return known == true ? nil : "it has objects of Git LFS that the server is not known to have"
    } catch {
      return "the server of Git LFS does not have all of its objects, or could not be asked: \(error.reason)"
    }
  }

  /// Why there is no answer.
  struct Silence: Error {
    let reason: String
  }

  /// One question to one remote.
  private struct Asking {
    let repository: GitRepository
    let remote: String
    let git: GitCommand
    let timeLimit: Duration
    let redaction: SecretRedaction
    let isCancelled: () -> Bool

    /// The objects that the remote's references name, and those of the commits that are reachable from there.
    func kept(of commits: Set<ObjectID>) throws(Silence) -> Set<ObjectID> {
      let references = try references()
      let tips = Set(references.map(\.id))
      let missing = commits.subtracting(tips)
      if missing.isEmpty { return tips }
      let folder = try TemporaryObjects(repository)
      defer { folder.remove() }
      // The branches that the clone knows have moved on: whether they still have what they had is known with
      // their commits.
      let moved = references.filter { knows($0.name) && !repository.has($0.id) }.map(\.name)
      if !moved.isEmpty { try fetch(moved, folder) }
      return tips.union(missing.subtracting(try unreachable(missing, from: tips, folder)))
    }

    /// What `git ls-remote` lists; tags also with what they lead to.
    private func references() throws(Silence) -> [(id: ObjectID, name: String)] {
      let output = try run(["ls-remote", "--", remote], timeLimit: timeLimit)
      return output.split(separator: UInt8(ascii: "\n")).compactMap { line in
        let text = String(decoding: line, as: UTF8.self)
        guard let id = ObjectID(hex: text.prefix(ObjectID.hexCount)),
          text.utf8.dropFirst(ObjectID.hexCount).first == UInt8(ascii: "\t")
        else { return nil }
        return (id, String(text.dropFirst(ObjectID.hexCount + 1)))
      }
    }

    /// Whether the clone has a remote-tracking reference for a branch of the remote.
    private func knows(_ name: String) -> Bool {
      let prefix = "refs/heads/"
      guard name.hasPrefix(prefix) else { return false }
      let tracking = "refs/remotes/\(remote)/" + name.dropFirst(prefix.count)
      return [tracking, name].contains { repository.refs[name: ReferenceName($0)] != nil }
    }

    /// Fetches branches to a folder of their own.
    private func fetch(_ branches: [String], _ folder: TemporaryObjects) throws(Silence) {
      let arguments = [
        "fetch", "--quiet", "--refmap=", "--no-write-fetch-head", "--no-tags", "--no-prune",
        "--no-recurse-submodules", "--no-auto-maintenance", "--no-write-commit-graph", "--", remote,
      ]
      _ = try run(arguments + branches, folder.variables, timeLimit: timeLimit)
    }

    /// Those of some commits that are reachable from none of the tips.
    private func unreachable(
      _ commits: Set<ObjectID>, from tips: Set<ObjectID>, _ folder: TemporaryObjects
    ) throws(Silence) -> Set<ObjectID> {
      let lines = commits.map(\.hex) + tips.map { "^" + $0.hex }
      guard let input = folder.write(lines.joined(separator: "\n") + "\n") else {
        throw Silence(reason: "no temporary file can be made")
      }
      defer { close(input) }
      var variables = folder.variables
      variables["GIT_NO_REPLACE_OBJECTS"] = "1"
      variables["GIT_NO_LAZY_FETCH"] = "1"
      let output = try run(
        ["rev-list", "--ignore-missing", "--stdin"], variables, input: .descriptor(input), timeLimit: nil)
      return Set(
        output.split(separator: UInt8(ascii: "\n")).compactMap { line in
          ObjectID(hex: String(decoding: line, as: UTF8.self))
        }
      ).intersection(commits)
    }

    func run(
      _ arguments: [String], _ more: [String: String] = [:], input: ChildLaunch.Stream = .none,
      timeLimit: Duration?
    ) throws(Silence) -> [UInt8] {
      var variables = git.environment(.none(sshCommand: repository.sshCommand))
      variables["GIT_DIR"] = repository.gitDir
      variables.merge(more) { _, new in new }
      let launch = ChildLaunch(
        git.program, arguments, environment: variables, folder: repository.gitDir, group: .session,
        input: input, output: .pipe, error: .pipe)
      let result: ChildResult
      do throws(ChildFailure) {
        result = try ChildProgram().collect(
          launch, outputLimit: RemoteQuestions.outputLimit, timeLimit: timeLimit,
          grace: RemoteQuestions.grace,
          checking: RemoteQuestions.pollInterval, isCancelled: isCancelled)
      } catch {
        throw Silence(reason: error.description)
      }
      switch result.stop {
      case .late?: throw Silence(reason: "no answer within \(HumanFormat.duration(timeLimit ?? .zero))")
      case .tooLong?: throw Silence(reason: "its answer is too long")
      case .cancelled?: throw Silence(reason: "interrupted")
      case nil: break
      }
      guard result.isSuccess else {
        let messages = redaction.redacted(String(decoding: result.error, as: UTF8.self))
        let failure = GitFailure(text: messages)
        throw Silence(reason: failure.reason ?? "git failed without a reason")
      }
      return result.output
    }
  }
}

/// A folder for objects that are fetched for a look only, beside those of a clone.
private struct TemporaryObjects {
  private let path: String
  private let repository: GitRepository

  /// - Throws: `Silence` where no folder can be made.
  init(_ repository: GitRepository) throws(RemoteQuestions.Silence) {
    let folder = FileManager.default.temporaryDirectory.path
    var template = Array((FileAccess.join(folder, "forage-XXXXXX")).utf8CString)
    guard mkdtemp(&template) != nil else {
      throw RemoteQuestions.Silence(reason: "no folder can be made in \(folder)")
    }
    path = template.withUnsafeBufferPointer { buffer in
      buffer.baseAddress.map { String(cString: $0) } ?? ""
    }
    self.repository = repository
    // Fetching over plain files makes no folders.
    for folder in ["/objects", "/objects/pack", "/objects/info"] { mkdir(path + folder, 0o700) }
  }

  /// What makes git write objects into the folder, and read those of the clone, too.
  var variables: [String: String] {
    // A quoted path can have colons.
    let escaped = repository.objectsFolder.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
    return [
      "GIT_OBJECT_DIRECTORY": path + "/objects",
      "GIT_ALTERNATE_OBJECT_DIRECTORIES": "\"" + escaped.replacing("\n", with: "\\n") + "\"",
    ]
  }

  /// Writes a file, and opens it for reading; `nil` if that fails.
  func write(_ text: String) -> Int32? {
    let file = path + "/input"
    guard replaceFile(file, with: Array(text.utf8)) == 0 else { return nil }
    let descriptor = open(file, O_RDONLY | O_CLOEXEC)
    return descriptor >= 0 ? descriptor : nil
  }

  func remove() { _ = FolderRemoval.remove(path) }
}
