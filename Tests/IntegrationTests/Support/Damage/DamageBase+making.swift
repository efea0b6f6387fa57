import Foundation
import TestSupport

extension DamageBase {
  /// Makes all of them, each with another way to store things.
  static func all(in directory: TemporaryDirectory) async throws -> [DamageBase] {
    var bases: [DamageBase] = []
    for (name, make) in recipes {
      let folder = directory.path(name)
      let repository = try await TemporaryRepository.make(
        "\(name)/main", ["--template="], in: directory)
      try await repository.git("config pack.threads 1")
      try await repository.git("config gc.auto 0")
      let place = try await make(repository)
      let objects = try await looseObjects(of: repository, below: folder)
      bases.append(try DamageBase(name: name, folder: folder, repository: place, objects: objects))
    }
    return bases
  }

  private typealias Recipe = @Sendable (TemporaryRepository) async throws -> String

  private static let recipes: [(String, Recipe)] = [
    ("loose", { try await history($0) }),
    (
      "packed",
      {
        let place = try await history($0)
        try await $0.git("repack -adfq --depth=50 --window=50")
        try await $0.git("pack-refs --all")
        return place
      }
    ),
    (
      "commit-graph",
      {
        let place = try await history($0)
        try await $0.git("commit-graph write --reachable --changed-paths")
        return place
      }
    ),
    (
      "commit-graph-chain",
      {
        try await $0.commit("early", files: ["early.swift": "let x = 1\n"])
        try await $0.git("commit-graph write --reachable --split=no-merge")
        let place = try await history($0)
        try await $0.git("commit-graph write --reachable --split=no-merge")
        return place
      }
    ),
    (
      "multi-pack-index",
      {
        try await $0.commit("early", files: ["early.swift": "let x = 1\n"])
        try await $0.git("repack -dq")
        let place = try await history($0)
        try await $0.git("repack -dq")
        try await $0.git("multi-pack-index write")
        return place
      }
    ),
    (
      "index-v4",
      {
        let place = try await history($0)
        try await $0.git("update-index --index-version 4")
        try await $0.git("update-index --force-untracked-cache")
        return place
      }
    ),
    (
      "split-index",
      {
        let place = try await history($0)
        try await $0.git("update-index --split-index")
        try $0.write("later.swift", "let later = 1\n")
        try await $0.git("add later.swift")
        return place
      }
    ),
    (
      "sparse-index",
      {
        let place = try await history($0)
        try await $0.git("reset --quiet --hard")
        try await $0.git("sparse-checkout set --cone --sparse-index Sources/b")
        return place
      }
    ),
    (
      "submodule",
      {
        let inner = try await TemporaryRepository.make("submodule/inner", ["--template="], in: $0.directory)
        try await inner.commit("inner", files: ["inner.c": "int x;\n"])
        try await $0.git(["submodule", "--quiet", "add", "../inner", "lib/inner"])
        return try await history($0)
      }
    ),
    (
      "alternates",
      {
        try await history($0)
        let path = "\($0.directory.path)/alternates/user"
        try await $0.git(["clone", "--quiet", "--template=", "--shared", $0.path, path])
        try Data("../../../main/.git/objects\n".utf8).write(
          to: URL(fileURLWithPath: "\(path)/.git/objects/info/alternates"))
        return "user"
      }
    ),
    (
      "shallow",
      {
        try await history($0)
        let path = "\($0.directory.path)/shallow/cut.git"
        try await $0.git([
          "clone", "--quiet", "--template=", "--bare", "--depth=3", "--no-single-branch",
          "file://\($0.path)", path,
        ])
        return "cut.git"
      }
    ),
    (
      "linked",
      {
        try await history($0)
        try await $0.git("reset --quiet --hard")
        try await $0.git(["worktree", "add", "--quiet", "-b", "other", "\($0.directory.path)/linked/tree"])
        try Data("gitdir: ../main/.git/worktrees/tree\n".utf8).write(
          to: URL(fileURLWithPath: "\($0.directory.path)/linked/tree/.git"))
        return "tree"
      }
    ),
  ]

  /// Some commits, branches, merges, tags, notes of a remote, a stash, a work tree that differs.
  @discardableResult
  private static func history(_ repository: TemporaryRepository) async throws -> String {
    let start = TemporaryRepository.defaultDate
    try await repository.commit("first", files: contents, date: start)
    try await repository.git("branch side")
    for index in 1...4 {
      let line = (1...index).map { "let line\($0) = \($0 * index)\n" }.joined()
      try await repository.commit(
        "change \(index)", files: ["Sources/a/main.swift": line], author: "B \(index % 2) <b@example.com>",
        date: start + index * 86_400)
    }
    try await repository.git("tag v1.0.0 HEAD~2")
    try await repository.git(["tag", "-a", "-m", "release", "v1.1.0-rc.1", "HEAD~1"])
    try await repository.git("checkout --quiet side")
    try await repository.commit(
      "side", files: ["Sources/b/side.c": "int main(void) { return 0; }\n"], date: start + 500_000)
    try await repository.git("checkout --quiet main")
    try await repository.git("merge --quiet --no-edit -m merge side", date: start + 600_000)
    try await repository.git("remote add origin https://user:secret@example.com/owner/name.git")
    try await repository.git("update-ref refs/remotes/origin/main HEAD~1")
    try await repository.git("symbolic-ref refs/remotes/origin/HEAD refs/remotes/origin/main")
    try await repository.git("branch --quiet --set-upstream-to=origin/main main")
    try repository.write("Sources/a/main.swift", "let stashed = 1\n")
    try await repository.git("stash --quiet", date: start + 700_000)
    try repository.write("README.md", "# changed\n")
    try repository.write("untracked/new.txt", "new\n")
    try repository.write("staged.py", "print(1)\n")
    try await repository.git("add staged.py")
    return "main"
  }

  /// Files that something is told of.
  private static let contents = [
    "README.md": "# Sample\n\nA sample of things.\n",
    "LICENSE": "MIT License\n\nPermission is hereby granted\n",
    ".mailmap": "Proper <proper@example.com> <b@example.com>\n",
    ".gitattributes":
      "*.bin filter=lfs diff=lfs -text\n*.h linguist-language=C++\nvendor/** linguist-vendored\n",
    ".gitignore": "*.o\nbuild/\n!keep.o\n[a-c]?.tmp\n",
    "Package.swift":
      "// swift-tools-version: 6.0\nimport PackageDescription\nlet package = Package(name: \"x\", dependencies: [.package(url: \"https://e.com/a\", from: \"1.0.0\")])\n",
    "package.json":
      "{\"name\": \"x\", \"version\": \"1.2.3\", \"dependencies\": {\"a\": \"^1\", \"b\": \"*\"}, \"devDependencies\": {}}\n",
    "Cargo.toml":
      "[package]\nname = \"x\"\nversion = \"0.3.0\"\n[dependencies]\na = \"1\"\nb = { version = \"2\", features = [\"c\"] }\n",
    "go.mod":
      "module example.com/x\n\ngo 1.21\n\nrequire (\n\texample.com/a v1.0.0\n\texample.com/b v2.0.0 // indirect\n)\n",
    "pyproject.toml":
      "[project]\nname = \"x\"\nversion = \"2.0\"\ndependencies = [\n  \"a>=1\",\n  'b',\n]\n",
    "requirements.txt": "a==1\n-r other.txt\nb>=2 ; python_version < \"3\"\n",
    "pom.xml": "<project><version>1</version><dependencies><dependency/></dependencies></project>\n",
    "Sources/a/main.swift": "// one\nlet a = \"/* no */\" /* two\n three */\n\n",
    "Sources/a/data.bin": "\u{0}\u{1}\u{2}binary\n", "Sources/b/Tool.java": "/** doc */\nclass Tool { }\n",
    "Sources/b/script.py": "\"\"\"doc\n\"\"\"\n# c\nx = 1\n",
    "Sources/b/lib.rs": "/* a /* b */ c */ fn x() {}\n",
    "Sources/b/part.h": "#include <vector>\nclass X {};\n", "notes/with space and ü.txt": "text\n",
  ]

  /// Reads the commits, trees and tags that are loose.
  private static func looseObjects(
    of repository: TemporaryRepository, below folder: String
  ) async throws -> [Object] {
    var objects: [Object] = []
    let lines = try await repository.git([
      "cat-file", "--batch-all-objects", "--batch-check=%(objecttype) %(objectname)",
    ])
    for line in lines.split(separator: "\n") {
      let words = line.split(separator: " ").map(String.init)
      guard words.count == 2, words[0] != "blob" else { continue }
      let path = "\(repository.path)/.git/objects/\(words[1].prefix(2))/\(words[1].dropFirst(2))"
      guard FileManager.default.fileExists(atPath: path), path.hasPrefix(folder + "/") else { continue }
      let result = try await ProcessRunner.run(
        URL(fileURLWithPath: "/usr/bin/git"), ["cat-file", words[0], words[1]],
        environment: repository.environment(), workingDirectory: URL(fileURLWithPath: repository.path))
      let header = Array("\(words[0]) \(result.stdout.count)\u{0}".utf8)
      objects.append(Object(path: String(path.dropFirst(folder.count + 1)), bytes: header + result.stdout))
    }
    return objects
  }
}
