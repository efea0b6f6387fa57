package import ForageCore
import ForageFoundation
import ForageGit
import ForageManifest
import ForagePlatform
import ForagePluginHost

/// The source of a plugin or manifest to install: a folder, a manifest file, or a git repository.
package enum PluginSource: Equatable {
  case folder(String)
  case manifest(String)
  /// With a branch, tag or commit.
  case git(address: String, revision: String?)

  /// Reads a text.
  ///
  /// An existing file or folder comes first; a branch, tag or commit follows the `#` of an address, of a
  /// path, or of `owner/name`. A bare repository is fetched from its path.
  ///
  /// - Parameters:
  ///   - bareHost: The host of repositories that are named without one; `nil` where that is not clear.
  ///   - cloneAddress: The address from which git clones a repository that is named so, where it is not the
  ///     usual one.
  package init(
    _ text: String, currentFolder: String, bareHost: String?,
    cloneAddress: (EntityReference) -> String? = { _ in nil }
  ) throws {
    func path(_ text: String) -> String { text.hasPrefix("/") ? text : currentFolder + "/" + text }
    let whole = path(text)
    if FileManager.default.fileExists(atPath: whole) {
      let isBare = FileAccess.isDirectory(whole + "/objects") && FileAccess.isFile(whole + "/HEAD")
      self =
        isBare
        ? .git(address: whole, revision: nil)
        : FileAccess.isDirectory(whole) ? .folder(whole) : .manifest(whole)
      return
    }
    let (written, revision) =
      text.lastIndex(of: "#").map { (String(text[..<$0]), String(text[text.index(after: $0)...])) } ?? (
        text, nil
      )
    var (address, isPath) = (written, false)
    if revision != nil, FileAccess.isDirectory(path(written)) {
      (address, isPath) = (path(written), true)
    } else if let bareHost, !written.contains(":"), !written.hasPrefix("."), !written.hasPrefix("/"),
      let entity = EntityReference(written, defaultHost: bareHost), entity.subject == .repository,
      let repository = entity.repositoryID
    {
      address = cloneAddress(entity) ?? "https://" + repository
    }
    let isAddress =
      isPath || ["https://", "http://", "ssh://", "git://", "file://"].contains { address.hasPrefix($0) }
      || RepositoryIdentity.canonical(address) != nil && address.contains("@")
    guard isAddress, !address.hasPrefix("-") else {
      throw ForageError(
        "\"\(text)\" is no folder, no file and no address of a git repository",
        hint: "for example: ./acme, owner/forage-acme, or https://github.com/owner/forage-acme#v1.0.0")
    }
    guard revision.map({ !$0.isEmpty && !$0.hasPrefix("-") }) ?? true else {
      throw ForageError(
        "# is not followed by a branch, tag or commit", hint: "for example: \(address)#v1.0.0")
    }
    self = .git(address: address, revision: revision)
  }

  /// The only manifest in a folder without a plugin; `nil` where there is none or several.
  package static func onlyManifest(in folder: String) -> String? {
    guard !FileManager.default.fileExists(atPath: folder + "/" + PluginManifest.fileName) else { return nil }
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    let manifests = names.filter(ManifestDiscovery.isManifest)
    return manifests.count == 1 ? folder + "/" + manifests[0] : nil
  }
}

/// Fetches a git repository at one commit, with the git program.
struct GitCheckout {
  /// How long git may take.
  private static let limit: Duration = .seconds(300)
  /// The most bytes that git may print.
  private static let outputLimit = 64 << 10

  private let forage: Forage
  private let command: GitCommand

  /// - Throws: `ForageError` for settings that cannot be read: they name variables that hold secrets; and
  ///   where there is no git program.
  init(_ forage: Forage) throws {
    _ = try forage.settings()
    self.forage = forage
    command = try GitCommand(forage)
  }

  /// Fetches the files, without git's own, into an empty folder.
  ///
  /// - Returns: The commit, 40 or 64 hexadecimal digits.
  /// - Throws: `ForageError` with git's reason.
  func fetch(_ address: String, revision: String?, into folder: String) async throws -> String {
    _ = try await git(["init", "--quiet", "--template="], in: folder)
    var commit = "FETCH_HEAD"
    do {
      _ = try await git(
        ["fetch", "--quiet", "--depth", "1", "--no-tags", "--", address, revision ?? "HEAD"], in: folder)
    } catch let error as ForageError {
      // A server need not give away a commit by its number, and never does by the first digits of it.
      guard let revision, Self.isCommit(revision) else { throw error }
      let all = ["+refs/heads/*:refs/remotes/origin/*", "+refs/tags/*:refs/tags/*"]
      _ = try await git(["fetch", "--quiet", "--no-tags", "--", address] + all, in: folder)
      let name = revision + "^{commit}"
      guard let found = try? await git(["rev-parse", "--verify", "--quiet", name], in: folder) else {
        throw error
      }
      commit = found.filter { !$0.isWhitespace }
    }
    _ = try await git(["checkout", "--quiet", "--detach", commit], in: folder)
    return try await git(["rev-parse", "HEAD"], in: folder).filter { !$0.isWhitespace }
  }

  /// Whether a text reads as the name of a commit, or its first digits.
  private static func isCommit(_ text: String) -> Bool {
    (4...64).contains(text.utf8.count) && text.allSatisfy { $0.isASCII && $0.isHexDigit }
  }

  /// Runs git, which asks for no password and runs no hook, and returns what it prints.
  private func git(_ arguments: [String], in folder: String) async throws -> String {
    let start = ContinuousClock.now
    let launch = ChildLaunch(
      command.program, ["-c", "core.hooksPath=/dev/null", "-c", "advice.detachedHead=false"] + arguments,
      environment: command.environment(.programs), folder: folder, output: .pipe, error: .pipe)
    let result: ChildResult
    do throws(ChildFailure) {
      result = try await ChildProgram.run(launch, outputLimit: Self.outputLimit, timeLimit: Self.limit)
    } catch {
      throw Self.failure("\(error)")
    }
    forage.reporter.traceEnd(
      of: "git " + arguments.joined(separator: " "), result.isSuccess ? "ok" : "failed", since: start)
    try Task.checkCancellation()
    guard result.isSuccess else {
      let redaction = SecretRedaction(await forage.credentials.knownSecrets())
      let messages = redaction.redacted(String(decoding: result.error, as: UTF8.self))
      let reason = GitFailure(text: messages).reason
      throw Self.failure(
        result.stop == .late
          ? "it did not end within \(HumanFormat.duration(Self.limit))" : reason ?? "it gave no reason")
    }
    return String(decoding: result.output, as: UTF8.self)
  }

  private static func failure(_ reason: String) -> ForageError {
    ForageError(
      "git failed: \(reason)", hint: "check the address, and that git can fetch it", code: .failed)
  }
}
