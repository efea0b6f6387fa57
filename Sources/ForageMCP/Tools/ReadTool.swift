import Forage
import ForageCore

enum ReadTool {
  private static let maximumLines = 400

  /// Reads lines of a file, or entries of a folder.
  static let read = Tool(
    name: "read", title: "Read",
    summary:
      "Lines of a file, or entries of a folder, of a clone (work tree unless ref) or on a forge; with outline the definitions of a file. Go on with next as start.",
    parameters: RecordTools.clone + [
      Parameter(
        name: "file", kind: .text, isRequired: true, summary: "path in the repository; . is the root"),
      Parameter(name: "ref", kind: .text), Parameter(name: "start", kind: .number(1...Int.max)),
      Parameter(name: "end", kind: .number(1...Int.max)),
      Parameter(name: "outline", kind: .flag, summary: "definitions with lines"),
    ],
    output: [
      ("text", "string"), ("symbols", "array"), ("range", "object"), ("totalLines", "integer"),
      ("entries", "strings"),
      ("next", "integer"),
    ],
    effect: .reads(openWorld: true)
  ) { forage, arguments, _ in
    let (repo, path) = try arguments.place(forage)
    let request = RepositoryFileRequest(
      repo: repo, path: path, file: try checked(arguments.text("file") ?? ""), ref: arguments.text("ref"))
    let answer = try await RepositoryFiles(forage).content(request)
    switch answer.file {
    case .success(let file): return try Self.answer(file, answer.outcome, arguments)
    case .failure(let error): throw AskedFailure(error: error, providers: [answer.outcome])
    }
  }

  /// The part of a file or a folder that is asked for and fits into the answer.
  static func answer(_ file: RepositoryFile, _ outcome: ProviderOutcome, _ arguments: ToolArguments)
    throws(ToolFailure) -> JSONTree
  {
    let (all, isFolder) = items(file)
    let start = arguments.number("start") ?? 1
    let wantedEnd = arguments.number("end") ?? .max
    let size =
      isFolder ? HumanFormat.plural(all.count, "entry", "entries") : HumanFormat.plural(all.count, "line")
    guard start <= max(1, all.count) else {
      throw ToolFailure(
        isFolder
          ? "entry \(start) is after the end of the folder" : "line \(start) is after the end of the file",
        hint: "it has \(size)")
    }
    guard wantedEnd >= start else {
      throw ToolFailure("\"end\" is less than \"start\"", hint: "it has \(size)")
    }
    if arguments.flag("outline"), !isFolder {
      return try outline(file, lines: start...wantedEnd, of: all.count, outcome, arguments)
    }
    var members: [String: JSONTree] = [
      "complete": .bool(outcome.isComplete), "providers": [outcome].summary,
    ]
    if !isFolder { members["totalLines"] = .integer(all.count) }
    let end = min(wantedEnd, all.count, isFolder ? .max : start + maximumLines - 1)
    let wanted = all[(start - 1)..<max(start - 1, end)]
    let count = ResponseLimit.fitting(
      wanted.map(JSONTree.string), in: members, maxChars: arguments.maxChars - rangeLength)
    let shown = Array(wanted.prefix(count))
    let last = start - 1 + shown.count
    if isFolder {
      members["entries"] = .array(shown.map(JSONTree.string))
    } else {
      members["text"] = .string(shown.joined(separator: "\n"))
    }
    members["range"] = .object(["start": .integer(start), "end": .integer(last)])
    if last < min(wantedEnd, all.count) { members["next"] = .integer(last + 1) }
    if count < wanted.count { members["truncated"] = .bool(true) }
    return ResponseLimit.record(members, maxChars: arguments.maxChars)
  }

  /// The definitions of a file in the lines that are asked for, as many as fit into the answer.
  ///
  /// - Throws: `ToolFailure` for a file of which no definitions are known.
  private static func outline(
    _ file: RepositoryFile, lines: ClosedRange<Int>, of total: Int, _ outcome: ProviderOutcome,
    _ arguments: ToolArguments
  ) throws(ToolFailure) -> JSONTree {
    guard let symbols = file.symbols(path: arguments.text("file") ?? "") else {
      throw ToolFailure("of this kind of file no definitions are known", hint: "leave \"outline\" out")
    }
    let wanted = symbols.filter { $0["line"]?.number.map(lines.contains) ?? false }.map {
      symbol -> JSONTree in
      var members: [String: JSONTree] = [:]
      for name in ["name", "kind"] { members[name] = symbol[name]?.text.map(JSONTree.string) }
      members["line"] = symbol["line"]?.number.map(JSONTree.integer)
      return .object(members)
    }
    var members: [String: JSONTree] = [
      "complete": .bool(outcome.isComplete), "providers": [outcome].summary, "totalLines": .integer(total),
    ]
    let count = ResponseLimit.fitting(wanted, in: members, maxChars: arguments.maxChars - rangeLength)
    members["symbols"] = .array(Array(wanted.prefix(count)))
    if count < wanted.count {
      members["truncated"] = .bool(true)
      // What is left of a line that alone is too long is left out.
      let next = wanted[count]["line"]?.integer ?? lines.lowerBound
      let last = count > 0 ? wanted[count - 1]["line"]?.integer ?? next : next
      members["next"] = .integer(last == next && next == lines.lowerBound ? next + 1 : next)
    }
    return ResponseLimit.record(members, maxChars: arguments.maxChars)
  }

  private static let rangeLength = 64

  /// The lines of a file, or the names in a folder.
  private static func items(_ file: RepositoryFile) -> (items: [String], isFolder: Bool) {
    switch file {
    case .folder(let names): return (names, true)
    case .text(let text):
      var lines = text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false).map {
        String(Substring($0))
      }
      if lines.last?.isEmpty == true { lines.removeLast() }
      return (lines, false)
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
    return [".git", "git~1"].contains(plain.replacing(/[. ]+\z/, with: ""))
  }
}
