import ForageCore

/// The tools that answer with facts of one thing, or of the clones.
package enum RecordTools {
  /// Facts of a clone.
  package static func inspect(_ run: @escaping CommandRunner) -> Tool {
    Tool(
      name: "inspect", title: "Inspect a clone",
      summary: "Facts of a local clone: status, authors, activity, churn, languages, lines, licenses, sizes.",
      parameters: clone + [
        Parameter(name: "sections", kind: .texts, summary: "for example status, authors, churn; default all")
      ],
      output: [("path", "string"), ("notes", "array"), ("truncated", "boolean")],
      effect: .reads(openWorld: false)
    ) { arguments throws(ToolFailure) in
      let path = try await clonePath(arguments, run)
      let sections = arguments.texts("sections")
      let only = sections.isEmpty ? [] : ["--only=" + sections.joined(separator: ",")]
      let found = try await CommandAnswer(run, ["inspect", "--format=json"] + only + ["--", path]).found()
      var members = found.members
      members["complete"] = .bool(found.isComplete)
      return AnswerLimit.record(members, maxChars: arguments.maxChars)
    }
  }

  /// The record of one thing.
  package static func show(_ run: @escaping CommandRunner) -> Tool {
    Tool(
      name: "show", title: "Show",
      summary: "Everything known about one thing: repository with README, issue, pull request, commit, user.",
      parameters: [
        Parameter(
          name: "id", kind: .text, isRequired: true,
          summary: "id of a result, owner/name, owner/name#7, URL or path"),
        Parameter(name: "comments", kind: .number(0...20), summary: "of an issue"),
      ],
      output: [("item", "object"), ("local", "object"), ("providers", "array"), ("truncated", "boolean")],
      effect: .reads(openWorld: true)
    ) { arguments throws(ToolFailure) in
      var command = ["show", "--format=json"]
      if let comments = arguments.number("comments"), comments > 0 {
        command.append("--comments=\(comments)")
      }
      let found = try await CommandAnswer(run, command + ["--", arguments.text("id") ?? ""]).found()
      var members = found.members
      members["complete"] = .bool(found.isComplete)
      members["providers"] = .array(found.providers)
      return AnswerLimit.record(members, maxChars: arguments.maxChars)
    }
  }

  /// The clones of the catalogue with their state.
  package static func clones(_ run: @escaping CommandRunner) -> Tool {
    Tool(
      name: "clones", title: "List clones",
      summary: "Clones on this disk with branch, unpushed and uncommitted work.",
      parameters: [
        Parameter(name: "query", kind: .text, summary: "part of the id or path"),
        Parameter(name: "state", kind: .choice(["dirty", "ahead", "behind", "stashed"])),
        Parameter(name: "cursor", kind: .text),
      ],
      output: [("clones", "array"), ("next", "string"), ("truncated", "boolean")],
      effect: .reads(openWorld: false)
    ) { arguments throws(ToolFailure) in
      let start = try offset(arguments.text("cursor"))
      let state = arguments.text("state").map { ["--\($0)"] } ?? []
      let found = try await CommandAnswer(run, ["clones", "list", "--status", "--format=json"] + state)
      let wanted = arguments.text("query")?.lowercased()
      let all = (found["clones"]?.array ?? []).filter { clone in
        guard let wanted else { return true }
        return ["id", "path"].contains { clone[$0]?.string?.lowercased().contains(wanted) == true }
      }.map(clone)
      let rest = Array(all.dropFirst(start))
      let count = AnswerLimit.fitting(rest, in: [:], maxChars: arguments.maxChars)
      var members: [String: JSONTree] = [
        "clones": .array(Array(rest.prefix(count))), "complete": .bool(found.isComplete || all.isEmpty),
      ]
      if count < rest.count {
        members["next"] = .string("c\(start + count)")
        members["truncated"] = .bool(true)
      }
      return AnswerLimit.record(members, maxChars: arguments.maxChars)
    }
  }

  /// Stars or unstars a repository.
  package static func star(_ run: @escaping CommandRunner) -> Tool {
    Tool(
      name: "star", title: "Star", summary: "Star a repository on its forge, or remove the star.",
      parameters: [
        Parameter(name: "repo", kind: .text, isRequired: true, summary: "owner/name"),
        Parameter(name: "on", kind: .flag, isRequired: true),
      ],
      output: [("repo", "string"), ("starred", "boolean")], effect: .changes
    ) { arguments throws(ToolFailure) in
      let repo = arguments.text("repo") ?? ""
      let isOn = arguments.flag("on")
      let outcome = await run([isOn ? "star" : "unstar", "--", repo])
      guard outcome.status == 0 else {
        let problem = outcome.problems.first
        throw ToolFailure(
          problem?.message ?? "the star could not be changed", hint: problem?.hint ?? "try again later")
      }
      return .object(["repo": .string(repo), "starred": .bool(isOn), "complete": .bool(true)])
    }
  }

  /// The arguments that name a clone.
  static let clone = [
    Parameter(name: "repo", kind: .text, summary: "owner/name"),
    Parameter(name: "path", kind: .text, summary: "of a clone"),
  ]

  /// The folder of the clone that `path` or `repo` names.
  ///
  /// - Throws: `ToolFailure` where neither or both are given, or no clone of the repository is known.
  static func clonePath(_ arguments: ToolArguments, _ run: CommandRunner) async throws(ToolFailure) -> String
  {
    switch (arguments.text("repo"), arguments.text("path")) {
    case (nil, let path?): return path
    case (let repo?, nil):
      guard let path = try await knownClone(repo, run) else {
        throw ToolFailure(
          "there is no clone of \(repo)", hint: "clone it with: forage clone \(repo), or see the tool clones")
      }
      return path
    default: throw ToolFailure("give either \"repo\" or \"path\"", hint: "repo is owner/name, path a folder")
    }
  }

  /// The folder of a clone of a repository, `nil` where none is known.
  static func knownClone(_ repo: String, _ run: CommandRunner) async throws(ToolFailure) -> String? {
    let found = await run(["clones", "list", "--format=json"])
    let list = (try? JSONTree(parsing: Array(found.output.utf8)))?["clones"]?.array ?? []
    let wanted = repo.lowercased()
    return list.first { clone in
      guard let id = clone["id"]?.string?.lowercased() else { return false }
      return id == wanted || id.hasSuffix("/" + wanted)
    }?["path"]?.string
  }

  /// The number in a cursor of `clones`.
  private static func offset(_ cursor: String?) throws(ToolFailure) -> Int {
    guard let cursor else { return 0 }
    guard cursor.first == "c", let offset = Int(cursor.dropFirst()), offset >= 0 else {
      throw ToolFailure(
        "\"cursor\" is not one of this list", hint: "take it from \"next\" of the answer before")
    }
    return offset
  }

  /// A clone of the list: where it is and what is not on its remote.
  private static func clone(_ clone: JSONTree) -> JSONTree {
    var short: [String: JSONTree] = [:]
    for name in ["id", "path", "branch", "lastCommitAt", "error"] { short[name] = clone[name] }
    short["ahead"] = clone["upstream"]?["ahead"] ?? clone["ahead"]
    short["behind"] = clone["upstream"]?["behind"] ?? clone["behind"]
    let counts = ["staged", "unstaged", "untracked", "conflicted"].compactMap {
      clone["status"]?[$0]?.integer
    }
    if !counts.isEmpty { short["changes"] = .integer(counts.reduce(0, +)) }
    return .object(short)
  }
}
