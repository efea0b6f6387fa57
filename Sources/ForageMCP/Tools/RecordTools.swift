import Forage
import ForageCore
import ForageInspector
import ForagePlatform

/// The tools that answer with facts of one thing, or of the clones.
enum RecordTools {
  static let inspect = Tool(
    name: "inspect", title: "Inspect",
    summary:
      "Facts of a clone: status, authors, activity, churn, languages, lines, licenses, size.",
    parameters: clone + [
      Parameter(name: "sections", kind: .texts, summary: "for example authors, churn"),
      Parameter(name: "file", kind: .text, summary: "churn of one file"),
    ],
    output: [("path", "string")],
    effect: .reads(openWorld: false)
  ) { forage, arguments, _ in
    let path = try await clonePath(arguments, forage)
    let sections = try InspectionSection.named(arguments.texts("sections"), by: "\"sections\"")
    let file = try arguments.text("file").map { file throws(ToolFailure) in try ReadTool.checked(file) }
    do {
      let report = try await forage.inspect(
        path,
        sections: file != nil
          ? sections.subtracting([.churn]) : sections.isEmpty ? InspectionSection.standard : sections)
      var members = InspectJSON.document(report).object ?? [:]
      var outcome = outcome(report)
      if let file {
        let (counts, isWhole) = try await forage.churn(of: file, in: report.path)
        members["churn"] = counts.json
        if !isWhole {
          outcome = .local(.partial, "not every commit could be compared, because objects are missing")
        }
      }
      members["complete"] = .bool(outcome.isComplete)
      members["providers"] = [outcome].summary
      return ResponseLimit.record(members, maxChars: arguments.maxChars)
    } catch {
      guard let failure = ForageError(describing: error) else { throw error }
      throw AskedFailure(error: failure, providers: [.local(.failed, failure.message)])
    }
  }

  static let show = Tool(
    name: "show", title: "Show",
    summary: "All that is known of one thing: repository with README, issue, pull request, commit, user.",
    parameters: [
      Parameter(
        name: "id", kind: .text, isRequired: true,
        summary: "id of a result, owner/name, owner/name#7, URL or path"),
      Parameter(name: "comments", kind: .number(0...20), summary: "of an issue"),
    ],
    output: [("item", "object")],
    effect: .reads(openWorld: true)
  ) { forage, arguments, _ in
    let limit = SearchOptions.defaultTimeout
    let lookup = try EntityLookup(forage)
    let answer = try await lookup.answer(
      try await lookup.target(arguments.text("id") ?? ""), sections: InspectionSection.standard,
      within: limit)
    lookup.reportMissing(answer)
    var outcomes = answer.remote.outcomes
    switch answer.local {
    case .success(let report): outcomes.append(outcome(report))
    case .failure(let error): outcomes.append(.local(.failed, error.message))
    case nil: break
    }
    do {
      let record = try await lookup.record(
        of: answer, comments: arguments.number("comments") ?? 0, within: limit)
      lookup.remember(answer)
      // The comments belong to the answer of their forge.
      outcomes.replaceSubrange(..<answer.remote.outcomes.count, with: record.outcomes)
      var members = record.document.object ?? [:]
      members["complete"] = .bool(record.missing.isEmpty && outcomes.allSatisfy(\.isComplete))
      members["providers"] = outcomes.summary
      return ResponseLimit.record(members, maxChars: arguments.maxChars)
    } catch {
      throw AskedFailure(error: error, providers: outcomes)
    }
  }

  static let clones = Tool(
    name: "clones", title: "Clones",
    summary: "Clones on this disk with branch, unpushed and uncommitted work.",
    parameters: [
      Parameter(name: "query", kind: .text, summary: "part of the id or path, or a glob such as owner/*"),
      Parameter(name: "state", kind: .choice(["dirty", "ahead", "behind", "stashed"])),
      Parameter(name: "cursor", kind: .text),
    ],
    output: [("clones", "array"), ("next", "string")],
    effect: .reads(openWorld: false)
  ) { forage, arguments, _ in
    let start = try arguments.start("c", in: "list")
    let condition = arguments.text("state").flatMap(CloneFilter.Condition.init)
    var states: [CloneState] = []
    try await CloneState.inspect(
      try await CloneState.catalogued(forage), condition.map { CloneFilter([$0]) }, forage
    ) { states.append($0) }
    let unread = states.filter { $0.error != nil }
    var outcome = ProviderOutcome.local()
    if let first = unread.first {
      let problem = "\(first.path): \(first.problem ?? "")"
      guard unread.count < states.count else {
        throw ToolFailure(
          problem, hint: first.error?.hint ?? "", providers: [.local(.failed, problem)])
      }
      outcome = .local(
        .partial, "\(unread.count) of \(states.count) clones cannot be read, for example \(problem)")
    }
    let query = arguments.text("query")
    let paths = try query.flatMap { try forage.cloneNames().paths(matching: $0) }
    let all = states.filter { state in
      state.isListed
        && (paths?.contains(ExactText(state.path)) ?? state.isNamed(by: query.map { [$0] } ?? []))
    }
    let rest = all.dropFirst(start).map { clone($0.document) }
    var members: [String: JSONTree] = [
      "complete": .bool(outcome.isComplete), "providers": [outcome].summary,
    ]
    let count = ResponseLimit.fitting(rest, in: members, maxChars: arguments.maxChars)
    members["clones"] = .array(Array(rest.prefix(count)))
    if count < rest.count {
      members["next"] = .string("c\(start + count)")
      members["truncated"] = .bool(true)
    }
    return ResponseLimit.record(members, maxChars: arguments.maxChars)
  }

  static let star = Tool(
    name: "star", title: "Star", summary: "Star a repository, or remove the star.",
    parameters: [
      Parameter(name: "repo", kind: .text, isRequired: true, summary: "owner/name"),
      Parameter(name: "on", kind: .flag, isRequired: true),
    ],
    output: [("repo", "string"), ("starred", "boolean")], effect: .changes
  ) { forage, arguments, _ in
    let repo = try arguments.repository(forage) ?? ""
    let isOn = arguments.flag("on")
    let starring = try Starring(forage)
    let named = try await ReferenceReader(forage).reference(repo)
    let change = isOn ? StarChange.add : .remove
    let entity = try starring.repository(named, change)
    let forge = forage.forgeProvider(at: entity.host)?.info.id ?? entity.host
    var outcome = ProviderOutcome(id: forge, name: forge, kind: .repo, state: .ok)
    do {
      try await starring.change(change, of: entity, within: SearchOptions.defaultTimeout)
    } catch let error as SearchError {
      (outcome.state, outcome.error) = (error.state, error)
      throw AskedFailure(error: error, providers: [outcome])
    }
    return .object([
      "repo": .string(repo), "starred": .bool(isOn), "complete": .bool(true),
      "providers": [outcome].summary,
    ])
  }

  private static func outcome(_ report: InspectionReport) -> ProviderOutcome {
    let damaged = report.damagedSections
    return damaged.isEmpty
      ? .local() : .local(.partial, "not everything could be read: " + damaged.joined(separator: ", "))
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
    switch try arguments.place(forage) {
    case (nil, let path?):
      let (found, missing, _) = try await ReferenceReader(forage).paths([path])
      if let error = missing.first { throw error }
      guard found.count < 2 else {
        throw ToolFailure(
          "\"path\" means \(found.count) clones", hint: "give the path of one; see the tool clones")
      }
      return found.first ?? path
    case (let repo, _):
      return try await clonePath(of: repo ?? "", forage)
    }
  }

  /// The folder of a clone of a repository.
  ///
  /// - Throws: `ToolFailure` where none is known.
  static func clonePath(of repo: String, _ forage: Forage) async throws -> String {
    guard let path = try await forage.clonePath(of: repo) else {
      let shown = repo.prefix(ToolArguments.shownLength)
      let hints = [Remedy.clone(String(shown)), .listCatalogue].map(\.advice)
      throw ToolFailure("there is no clone of \(shown)", hint: hints.joined(separator: ", or "))
    }
    return path
  }

  /// A clone of the list: where it is and what is not on its remote.
  private static func clone(_ clone: JSONTree) -> JSONTree {
    var short: [String: JSONTree] = [:]
    for name in ["id", "path", "branch", "lastCommitAt", "error"] { short[name] = clone[name] }
    short["ahead"] = clone["upstream"]?["ahead"]
    short["behind"] = clone["upstream"]?["behind"]
    let counts = ["staged", "unstaged", "untracked", "conflicted"].compactMap {
      clone["status"]?[$0]?.integer
    }
    if !counts.isEmpty { short["changes"] = .integer(counts.reduce(0, +)) }
    return .object(short)
  }
}
