import Forage
import ForageCore

enum HistoryTool {
  /// The commits of a clone, or one of them with its diff.
  static let history = Tool(
    name: "history", title: "History",
    summary: "Commits of a clone, newest first, or one commit with its diff.",
    parameters: RecordTools.clone + [
      Parameter(name: "file", kind: .text),
      Parameter(name: "query", kind: .text),
      Parameter(name: "ref", kind: .text), Parameter(name: "commit", kind: .text),
      Parameter(name: "limit", kind: .number(1...100)), Parameter(name: "cursor", kind: .text),
    ],
    output: [("commits", "array"), ("diff", "string"), ("next", "string")], effect: .reads(openWorld: false)
  ) { forage, arguments, lists in
    let file = try arguments.text("file").map { file throws(ToolFailure) in try ReadTool.checked(file) }
    guard let commit = arguments.text("commit") else {
      return try await SearchTools.commits(forage, arguments, lists, file: file == "." ? nil : file)
    }
    let place = try arguments.place(forage)
    let found = try await CommitOfClone.read(
      commit, repo: place.repo, path: place.path, file: file == "." ? nil : file, forage)
    return try answer(found, arguments)
  }

  /// A commit with as much of its diff as fits into the answer.
  static func answer(_ commit: CommitOfClone, _ arguments: ToolArguments) throws(ToolFailure) -> JSONTree {
    let pieces = pieces(of: commit.diff)
    let start = try arguments.start("d", in: "diff", through: max(0, pieces.count - 1))
    var members: [String: JSONTree] = [
      "complete": .bool(commit.isWhole), "providers": [ProviderOutcome.local()].summary,
      "sha": .string(commit.sha), "author": .string(commit.author),
      "authoredAt": .string(Timestamp.text(commit.authoredAt)),
    ]
    if start == 0 { members["message"] = .string(commit.message) }
    let rest = pieces.dropFirst(start)
    let count = ResponseLimit.fitting(
      rest.map(JSONTree.string), in: members, maxChars: arguments.maxChars - cursorLength)
    members["diff"] = .string(rest.prefix(count).joined())
    if count < rest.count {
      members["next"] = .string("d\(start + count)")
      members["truncated"] = .bool(true)
    }
    return ResponseLimit.record(members, maxChars: arguments.maxChars)
  }

  private static let cursorLength = 64
  /// The longest piece of a line in Unicode scalars.
  private static let longestPiece = 400

  /// The lines of a diff with their ends; long ones in pieces, so that an answer can end within one.
  private static func pieces(of diff: String) -> [String] {
    var pieces: [String] = []
    var piece = String.UnicodeScalarView()
    var length = 0
    for scalar in diff.unicodeScalars {
      piece.append(scalar)
      length += 1
      if scalar == "\n" || length == longestPiece {
        pieces.append(String(piece))
        (piece, length) = (String.UnicodeScalarView(), 0)
      }
    }
    return piece.isEmpty ? pieces : pieces + [String(piece)]
  }
}
