import Forage
import ForageCore

/// `read`.
enum ReadTool {
  /// Lines of one answer at most.
  private static let maximumLines = 400

  /// Reads lines of a file.
  static let read = Tool(
    name: "read", title: "Read a file",
    summary:
      "Read lines of a file, or a folder, of a clone (work tree unless ref) or of a repository on a forge.",
    parameters: RecordTools.clone + [
      Parameter(
        name: "file", kind: .text, isRequired: true, summary: "path in the repository; . is the root"),
      Parameter(name: "ref", kind: .text),
      Parameter(name: "start", kind: .number(1...Int(Int32.max)), summary: "first line"),
      Parameter(name: "end", kind: .number(1...Int(Int32.max))),
    ],
    output: [
      ("text", "string"), ("range", "object"), ("totalLines", "integer"), ("entries", "array"),
      ("next", "integer"), ("truncated", "boolean"),
    ],
    effect: .reads(openWorld: true)
  ) { forage, arguments in
    guard (arguments.text("repo") == nil) != (arguments.text("path") == nil) else {
      throw ToolFailure(
        "give either \"repo\" or \"path\"", hint: "repo is owner/name, path the folder of a clone")
    }
    let request = RepositoryFileRequest(
      repo: arguments.text("repo"), path: arguments.text("path"),
      file: try checked(arguments.text("file") ?? ""), ref: arguments.text("ref"))
    return try Self.answer(try await RepositoryFiles(forage.services).content(request), arguments)
  }

  /// The part of a file, or the entries of a folder, that fit into the answer.
  static func answer(_ file: RepositoryFile, _ arguments: ToolArguments) throws(ToolFailure) -> JSONTree {
    switch file {
    case .text(let text): try part(of: text, arguments)
    case .folder(let names): folder(names, arguments)
    }
  }

  /// The path without empty and `.` components.
  ///
  /// - Throws: `ToolFailure` for a path that leaves the repository or enters `.git`.
  static func checked(_ path: String) throws(ToolFailure) -> String {
    let parts = path.split(separator: "/").filter { $0 != "." }
    let isOutside = path.hasPrefix("/") || parts.contains("..") || path.contains("\0")
    guard !isOutside, !parts.contains(where: { isGitFolder($0) }) else {
      throw ToolFailure(
        "\"file\" must be a path inside the repository, outside .git",
        hint: "give the path from the root, without ..")
    }
    return parts.isEmpty ? "." : parts.joined(separator: "/")
  }

  /// Whether a name is that of git's folder, as git itself protects it on file systems that ignore case.
  private static func isGitFolder(_ name: Substring) -> Bool {
    let plain = String(name.unicodeScalars.filter { !SafeText.isDangerous($0) }).lowercased()
    return [".git", "git~1"].contains(plain.trimmingSuffix { $0 == "." || $0 == " " })
  }

  private static func folder(_ names: [String], _ arguments: ToolArguments) -> JSONTree {
    let entries = names.map(JSONTree.string)
    let count = AnswerLimit.fitting(entries, in: [:], maxChars: arguments.maxChars)
    var members: [String: JSONTree] = [
      "entries": .array(Array(entries.prefix(count))), "complete": .bool(true),
    ]
    if count < entries.count { members["truncated"] = .bool(true) }
    return AnswerLimit.record(members, maxChars: arguments.maxChars)
  }

  private static func part(of text: String, _ arguments: ToolArguments) throws(ToolFailure) -> JSONTree {
    var lines = text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false).map {
      String(Substring($0))
    }
    if lines.last?.isEmpty == true { lines.removeLast() }
    let start = arguments.number("start") ?? 1
    let end = min(arguments.number("end") ?? .max, start + maximumLines - 1, lines.count)
    guard start <= max(1, lines.count), arguments.number("end").map({ $0 >= start }) ?? true else {
      throw ToolFailure(
        "there are no lines \(start) to \(arguments.number("end") ?? end) in this file",
        hint: "it has \(lines.count) lines")
    }
    let wanted = lines.isEmpty ? [] : Array(lines[(start - 1)..<max(start - 1, end)])
    let count = AnswerLimit.fitting(wanted.map(JSONTree.string), in: [:], maxChars: arguments.maxChars)
    let shown = wanted.prefix(count)
    let last = start + shown.count - 1
    var members: [String: JSONTree] = [
      "text": .string(shown.joined(separator: "\n")), "totalLines": .integer(lines.count),
      "range": .object(["start": .integer(start), "end": .integer(max(last, start - 1))]),
      "complete": .bool(true),
    ]
    if last < (arguments.number("end") ?? lines.count), last < lines.count {
      members["next"] = .integer(last + 1)
    }
    if count < wanted.count { members["truncated"] = .bool(true) }
    return AnswerLimit.record(members, maxChars: arguments.maxChars)
  }
}

extension String {
  fileprivate func trimmingSuffix(_ isTrimmed: (Character) -> Bool) -> String {
    var text = self[...]
    while let last = text.last, isTrimmed(last) { text.removeLast() }
    return String(text)
  }
}
