import Forage
import ForageCore
import ForageGit
import ForageInspector
import ForageStore

/// The tools that answer with facts of one thing, or of the clones.
enum RecordTools {
  /// Facts of a clone.
  static let inspect = Tool(
    name: "inspect", title: "Inspect a clone",
    summary:
      "Facts of a local clone: status, authors, activity, churn with main authors, languages, lines, licenses, sizes.",
    parameters: clone + [
      Parameter(name: "sections", kind: .texts, summary: "for example authors, churn; default all")
    ],
    output: [("path", "string"), ("notes", "array"), ("truncated", "boolean")],
    effect: .reads(openWorld: false)
  ) { forage, arguments in
    let path = try await clonePath(arguments, forage)
    let sections = try InspectionSection.named(arguments.texts("sections"), by: "\"sections\"")
    let report = try await forage.inspect(
      path, sections: sections.isEmpty ? InspectionSection.standard : sections)
    var members = InspectJSON.document(report).tree.object ?? [:]
    members["complete"] = .bool(report.damagedSections.isEmpty)
    return AnswerLimit.record(members, maxChars: arguments.maxChars)
  }

  /// The record of one thing.
  static let show = Tool(
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
  ) { forage, arguments in
    let record = try await forage.show(
      arguments.text("id") ?? "", comments: arguments.number("comments") ?? 0)
    var members = record.document.tree.object ?? [:]
    members["complete"] = .bool(
      record.missing.isEmpty && !record.outcomes.contains(where: \.state.isFailure))
    members["providers"] = record.outcomes.summary
    return AnswerLimit.record(members, maxChars: arguments.maxChars)
  }

  /// The clones of the catalogue with their state.
  static let clones = Tool(
    name: "clones", title: "List clones",
    summary: "Clones on this disk with branch, unpushed and uncommitted work.",
    parameters: [
      Parameter(name: "query", kind: .text, summary: "part of the id or path"),
      Parameter(name: "state", kind: .choice(["dirty", "ahead", "behind", "stashed"])),
      Parameter(name: "cursor", kind: .text),
    ],
    output: [("clones", "array"), ("next", "string"), ("truncated", "boolean")],
    effect: .reads(openWorld: false)
  ) { forage, arguments in
    let start = try offset(arguments.text("cursor"))
    let states = try await forage.cloneStates(filter(arguments.text("state")))
    let unread = states.filter { $0.error != nil }
    if let first = unread.first, unread.count == states.count {
      throw ToolFailure("\(first.clone.path): \(first.clone.error ?? "")", hint: first.error?.hint ?? "")
    }
    let wanted = arguments.text("query")?.lowercased()
    let all = states.filter { state in
      guard state.isListed, let wanted else { return state.isListed }
      return [state.clone.entityID, state.clone.path].contains {
        $0?.lowercased().contains(wanted) == true
      }
    }
    let rest = all.dropFirst(start).map { clone($0.document.tree) }
    let count = AnswerLimit.fitting(rest, in: [:], maxChars: arguments.maxChars)
    var members: [String: JSONTree] = [
      "clones": .array(Array(rest.prefix(count))), "complete": .bool(unread.isEmpty),
    ]
    if count < rest.count {
      members["next"] = .string("c\(start + count)")
      members["truncated"] = .bool(true)
    }
    return AnswerLimit.record(members, maxChars: arguments.maxChars)
  }

  /// Stars or unstars a repository.
  static let star = Tool(
    name: "star", title: "Star", summary: "Star a repository on its forge, or remove the star.",
    parameters: [
      Parameter(name: "repo", kind: .text, isRequired: true, summary: "owner/name"),
      Parameter(name: "on", kind: .flag, isRequired: true),
    ],
    output: [("repo", "string"), ("starred", "boolean")], effect: .changes
  ) { forage, arguments in
    let repo = arguments.text("repo") ?? ""
    let isOn = arguments.flag("on")
    if isOn { try await forage.star(repo) } else { try await forage.unstar(repo) }
    return .object(["repo": .string(repo), "starred": .bool(isOn), "complete": .bool(true)])
  }

  /// The arguments that name a clone.
  static let clone = [
    Parameter(name: "repo", kind: .text, summary: "owner/name"),
    Parameter(name: "path", kind: .text, summary: "of a clone"),
  ]

  /// The folder of the clone that `path` or `repo` names.
  ///
  /// - Throws: `ToolFailure` where neither or both are given, or no clone of the repository is known.
  private static func clonePath(_ arguments: ToolArguments, _ forage: Forage) async throws -> String {
    switch (arguments.text("repo"), arguments.text("path")) {
    case (nil, let path?): return try await ReferenceReader(forage.services).paths([path]).first ?? path
    case (let repo?, nil):
      guard let path = try await forage.cloneRecords().first(where: { $0.isClone(of: repo) })?.path else {
        let shown = repo.prefix(64)
        throw ToolFailure(
          "there is no clone of \(shown)",
          hint: "clone it with: forage clone \(shown), or see the tool clones")
      }
      return path
    default: throw ToolFailure("give either \"repo\" or \"path\"", hint: "repo is owner/name, path a folder")
    }
  }

  /// The condition that `state` names.
  private static func filter(_ state: String?) -> CloneFilter? {
    guard let state else { return nil }
    var filter = CloneFilter()
    switch state {
    case "dirty": filter.isDirty = true
    case "ahead": filter.isAhead = true
    case "behind": filter.isBehind = true
    default: filter.isStashed = true
    }
    return filter
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
