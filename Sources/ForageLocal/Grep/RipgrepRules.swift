import ForageCore
import ForageFoundation
import ForageGit
import ForagePlatform

/// rg, and the files that tell it what to leave out.
package struct Ripgrep: Sendable {
  /// The absolute path of the program.
  package let program: String
  package let environment: [String: String]

  /// - Returns: `nil` where rg is not installed.
  package init?(environment: [String: String]) {
    guard let program = RipgrepPath.find(environment: environment) else { return nil }
    (self.program, self.environment) = (program, environment)
  }
}

/// The rules that decide which files rg searches, as its `ignore` library reads them: `.gitignore`, `.ignore`
/// and `.rgignore` of each folder, `info/exclude` of each repository, and the excluded files of git for the
/// user.
package struct RipgrepRules {
  /// The files of rules in a folder.
  static let names: Set<[UInt8]> = Set([".gitignore", ".ignore", ".rgignore"].map { Array($0.utf8) })
  private static let git = Array(".git".utf8)

  private let ripgrep: Ripgrep
  private let home: String

  init(_ ripgrep: Ripgrep) {
    self.ripgrep = ripgrep
    home = homeFolder(environment: ripgrep.environment)
  }

  /// The settings of git for the user, of which rg reads `core.excludesFile`.
  private var configurations: (folder: String, files: [String]) {
    let folder = ripgrep.environment["XDG_CONFIG_HOME"].flatMap { $0.isEmpty ? nil : $0 } ?? home + "/.config"
    return (folder, [home + "/.gitconfig", folder + "/git/config"])
  }

  /// The variables, the program, and who may read what, as one number (FNV-1a).
  var environment: Int64 {
    let parts = [ripgrep.program, home, configurations.folder, "\(geteuid()):\(getegid())"]
    let hash = parts.joined(separator: "\0").utf8.reduce(0xCBF2_9CE4_8422_2325) {
      ($0 ^ UInt64($1)) &* 0x100_0000_01B3
    }
    return Int64(bitPattern: hash)
  }

  /// The rules of the user, and rg itself.
  ///
  /// - Returns: `nil` where they are not the same from every folder: rg compares a pattern with a slash with
  ///   paths as they are given.
  func ofUser() -> [WorkTreeSnapshot.Rule]? {
    let (folder, files) = configurations
    var excludes = [folder + "/git/ignore"]
    for file in files {
      guard let bytes = (try? FileAccess.read(file)) ?? nil else { continue }
      let text = String(decoding: bytes, as: UTF8.self).lowercased()
      var mentions = text.ranges(of: "excludesfile").count
      for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") {
        let parts = line.split(separator: "=", maxSplits: 1)
        guard parts.count == 2, parts[0].trimmingWhitespace().lowercased() == "excludesfile" else { continue }
        mentions -= 1
        let value = parts[1].trimmingWhitespace().filter { $0 != "\"" }
        let path = value.hasPrefix("~/") ? home + value.dropFirst() : value
        // Any other one is relative to where rg is started.
        guard path.hasPrefix("/"), !path.contains("~") else { return nil }
        excludes.append(path)
      }
      // Somewhere it is written in another way.
      guard mentions == 0 else { return nil }
    }
    guard !excludes.contains(where: Self.hasPaths) else { return nil }
    return (files + excludes + [ripgrep.program]).map { rule(Array($0.utf8)) }
  }

  /// Whether a file of rules has a pattern with a slash that is not its last character.
  private static func hasPaths(_ file: String) -> Bool {
    guard let bytes = (try? FileAccess.read(file)) ?? nil else { return false }
    return bytes.split(separator: UInt8(ascii: "\n")).contains { line in
      line.first != UInt8(ascii: "#")
        && String(decoding: line, as: UTF8.self).trimmingWhitespace().dropLast().contains("/")
    }
  }

  /// Whether there is a pipe or a device in the place of a file with rules, below a folder, above it, or of a
  /// repository there: rg waits for them.
  ///
  /// - Parameter others: Further files with rules.
  static func arePipes(below root: [UInt8], _ others: [[UInt8]], _ isCancelled: () -> Bool) -> Bool {
    let slash = UInt8(ascii: "/")
    func isPipe(_ path: [UInt8]) -> Bool { FileAccess.entry(bytes: path)?.kind == .other }
    if others.contains(where: isPipe) { return true }
    var above = root
    while let end = above.lastIndex(of: slash) {
      above = Array(above[..<end])
      let rules = names.map { above + [slash] + $0 } + files(ofRepositoryIn: above)
      if rules.contains(where: isPipe) { return true }
    }
    var pending = [root]
    while let folder = pending.popLast(), !isCancelled() {
      guard let directory = opendir(folder.map { CChar(bitPattern: $0) } + [0]) else { continue }
      defer { closedir(directory) }
      var (isFound, isRepository) = (false, false)
      FileAccess.visit(directory) { pointer, type in
        let name = FileAccess.bytes(pointer)
        let path = folder + [slash] + name
        if name == git {
          isRepository = true
        } else if type == DT_REG {
          return
        } else if names.contains(name) {
          isFound = isFound || isPipe(path)
        } else if type == DT_DIR
          || type == DT_UNKNOWN && FileAccess.entry(bytes: path, follow: false)?.kind == .directory
        {
          pending.append(path)
        }
      }
      if isFound || isRepository && files(ofRepositoryIn: folder).contains(where: isPipe) { return true }
    }
    return false
  }

  /// Whether a folder above a root has rules for what is below it. rg applies them in another way from each
  /// folder, and of one root also to the next; those of git end at a repository.
  package static func areAbove(_ roots: [String]) -> Bool {
    var known: Set<Substring> = []
    for root in roots {
      var folder = root[...]
      while let slash = folder.utf8.lastIndex(of: UInt8(ascii: "/")) {
        folder = folder[..<slash]
        guard known.insert(folder).inserted else { break }
        for name in [".ignore", ".rgignore"] where FileAccess.entry(folder + "/" + name) != nil {
          return true
        }
      }
    }
    return false
  }

  /// The rules of the repository whose `.git` is in a folder, and whether there is one.
  func ofRepository(in folder: [UInt8]) -> [WorkTreeSnapshot.Rule] {
    [rule(folder + [UInt8(ascii: "/")] + Self.git, isKindOnly: true)]
      + Self.files(ofRepositoryIn: folder).map { rule($0) }
  }

  /// The files that rg reads of the repository whose `.git` is in a folder; some may be absent.
  private static func files(ofRepositoryIn folder: [UInt8]) -> [[UInt8]] {
    let exclude = Array("/info/exclude".utf8)
    let git = folder + [UInt8(ascii: "/")] + git
    guard let entry = FileAccess.entry(bytes: git) else { return [] }
    if entry.kind == .directory { return [git + exclude] }
    // The file of a linked work tree or a submodule names the folder, which may name another one.
    guard entry.kind == .file, let folder = target(of: git, key: "gitdir: ", from: folder) else {
      return [git]
    }
    let common = folder + Array("/commondir".utf8)
    let shared = target(of: common, key: "", from: folder)
    return [git, common, folder + exclude] + (shared.map { [$0 + exclude] } ?? [])
  }

  /// The path in the first line of a file, behind a key.
  private static func target(of file: [UInt8], key: String, from folder: [UInt8]) -> [UInt8]? {
    guard let bytes = (try? FileAccess.read(bytes: file)) ?? nil, bytes.starts(with: key.utf8) else {
      return nil
    }
    let line = bytes.dropFirst(key.utf8.count).prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
    let isAbsolute = line.first == UInt8(ascii: "/")
    return isAbsolute ? Array(line) : folder + [UInt8(ascii: "/")] + line
  }

  private func rule(_ path: [UInt8], isKindOnly: Bool = false) -> WorkTreeSnapshot.Rule {
    let stamp = (path + [0]).withUnsafeBytes {
      WorkTreeSnapshot.Stamp(following: $0.baseAddress, isKindOnly: isKindOnly)
    }
    return WorkTreeSnapshot.Rule(path: path, stamp: stamp, isKindOnly: isKindOnly)
  }
}
