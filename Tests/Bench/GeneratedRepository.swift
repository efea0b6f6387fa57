import ForagePlatform
import Foundation

/// Repositories of a given size, the same in every run, made with `git fast-import`.
struct GeneratedRepository {
  let path: String
  private let git: String
  private let environment: [String: String]

  /// How often things happen in an invented history, in commits.
  private static let (mergeEvery, changeEvery) = (10, 4)
  private static let people = 400
  /// 2010-01-01, and what passes between two commits.
  private static let (start, step) = (1_262_304_000, 400)

  /// Makes an empty repository.
  ///
  /// - Throws: `BenchError` when git fails.
  init(_ path: String, git: String, environment: [String: String]) throws {
    self.path = path
    self.git = git
    self.environment = environment
    try run(["init", "--quiet", "--template=", "--initial-branch=main", path], folder: ".")
  }

  /// Runs git in it.
  func run(_ arguments: [String], folder: String? = nil) throws {
    _ = try Command(
      executable: git, arguments: arguments, environment: environment, folder: folder ?? path
    ).inFolder.run()
  }

  /// Adds a history with merges and many authors, with files in some languages; a branch `nCOUNT` ends each
  /// part.
  ///
  /// - Parameters:
  ///   - counts: How many commits the branches have, ascending; the last is the whole history.
  ///   - files: How many files are changed in turn.
  func addHistory(_ counts: [Int], files: Int) throws {
    try importing { write in
      var number = 0
      for count in counts {
        while number < count {
          number += 1
          write(Self.commit(number, files: files))
        }
        write("reset refs/heads/n\(count)\nfrom :\(count)\n\n")
      }
      write("reset refs/heads/main\nfrom :\(number)\n\n")
    }
  }

  /// One commit; the mark is its number.
  private static func commit(_ number: Int, files: Int) -> String {
    let person = "Person \(number * 7919 % people) <p\(number * 7919 % people)@example.com>"
    let time = start + number * step
    var text = "commit refs/heads/main\nmark :\(number)\nauthor \(person) \(time) +0\(number % 10)00\n"
    let message = "Change number \(number)\n\nIt is invented.\n"
    text += "committer \(person) \(time) +0000\ndata \(message.utf8.count)\n\(message)"
    if number > 1 { text += "from :\(number - 1)\n" }
    // The other parent is some way back, so that its line lies beside the main one.
    if number > 2 * mergeEvery, number.isMultiple(of: mergeEvery) {
      text += "merge :\(number - mergeEvery - 3)\n"
    }
    if number == 1 {
      for file in 0..<files { text += change(file, number) }
    } else if number.isMultiple(of: changeEvery) {
      text += change(number * 104_729 % files, number)
    }
    return text + "\n"
  }

  /// A file's new contents.
  static func change(_ file: Int, _ number: Int) -> String {
    let ending = ["swift", "c", "py", "rs", "go"][file % 5]
    let comment = ending == "py" ? "#" : "//"
    var lines = "\(comment) File \(file)\n\n"
    for line in 0..<(10 + file % 90) { lines += "let value\(line) = \(line * file + number)\n" }
    return "M 100644 inline Sources/d\(file / 100)/f\(file).\(ending)\ndata \(lines.utf8.count)\n\(lines)\n"
  }

  /// Adds one commit with so many files.
  func addFiles(_ count: Int) throws {
    try importing { write in
      let person = "Person <p@example.com> \(Self.start) +0000"
      write("commit refs/heads/main\nauthor \(person)\ncommitter \(person)\ndata 0\n\n")
      for file in 0..<count { write(Self.change(file, 1)) }
      write("\n")
    }
  }

  /// Copies it so often; the copies share the files but have a remote each.
  ///
  /// - Parameter remote: The address of the remote of a copy.
  /// - Throws: `BenchError` when a file cannot be linked.
  func copy(_ numbers: Range<Int>, to folder: String, remote: (Int) -> String) throws {
    let manager = FileManager.default
    let paths = try manager.subpathsOfDirectory(atPath: path).sorted()
    var isFolder: ObjCBool = false
    let folders = paths.filter {
      manager.fileExists(atPath: "\(path)/\($0)", isDirectory: &isFolder) && isFolder.boolValue
    }
    let files = Set(paths).subtracting(folders).subtracting([".git/config"])
    let config = try String(contentsOfFile: path + "/.git/config", encoding: .utf8)
    for number in numbers {
      let target = "\(folder)/clone\(number)"
      try manager.createDirectory(atPath: target, withIntermediateDirectories: true)
      for name in folders { mkdir("\(target)/\(name)", 0o755) }
      for name in files where link("\(path)/\(name)", "\(target)/\(name)") != 0 {
        throw BenchError("\(target)/\(name) cannot be linked")
      }
      let origin = """
        [remote "origin"]
        \turl = \(remote(number))
        \tfetch = +refs/heads/*:refs/remotes/origin/*
        [branch "main"]
        \tremote = origin
        \tmerge = refs/heads/main

        """
      try Data((config + origin).utf8).write(to: URL(fileURLWithPath: target + "/.git/config"))
    }
  }

  /// Feeds a stream to `git fast-import`.
  private func importing(_ body: ((String) -> Void) -> Void) throws {
    let stream = path + "/stream"
    guard let file = fopen(stream, "w") else { throw BenchError("\(stream) cannot be written") }
    body { text in _ = fputs(text, file) }
    guard fclose(file) == 0 else { throw BenchError("\(stream) cannot be written") }
    defer { unlink(stream) }
    _ = try Command(
      executable: "/bin/sh", arguments: ["-c", "exec \"$0\" fast-import --quiet < stream", git],
      environment: environment, folder: path
    ).inFolder.run()
  }
}

extension Command {
  /// The same command in its folder; costs the start of a shell.
  var inFolder: Command {
    Command(
      executable: "/bin/sh", arguments: ["-c", "cd \"$0\" && exec \"$@\"", folder, executable] + arguments,
      environment: environment, status: status)
  }
}
