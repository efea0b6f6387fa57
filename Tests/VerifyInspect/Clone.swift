import Foundation

/// What several facts need, told by git.
struct Clone {
  /// The commit that is checked out; it may be missing or damaged.
  let head: String?
  /// Whether git can read every commit of the history.
  let hasHistory: Bool
  /// The git folder, that of a linked work tree its own.
  let gitDir: String
  /// The folder with objects and references.
  let commonDir: String
  /// Whether there is no work tree.
  let isBare: Bool
  /// Whether objects are left with the remote.
  let isPartial: Bool
  /// The files of `HEAD`'s tree; nil when git cannot list them.
  let files: [File]?
  /// The tags' short names.
  let tags: [String]

  /// An entry of a tree that is no folder.
  struct File {
    var path: String
    /// As in `100644`.
    var mode: Substring
    var id: Substring
    /// Bytes; nil for a submodule and where the object may be missing.
    var size: Int?

    /// Whether it is a submodule.
    var isSubmodule: Bool { mode == "160000" }
  }

  init(_ git: Git) async throws {
    head = try await git.text("rev-parse", "--quiet", "--verify", "HEAD")
    hasHistory = try await git.text("rev-list", "--count", "HEAD") != nil
    gitDir = Self.resolved(try await git.text("rev-parse", "--path-format=absolute", "--git-dir") ?? "")
    commonDir = Self.resolved(
      try await git.text("rev-parse", "--path-format=absolute", "--git-common-dir") ?? "")
    isBare = try await git.text("rev-parse", "--is-bare-repository") == "true"
    let format = try await git.text("config", "--get", "extensions.partialClone")
    let promises = try await git.text("config", "--type=bool", "--get-regexp", #"^remote\..*\.promisor$"#)
    isPartial = format != nil || promises?.contains("true") == true
    let sizes = isPartial ? [] : ["-l"]
    let listed =
      head == nil ? [] : try await git.bytes(["ls-tree", "-r", "-z", "--full-tree"] + sizes + ["HEAD"])
    files = listed?.pieces(of: 0).compactMap(Self.file)
    tags = try await git.lines("for-each-ref", "--format=%(refname:lstrip=2)", "refs/tags") ?? []
  }

  /// `mode kind id [size]`, a tab, the path.
  private static func file(_ record: ArraySlice<UInt8>) -> File? {
    guard let tab = record.firstIndex(of: UInt8(ascii: "\t")) else { return nil }
    let words = record[..<tab].text.split(separator: " ")
    guard words.count >= 3 else { return nil }
    return File(
      path: record[(tab + 1)...].text, mode: words[0], id: words[2],
      size: words.count > 3 ? Int(words[3]) : nil)
  }

  /// A path without links; as it is when it does not exist.
  static func resolved(_ path: String) -> String {
    guard let real = realpath(path, nil) else { return path }
    defer { free(real) }
    return String(cString: real)
  }
}
