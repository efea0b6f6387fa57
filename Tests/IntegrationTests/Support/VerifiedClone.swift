import Foundation
import TestSupport

/// A kind of clone, made on the fly.
enum VerifiedClone {
  case mergesAndMailmap, names, encodings, signed, timeZones, unborn, detached
  case changes, conflict, stashes, submodules, linked, indexVersion4, splitIndex
  case bare, shallow, sparse, sparseIndex, alternates, packed, commitGraph, upstream

  /// Makes one in a folder of its own.
  func make() async throws -> TemporaryRepository {
    let repository = try await TemporaryRepository.make("main")
    switch self {
    case .mergesAndMailmap: try await Self.history(repository, mailmap: true)
    case .names: try await Self.names(repository)
    case .encodings: try await Self.encodings(repository)
    case .signed: try await Self.signed(repository)
    case .timeZones: try await Self.timeZones(repository)
    case .unborn: try repository.write("new", "x\n")
    case .detached:
      try await Self.history(repository)
      try await repository.git("checkout --quiet --detach HEAD~3")
    case .changes: try await Self.changes(repository)
    case .conflict: try await Self.conflict(repository)
    case .stashes:
      try await repository.commit("one", files: ["a": "a\n", "b": "b\n"])
      for text in ["x", "y", "z"] {
        try repository.write("a", text)
        try await repository.git("stash --quiet")
      }
    case .submodules: try await Self.submodules(repository)
    case .linked:
      try await Self.history(repository)
      let path = repository.directory.path("linked")
      try await repository.git(["worktree", "add", "--quiet", "-b", "side", path, "HEAD~2"])
      try await repository.git(["worktree", "add", "--quiet", "--detach", repository.directory.path("other")])
      let linked = try TemporaryRepository(at: path, in: repository.directory)
      try linked.write("new", "x\n")
      return linked
    case .indexVersion4:
      try await Self.changes(repository)
      try await repository.git("update-index --index-version 4")
    case .splitIndex:
      try await repository.commit("one", files: ["a": "a\n", "b": "b\n"])
      try await repository.git("update-index --split-index")
      try repository.write("c", "c\n")
      try await repository.git("add c")
    default: return try await storage(repository)
    }
    return repository
  }

  private func storage(_ repository: TemporaryRepository) async throws -> TemporaryRepository {
    try await Self.history(repository)
    switch self {
    case .bare: return try await repository.clone("copy.git", ["--bare"])
    case .shallow: return try await repository.clone("copy", ["--depth", "4", "--no-single-branch"])
    case .sparse:
      try await repository.git("sparse-checkout set --no-cone /Sources/a/")
    case .sparseIndex:
      try await repository.git("sparse-checkout set --cone --sparse-index Sources/a")
    case .alternates:
      let path = repository.directory.path("copy")
      try await repository.git(["clone", "--quiet", "--shared", repository.path, path])
      let copy = try TemporaryRepository(at: path, in: repository.directory)
      try await copy.commit(
        "own", files: ["own.c": "int x;\n"], date: TemporaryRepository.defaultDate + 9_000_000)
      return copy
    case .packed:
      try await repository.git("gc --quiet")
      try await repository.commit("later", files: ["later.c": "int x;\n"])
    case .commitGraph:
      try await repository.git("commit-graph write --reachable --changed-paths")
      // Commits above what the file has.
      try await repository.commit("later", files: ["later.c": "int x;\n"])
    default:
      let copy = try await repository.clone("copy")
      try await copy.git("reset --quiet --hard HEAD~2")
      try await copy.commit("own", files: ["own.c": "int x;\n"])
      try await copy.git("fetch --quiet")
      return copy
    }
    return repository
  }

  /// Branches and merges (one of three parents), equal dates, tags of both kinds, several authors.
  private static func history(_ repository: TemporaryRepository, mailmap: Bool = false) async throws {
    let start = TemporaryRepository.defaultDate
    let map =
      "Proper Name <proper@x.org> <b@X.org>\nBig <c@x.org> Small <c@x.org>\n<a2@x.org> <author@example.com>\n"
    let people = ["A <a@x.org>", "B <B@x.org>", "Small <c@x.org>", "Other <c@x.org>", "É Ü <d@x.org>"]
    var files = [
      "README.md": "# x\n", "Sources/a/main.swift": "print(1)\n\n// one\n", "Sources/b/x.c": "int x;\n",
    ]
    if mailmap { files[".mailmap"] = map }
    try await repository.commit("first", files: files)
    for index in 0..<12 {
      if index == 5 { try await repository.git("tag v1.0.0") }
      if index == 7 { try await repository.git("tag -a -m release v1.1.0") }
      if index == 8 { try await repository.git("tag v1.2.0-rc.1") }
      // Every third has the date of the one before.
      try await repository.commit(
        "change \(index)\nof two lines\n\nand more",
        files: ["Sources/a/f\(index % 4).swift": "let x = \(index)\n"],
        author: people[index % people.count], date: start + index / 3 * 2_000_000)
    }
    for name in ["one", "two"] {
      try await repository.git("checkout --quiet -b \(name) HEAD~4")
      try await repository.commit(
        "on \(name)", files: ["Sources/b/\(name).c": "int \(name);\n"], author: people[1])
    }
    try await repository.git("checkout --quiet main")
    try await repository.git("merge --quiet --no-edit -m octopus one two", date: start + 8_000_000)
    try await repository.git("mv Sources/b/x.c Sources/b/renamed.c")
    try await repository.commit("renamed", date: start + 8_000_100)
  }

  /// Paths and people that need quoting, with bytes that are no UTF-8.
  private static func names(_ repository: TemporaryRepository) async throws {
    let stream = """
      blob
      mark :1
      data 2
      x

      commit refs/heads/main
      mark :2
      author "Quoted, Jr." <q@x.org> 1600000000 -0330
      committer C <c@x.org> 1600000000 +0000
      data 5
      names
      M 100644 :1 "with space"
      M 100644 :1 "quo\\"te"
      M 100644 :1 "line\\nbreak"
      M 100644 :1 "tab\\there"
      M 100644 :1 "bytes\\377\\376"
      M 100755 :1 "sub dir/run.sh"
      M 120000 :1 "link"

      commit refs/heads/main
      mark :3
      author  <> 1600000100 +1400
      committer C <c@x.org> 1600000100 +0000
      data 0

      from :2
      M 100644 :1 "another"


      """
    try await repository.fastImport(stream)
    try await repository.git("reset --quiet --hard")
    try repository.write("new \"file\"\nof two lines", "x\n")
  }

  /// Messages and names in other encodings.
  private static func encodings(_ repository: TemporaryRepository) async throws {
    try await repository.commit("first", files: ["a": "a\n"], author: "Ærøskøbing <a@x.org>")
    try await repository.git(["config", "i18n.commitEncoding", "ISO-8859-1"])
    let message = Data([0x67, 0x72, 0xFC, 0xDF, 0x65, 0x0A])
    try await repository.git(
      ["commit", "--quiet", "--allow-empty", "-F", "-"], date: TemporaryRepository.defaultDate + 60,
      input: message)
    try await repository.git("config --unset i18n.commitEncoding")
  }

  /// Commits that bear what looks like a signature, and one that only speaks of it.
  private static func signed(_ repository: TemporaryRepository) async throws {
    try await repository.commit("first", files: ["a": "a\n"])
    try await repository.commit("no signature\n\ngpgsig here", files: ["a": "b\n"])
    let tree = try await repository.git("rev-parse HEAD^{tree}")
    var parent = try await repository.git("rev-parse HEAD")
    for index in 0..<3 {
      let person = "A U Thor <a@x.org> \(TemporaryRepository.defaultDate + 100 + index) +0000"
      let signature = "gpgsig -----BEGIN PGP SIGNATURE-----\n \n abc\n -----END PGP SIGNATURE-----\n"
      let text =
        "tree \(tree)\nparent \(parent)\nauthor \(person)\ncommitter \(person)\n\(signature)\nsigned\n"
      parent = try await repository.git(
        ["hash-object", "-t", "commit", "-w", "--stdin"], input: Data(text.utf8))
    }
    try await repository.git("reset --quiet --hard \(parent)")
  }

  /// Authors far from UTC, around midnight and the turn of a year and week.
  private static func timeZones(_ repository: TemporaryRepository) async throws {
    let monday = 1_704_067_200
    for (index, zone) in ["+0000", "-1200", "+1400", "+0545", "-0330", "+0001"].enumerated() {
      for offset in [-1, 0, 1] {
        let date = "\(monday + offset + index * 7 * 86_400 * 20) \(zone)"
        try await repository.git(
          ["commit", "--quiet", "--allow-empty", "-m", "x"],
          adding: ["GIT_AUTHOR_DATE": date, "GIT_COMMITTER_DATE": date])
      }
    }
  }

  /// Every sort of difference of the work tree.
  private static func changes(_ repository: TemporaryRepository) async throws {
    let names = [
      "same", "edited", "staged", "both", "gone", "removed", "renamed", "mode", "link", "restored",
    ]
    try await repository.commit(
      "first",
      files: Dictionary(uniqueKeysWithValues: names.map { ($0, "text of \($0)\n") }).merging([
        ".gitignore": "*.o\nbuild/\n"
      ]) { $1 })
    for name in ["edited", "both"] { try repository.write(name, "other\n") }
    try repository.write("staged", "staged\n")
    try await repository.git("add staged both")
    try repository.write("both", "once more\n")
    try await repository.git("rm --quiet removed")
    try await repository.git("mv renamed moved")
    try FileManager.default.removeItem(atPath: repository.path + "/gone")
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: repository.path + "/mode")
    try FileManager.default.removeItem(atPath: repository.path + "/link")
    try FileManager.default.createSymbolicLink(atPath: repository.path + "/link", withDestinationPath: "same")
    // The same content at another time is no change.
    try repository.write("restored", "text of restored\n")
    for name in ["new", "dir/one", "dir/two", "dir/x.o", "build/out", "intended"] {
      try repository.write(name, "n\n")
    }
    try await repository.git("add --intent-to-add intended")
  }

  private static func conflict(_ repository: TemporaryRepository) async throws {
    try await repository.commit("base", files: ["a": "base\n", "b": "base\n", "c": "c\n"])
    try await repository.git("checkout --quiet -b side")
    try await repository.commit("theirs", files: ["a": "theirs\n", "b": "theirs\n", "d": "d\n"])
    try await repository.git("checkout --quiet main")
    try await repository.git("rm --quiet b")
    try await repository.commit("ours", files: ["a": "ours\n"])
    _ = try? await repository.git("merge --quiet side")
  }

  /// Submodules as recorded, at another commit, changed, and not checked out.
  private static func submodules(_ repository: TemporaryRepository) async throws {
    let inner = try await TemporaryRepository.make("inner", in: repository.directory)
    try await inner.commit("one", files: ["a.c": "int a;\n"])
    try await inner.commit("two", files: ["b.c": "int b;\n"])
    for name in ["same", "other", "dirty", "absent"] {
      try await repository.git(["submodule", "--quiet", "add", "file://" + inner.path, "lib/\(name)"])
    }
    try await repository.commit("submodules")
    func git(_ name: String, _ line: String) async throws {
      try await TemporaryRepository(at: "\(repository.path)/lib/\(name)", in: repository.directory).git(line)
    }
    try await git("other", "checkout --quiet HEAD~1")
    try repository.write("lib/dirty/a.c", "int changed;\n")
    try await repository.git("submodule --quiet deinit lib/absent")
  }
}
