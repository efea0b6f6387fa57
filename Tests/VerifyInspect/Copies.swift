import Foundation
import TestSupport

/// Copies of a whole clone in a temporary folder: those with parts left out, and one whose files may be
/// damaged.
struct Copies {
  /// The commits of the shallow copy.
  private static let depth = "4"
  /// A server that may be asked for parts.
  private static let server = ["--upload-pack", "git -c uploadpack.allowFilter=true upload-pack"]
  /// The options of `git clone` for each copy that lacks something.
  private static let kinds: [(name: String, options: [String])] = [
    ("shallow", ["--depth", depth, "--no-single-branch"]),
    ("sparse", ["--sparse"]),
    ("without old blobs", server + ["--filter=blob:none"]),
    ("without blobs", server + ["--filter=blob:none", "--no-checkout"]),
    ("without trees", server + ["--filter=tree:0", "--bare"]),
  ]

  private let directory: TemporaryDirectory
  private let source: String

  /// - Throws: `SupportError` when the folder cannot be made.
  init(of clone: String) throws {
    directory = try TemporaryDirectory(prefix: "forage-verify")
    source = URL(fileURLWithPath: clone).path
  }

  /// Makes the copies that lack something.
  ///
  /// - Throws: `SupportError` when git cannot make one.
  func incomplete() async throws -> [(name: String, path: String)] {
    var made: [(name: String, path: String)] = []
    for kind in Self.kinds { made.append((kind.name, try await make(kind.name, kind.options))) }
    return made
  }

  /// Makes a copy with all objects.
  ///
  /// - Throws: `SupportError` when git cannot make it.
  func whole() async throws -> String { try await make("whole", []) }

  private func make(_ name: String, _ options: [String]) async throws -> String {
    let path = directory.path(name)
    let git = try Git(directory.path, protocols: "file")
    _ = try await git.output(
      ["clone", "--quiet", "--no-local", "--origin", "origin"] + options + [source, path])
    return path
  }
}
