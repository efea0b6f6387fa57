public import Foundation

/// A Git repository in a temporary folder, driven with the `git` program, away from every configuration of
/// the
/// machine and with fixed dates.
public final class TemporaryRepository: Sendable {
  /// The date of commits that name none: 2024-01-02 03:04:05 UTC.
  public static let defaultDate = 1_704_164_645

  /// The folder that everything is in; kept as long as the repository.
  public let directory: TemporaryDirectory
  /// The root of the work tree (of a bare repository the git folder), absolute and without links.
  public let path: String

  private let home: String

  /// A repository that is there already, in a folder that is kept alive with it.
  public init(at path: String, in directory: TemporaryDirectory) throws {
    self.directory = directory
    self.path = path
    home = try directory.makeDirectory("home").path
  }

  /// Makes an empty repository whose branch is `main`.
  ///
  /// - Parameters:
  ///   - name: the folder's name.
  ///   - arguments: more arguments of `git init`, for example `--bare`.
  ///   - directory: where to put it; nil: a fresh temporary folder.
  public static func make(
    _ name: String = "repo", _ arguments: [String] = [], in directory: TemporaryDirectory? = nil
  ) async throws -> TemporaryRepository {
    let directory = try directory ?? TemporaryDirectory(prefix: "forage-git")
    let folder = try directory.makeDirectory(name)
    let path = folder.path.hasSuffix("/") ? String(folder.path.dropLast()) : folder.path
    let repository = try TemporaryRepository(at: path, in: directory)
    try await repository.git(["init", "--quiet", "--initial-branch=main"] + arguments)
    return repository
  }

  /// Clones this repository beside it.
  public func clone(_ name: String, _ arguments: [String] = []) async throws -> TemporaryRepository {
    let target = directory.path(name)
    try await git(["clone", "--quiet"] + arguments + ["file://" + path, target])
    return try TemporaryRepository(at: target, in: directory)
  }

  /// The environment of git: no configuration, no questions, a fixed identity.
  public func environment(date: Int = TemporaryRepository.defaultDate) -> [String: String] {
    [
      "HOME": home, "PATH": "/usr/bin:/bin:/usr/local/bin", "LANG": "C.UTF-8", "TZ": "UTC",
      "GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_NOSYSTEM": "1", "GIT_TERMINAL_PROMPT": "0",
      "GIT_AUTHOR_NAME": "A U Thor", "GIT_AUTHOR_EMAIL": "author@example.com",
      "GIT_COMMITTER_NAME": "C O Mitter", "GIT_COMMITTER_EMAIL": "committer@example.com",
      "GIT_AUTHOR_DATE": "\(date) +0000", "GIT_COMMITTER_DATE": "\(date) +0000",
    ]
  }

  /// Runs git in the repository and returns what it printed, without the last line end.
  ///
  /// - Throws: `SupportError` with git's message when it fails.
  @discardableResult
  public func git(
    _ arguments: [String], date: Int = TemporaryRepository.defaultDate, adding extra: [String: String] = [:],
    input: Data? = nil
  ) async throws -> String {
    let result = try await ProcessRunner.run(
      URL(fileURLWithPath: "/usr/bin/git"), ["-c", "protocol.file.allow=always"] + arguments,
      environment: environment(date: date).merging(extra) { _, new in new },
      workingDirectory: URL(fileURLWithPath: path, isDirectory: true), stdin: input)
    guard result.status == 0, !result.timedOut else {
      throw SupportError(
        code: .program, message: "git \(arguments.joined(separator: " ")) failed: \(result.err)",
        hint: "run it by hand")
    }
    return result.out.hasSuffix("\n") ? String(result.out.dropLast()) : result.out
  }

  /// Runs git with arguments that have no spaces, written as one string.
  @discardableResult
  public func git(_ line: String, date: Int = TemporaryRepository.defaultDate) async throws -> String {
    try await git(line.split(separator: " ").map(String.init), date: date)
  }

  /// Writes a file of the work tree.
  public func write(_ name: String, _ text: String) throws {
    let file = URL(fileURLWithPath: "\(path)/\(name)")
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: file)
  }

  /// Writes files, adds everything and commits; returns the commit's id.
  @discardableResult
  public func commit(
    _ message: String = "change", files: [String: String] = [:], author: String? = nil,
    date: Int = TemporaryRepository.defaultDate
  ) async throws -> String {
    for (name, text) in files { try write(name, text) }
    try await git("add --all")
    var arguments = ["commit", "--quiet", "--allow-empty", "-m", message]
    if let author { arguments.append("--author=\(author)") }
    try await git(arguments, date: date)
    return try await git("rev-parse HEAD")
  }

  /// Feeds a stream to `git fast-import`.
  public func fastImport(_ stream: String) async throws {
    try await git(["fast-import", "--quiet", "--force"], input: Data(stream.utf8))
  }
}
