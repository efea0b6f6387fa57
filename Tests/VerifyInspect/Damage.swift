import Foundation
import TestSupport

/// One damaged file of a copy, and what it may take away from the report.
struct Damage {
  let name: String
  /// The damaged file.
  let file: String
  /// Returns what is in the file instead; nil removes it.
  let change: (Data?) -> Data?
  /// The facts that may differ from those of the whole copy: their names, or what these begin with.
  let affected: [String]
  /// A part of the note that must be there.
  var note: String?
  /// The JSON of facts that must be there; nil for one that must not.
  var expected: [String: String?] = [:]
  /// Whether the facts that differ need a note.
  var isNoted = true
}

/// Damages files of a copy one after the other, and compares its report with that of the whole copy.
struct DamageVerification {
  /// The bytes of the packs that are damaged, one after the other.
  private static let packBytes = 8
  /// The extensions of files that are damaged; a report tells no more of them than their lines.
  private static let sources = [
    "c", "go", "java", "js", "lua", "nix", "php", "py", "rb", "rs", "swift", "ts",
  ]
  private static let ofContents = ["size.bytes", "languages", "lines", "skipped", "largestFiles"]
  private static let ofFolders =
    ofContents + [
      "size.files", "licenses", "dependencies", "version", "submodules", "lfs", "status", "churn",
    ]
  private static let ofCommits = [
    "commits", "authors", "authorCount", "busFactor", "activity", "signedShare", "churn", "tags.nearest",
  ]
  /// What the damaged file itself changes.
  private static let ofStorage = ["size.looseObjects", "size.looseBytes"]

  private let git: Git
  private let inspect: () async throws -> ProcessResult
  private let whole: Facts
  private(set) var comparison = Comparison(notes: [])

  /// - Parameters:
  ///   - path: a copy with all objects and a work tree, which is changed.
  ///   - inspect: runs the program on it.
  /// - Throws: `SupportError` when git or the program fails.
  static func run(_ path: String, inspect: @escaping () async throws -> ProcessResult) async throws
    -> Comparison
  {
    let git = try Git(path)
    let objects = try await LooseObjects.of(git)
    var verification = DamageVerification(git: git, inspect: inspect, whole: try Facts(try await inspect()))
    for damage in try await verification.damages(objects) { await verification.check(damage) }
    return verification.comparison
  }

  private init(git: Git, inspect: @escaping () async throws -> ProcessResult, whole: Facts) {
    (self.git, self.inspect, self.whole) = (git, inspect, whole)
  }

  private func damages(_ objects: LooseObjects) async throws -> [Damage] {
    let folder = git.folder + "/.git"
    func file(_ id: Substring) -> String { "\(folder)/objects/\(id.prefix(2))/\(id.dropFirst(2))" }
    let half: (Data?) -> Data? = { $0.map { $0.prefix($0.count / 2) } }
    var damages: [Damage] = []
    let lacks = [
      ("source file", objects.blob == nil), ("folder", objects.tree == nil),
      ("old commit", objects.commit == nil),
    ]
    for (name, isMissing) in lacks where isMissing { print("\(git.folder): no \(name) to damage") }
    if let (id, size) = objects.blob {
      let bytes = Int(whole.values["size.bytes"] ?? "").map { "\($0 - size)" }
      damages += [
        Damage(
          name: "blob removed", file: file(id), change: { _ in nil }, affected: Self.ofContents,
          note: "1 file or folder is missing", expected: ["size.bytes": bytes]),
        // Nothing is lost where the file of the work tree is read.
        Damage(name: "blob truncated", file: file(id), change: half, affected: Self.ofContents),
      ]
    }
    if let (id, files) = objects.tree {
      let left = Int(whole.values["size.files"] ?? "").map { "\($0 - files)" }
      damages += [("removed", "missing", { _ in nil }), ("truncated", "damaged", half)].map {
        name, state, change in
        Damage(
          name: "tree \(name)", file: file(id), change: change, affected: Self.ofFolders,
          note: "1 file or folder is \(state)", expected: ["size.files": left])
      }
    }
    if let (id, count) = objects.commit {
      damages += [("removed", { _ in nil }), ("truncated", half)].map { name, change in
        Damage(
          name: "commit \(name)", file: file(id), change: change, affected: Self.ofCommits,
          note: "1 commit and all behind", expected: ["commits.count": "\(count)"])
      }
    }
    let line: (Data?) -> Data? = { _ in Data((String(repeating: "1", count: 40) + "\n").utf8) }
    damages += [
      Damage(
        name: "dangling branch", file: folder + "/refs/heads/dangling", change: line,
        affected: ["branches.local"], isNoted: false),
      Damage(
        name: "dangling tag", file: folder + "/refs/tags/dangling", change: line, affected: ["tags.count"],
        isNoted: false),
      Damage(
        name: "dangling origin/HEAD", file: folder + "/refs/remotes/origin/HEAD",
        change: { _ in Data("ref: refs/remotes/origin/nowhere\n".utf8) }, affected: ["defaultBranch"],
        expected: ["defaultBranch": nil], isNoted: false),
    ]
    for index in 0..<Self.packBytes {
      damages.append(
        Damage(
          name: "byte \(index + 1) of \(Self.packBytes) in a pack", file: objects.pack,
          change: { data in
            guard var data, !data.isEmpty else { return data }
            data[data.count * (2 * index + 1) / (2 * Self.packBytes)] ^= 0x10
            return data
          }, affected: Self.ofFolders + Self.ofCommits + ["tags", "upstream"]))
    }
    return damages
  }

  /// Damages a file, compares the report, and restores the file.
  private mutating func check(_ damage: Damage) async {
    let before = FileManager.default.contents(atPath: damage.file)
    Self.replace(damage.file, with: damage.change(before))
    defer { Self.replace(damage.file, with: before) }
    let found: Facts
    do {
      found = try Facts(try await inspect())
    } catch {
      return comparison.check(damage.name, told: "\(error)", git: "a report", holds: false)
    }
    let noted = Set(found.notes.map(\.section))
    var isWhole = true
    for name in Set(whole.values.keys).union(found.values.keys).sorted() where !Self.ofStorage.contains(name)
    {
      let (old, new) = (whole.values[name], found.values[name])
      guard old != new else { continue }
      isWhole = false
      let section = name.split(separator: ".").first.map(String.init) ?? name
      let mayDiffer = damage.affected.contains { name == $0 || name.hasPrefix($0 + ".") }
      comparison.check(
        "\(damage.name): \(name)", told: new ?? "-", git: old ?? "-",
        holds: mayDiffer && (!damage.isNoted || Comparison.explains(noted, section)))
    }
    for (name, value) in damage.expected.sorted(by: { $0.key < $1.key }) {
      comparison.value("\(damage.name): \(name) must be", found.values[name], value)
    }
    if let note = damage.note {
      let messages = found.notes.map(\.message)
      comparison.check(
        "\(damage.name): note", told: messages.first ?? "-", git: note,
        holds: messages.contains { $0.contains(note) })
    }
    guard damage.isNoted else { return }
    let isDamage = damage.note != nil || !isWhole
    comparison.check(
      "\(damage.name): status", told: "\(found.status)", git: isDamage ? "3" : "0 or 3",
      holds: found.status == 3 || !isDamage && found.status == 0)
  }

  /// Git's files are read-only, so a file is replaced.
  private static func replace(_ file: String, with data: Data?) {
    try? FileManager.default.removeItem(atPath: file)
    if let data { _ = FileManager.default.createFile(atPath: file, contents: data) }
  }
}

/// Objects of a clone that are files of their own, and the pack with all others.
private struct LooseObjects {
  /// A file of `HEAD` and its size.
  var blob: (id: Substring, size: Int)?
  /// A folder of `HEAD` and the number of files below it.
  var tree: (id: Substring, files: Int)?
  /// An old commit, and the number of commits that `HEAD` reaches without it.
  var commit: (id: Substring, left: Int)?
  let pack: String

  /// Chooses the objects, and packs all others anew.
  ///
  /// - Throws: `SupportError` when git fails.
  static func of(_ git: Git) async throws -> LooseObjects {
    let listed = try await git.output(["ls-tree", "-r", "-t", "-l", "-z", "--full-tree", "HEAD"])
    // `mode type id size`, a tab, the path.
    let entries = listed.pieces(of: 0).compactMap {
      record -> (type: Substring, id: Substring, size: Int, path: String)? in
      guard let tab = record.firstIndex(of: UInt8(ascii: "\t")) else { return nil }
      let words = record[..<tab].text.split(separator: " ")
      return words.count == 4 ? (words[1], words[2], Int(words[3]) ?? 0, record[(tab + 1)...].text) : nil
    }
    let counts = Dictionary(entries.map { ($0.id, 1) }, uniquingKeysWith: +)
    // An object in several places takes more away.
    let single = entries.filter { counts[$0.id] == 1 }
    let blobs = single.filter { entry in
      entry.type == "blob" && entry.size > 0 && DamageVerification.isSource(entry.path)
    }
    let trees = single.filter { tree in
      tree.type == "tree" && !entries.contains { $0.type == "commit" && $0.path.hasPrefix(tree.path + "/") }
    }
    let chosen = (blob: middle(blobs), tree: middle(trees))
    let commit = try await oldCommit(git)
    let ids = [chosen.blob?.id, chosen.tree?.id, commit?.id].compactMap { $0 }
    return LooseObjects(
      blob: chosen.blob.map { ($0.id, $0.size) },
      tree: chosen.tree.map { tree in
        (tree.id, entries.count { $0.type == "blob" && $0.path.hasPrefix(tree.path + "/") })
      }, commit: commit, pack: try await repack(git, without: ids))
  }

  private static func middle<Element>(_ list: [Element]) -> Element? {
    list.isEmpty ? nil : list[list.count / 2]
  }

  /// The commit in the middle of the first parents; nil where there are fewer than three.
  private static func oldCommit(_ git: Git) async throws -> (id: Substring, left: Int)? {
    func lines(_ options: String...) async throws -> [String] {
      try await git.output(["rev-list"] + options + ["HEAD"]).pieces(of: UInt8(ascii: "\n")).map(\.text)
    }
    let line = try await lines("--first-parent")
    guard line.count > 2 else { return nil }
    let old = line[line.count / 2][...]
    var parents: [Substring: ArraySlice<Substring>] = [:]
    for words in try await lines("--parents").map({ $0.split(separator: " ") }) {
      parents[words[0]] = words.dropFirst()
    }
    var seen: Set<Substring> = [line[0][...]]
    var pending = Array(seen)
    while let next = pending.popLast() {
      for parent in parents[next] ?? [] where parent != old && seen.insert(parent).inserted {
        pending.append(parent)
      }
    }
    return (old, seen.count)
  }

  /// Packs all objects but some, which become files of their own; returns the pack.
  private static func repack(_ git: Git, without ids: [Substring]) async throws -> String {
    let folder = git.folder + "/.git/objects/pack"
    let old = try FileManager.default.contentsOfDirectory(atPath: folder)
    var loose: [(type: String, bytes: [UInt8])] = []
    for id in ids {
      let type = try await git.output(["cat-file", "-t", String(id)]).pieces(of: UInt8(ascii: "\n"))[0].text
      loose.append((type, try await git.output(["cat-file", type, String(id)])))
    }
    let all = try await git.output(["cat-file", "--batch-all-objects", "--batch-check=%(objectname)"])
    let packed = all.pieces(of: UInt8(ascii: "\n")).filter { !ids.contains($0.text[...]) }
    let name = try await git.output(
      ["pack-objects", "--quiet", folder + "/pack"],
      input: Array(packed.joined(separator: [UInt8(ascii: "\n")])))
    let pack = "pack-\(name.pieces(of: UInt8(ascii: "\n"))[0].text)"
    // A pack of the same objects has the same name.
    for file in old where !file.hasPrefix(pack) {
      try FileManager.default.removeItem(atPath: "\(folder)/\(file)")
    }
    for (type, bytes) in loose {
      _ = try await git.output(["hash-object", "-w", "-t", type, "--stdin"], input: bytes)
    }
    return "\(folder)/\(pack).pack"
  }
}

extension DamageVerification {
  /// Whether a path is that of source text.
  fileprivate static func isSource(_ path: String) -> Bool {
    path.split(separator: ".").last.map { sources.contains(String($0)) } ?? false
  }
}
