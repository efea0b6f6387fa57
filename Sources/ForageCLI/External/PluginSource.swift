import Forage
import ForageCore
import ForageManifest
import ForagePluginHost

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The source of `forage plugin install`: a folder, a manifest file, or the address of a git repository.
enum PluginSource: Equatable {
  case folder(String)
  case manifest(String)
  /// With a branch, tag or commit.
  case git(address: String, revision: String?)

  /// Reads an argument.
  ///
  /// An existing file or folder comes first; a branch, tag or commit follows the `#` of an address.
  init(_ text: String, currentFolder: String) throws {
    let path = text.hasPrefix("/") ? text : currentFolder + "/" + text
    if FileManager.default.fileExists(atPath: path) {
      self = FileManager.default.fileExists(atPath: path + "/.") ? .folder(path) : .manifest(path)
      return
    }
    let (address, revision) =
      text.lastIndex(of: "#").map { (String(text[..<$0]), String(text[text.index(after: $0)...])) } ?? (
        text, nil
      )
    let isAddress =
      ["https://", "http://", "ssh://", "git://", "file://"].contains { address.hasPrefix($0) }
      || RepositoryIdentity.canonical(address) != nil && address.contains("@")
    guard isAddress, !address.hasPrefix("-") else {
      throw ForageError(
        "\"\(text)\" is no folder, no file and no address of a git repository",
        hint: "for example: forage plugin install ./acme, or https://github.com/owner/forage-acme")
    }
    guard revision.map({ !$0.isEmpty && !$0.hasPrefix("-") }) ?? true else {
      throw ForageError(
        "# is not followed by a branch, tag or commit", hint: "for example: \(address)#v1.0.0")
    }
    self = .git(address: address, revision: revision)
  }
}

/// Fetches a git repository at one commit.
struct GitCheckout {
  /// The folder with the files, without git's own.
  var folder: String
  /// The commit, 40 or 64 hexadecimal digits.
  var commit: String

  /// Fetches into an empty folder.
  static func fetch(_ address: String, revision: String?, into folder: String, _ git: GitProgram) async throws
    -> GitCheckout
  {
    _ = try await git.run(["init", "--quiet", "--template="], in: folder)
    _ = try await git.run(
      ["fetch", "--quiet", "--depth", "1", "--no-tags", "--", address, revision ?? "HEAD"], in: folder)
    _ = try await git.run(["checkout", "--quiet", "--detach", "FETCH_HEAD"], in: folder)
    let commit = try await git.run(["rev-parse", "HEAD"], in: folder).filter { !$0.isWhitespace }
    try FileManager.default.removeItem(atPath: folder + "/.git")
    return GitCheckout(folder: folder, commit: commit)
  }
}
