package import ForageCore

package enum SearchJSON {
  /// The names that `--json` takes.
  package static let fieldNames: [String] =
    ["id", "kind", "title", "url"]
    + (ResultField.order + ResultField.ofSomeKinds).map(\.rawValue)
    .filter { !unlistedFields.contains($0) } + ["sources", "related"]
  /// What others say, too, or a page alone shows.
  private static let unlistedFields: Set = [
    "additions", "cloneUrl", "company", "deletions", "following", "fullName", "sshUrl",
  ]
  /// The fields of every kind.
  private static let commonFields: Set = [
    "id", "kind", "title", "url", "path", "favorite", "starred", "score", "sources", "related",
  ]

  /// The names of the fields that results of some kinds can have; all names where no provider has these
  /// kinds.
  package static func fieldNames(of kinds: [ResultKind], in registry: ProviderRegistry) -> [String] {
    let abilities = registry.entries.flatMap { entry in kinds.compactMap { entry.kinds[$0] } }
    guard !abilities.isEmpty else { return fieldNames }
    // No result shows its root commits.
    let fields = abilities.reduce(into: Set<ResultField>()) { $0.formUnion($1.fields) }.subtracting([
      .rootCommits
    ])
    let known = fieldNames.filter { commonFields.contains($0) || fields.contains(ResultField(rawValue: $0)) }
    // Those that only a provider has stand among the others in a result.
    return known
      + fields.map(\.rawValue).filter { !fieldNames.contains($0) && FieldType.known[$0] == nil }.sorted()
  }

  /// What a document says of the whole answer, before its items.
  package static func envelope(_ result: FederatedResult, query: String?) -> [(String, JSONTree)] {
    let query = query.map { [("query", JSONTree.string($0))] } ?? []
    return [("schema", .integer(1))] + query + [
      ("complete", .bool(result.isComplete)), ("providers", result.outcomes.map(outcome).json),
    ]
  }

  package static func outcome(_ outcome: ProviderOutcome) -> JSONTree {
    JSONTree([
      "id": outcome.id, "kind": outcome.kind.rawValue, "state": outcome.state.rawValue,
      "returned": outcome.returned, "total": outcome.total.map(total),
      "elapsedMs": outcome.elapsed.milliseconds, "requests": outcome.requests,
      "fromCache": outcome.cache.age != nil, "cacheAgeMs": outcome.cache.age?.milliseconds,
      "stale": outcome.cache.isStale ? true : nil,
      "incomplete": outcome.isPartialByItsWord
        || outcome.notes.contains { $0.isMissing && $0.code != .stale },
      "residual": outcome.residual,
      "notes": outcome.notes.isEmpty ? nil : outcome.notes.map(note),
      "searched": outcome.coverage.map(searched), "reason": outcome.reason,
      "error": outcome.state.isExcluded ? JSONTree.null : outcome.error.map(error) ?? .null,
    ])
  }

  private static func total(_ total: ResultTotal) -> JSONTree {
    JSONTree(["value": total.value, "relation": total.relation.rawValue])
  }

  /// The coverage of a provider of files: what it has searched.
  package static func searched(_ coverage: SearchCoverage) -> JSONTree {
    let skipped = coverage.skipped.sorted { $0.key.bytesPrecede($1.key) }
    return JSONTree([
      "clones": coverage.clones, "files": coverage.files,
      "skipped": JSONTree.object(skipped.map { ($0.key, .integer($0.value)) }),
    ])
  }

  private static func note(_ note: Note) -> JSONTree {
    JSONTree([
      "code": note.code.rawValue, "message": note.message, "hint": note.hint.isEmpty ? nil : note.hint,
    ])
  }

  private static func error(_ error: SearchError) -> JSONTree {
    JSONTree([
      "code": error.code.rawValue, "message": error.message, "hint": error.hint,
      "retryAfterMs": error.retryAfterMilliseconds,
    ])
  }

  /// One entity with who ranked it.
  package static func item(_ item: MergedItem, explains: Bool) -> JSONTree {
    .object(
      members(item.result) + ranking(item, explains: explains) + related(item.result)
        + (explains ? provenance(item) : []))
  }

  /// The member with the related entities; none where there are none.
  package static func related(_ result: SearchResult) -> [(String, JSONTree)] {
    guard !result.related.isEmpty else { return [] }
    return [("related", .array(result.related.map { JSONTree(["id": $0.id, "why": $0.why.rawValue]) }))]
  }

  /// The member with the value of each provider, for the fields of which providers returned different values.
  private static func provenance(_ item: MergedItem) -> [(String, JSONTree)] {
    let fields = item.disputedFields.filter { $0 != .rootCommits }.map { field in
      let sightings = item.provenance(of: field).map { sighting -> JSONTree in
        JSONTree([
          "value": JSONTree(sighting.value, rounded: rounded), "provider": sighting.provider,
          "observedAt": sighting.observedAt,
        ])
      }
      return (field.rawValue, JSONTree.array(sightings))
    }
    return fields.isEmpty ? [] : [("provenance", .object(fields))]
  }

  private static func ranking(_ item: MergedItem, explains: Bool) -> [(String, JSONTree)] {
    let sources = item.sources.map { source -> JSONTree in
      let contribution = Double(source.contribution) / Double(RankFusion.one)
      return JSONTree([
        "provider": source.provider, "rank": source.rank, "id": source.id,
        "contribution": explains ? rounded(contribution) : nil,
      ])
    }
    let score = ("score", JSONTree.double(rounded(item.relativeScore)))
    // The score of a question is that of its votes.
    return (item.result.kind == .question ? [] : [score]) + [("sources", .array(sources))]
  }

  /// Six decimals: enough to distinguish neighbours at rank 1,000.
  private static func rounded(_ value: Double) -> Double { (value * 1e6).rounded() / 1e6 }

  package static func members(_ result: SearchResult) -> [(String, JSONTree)] {
    var members: [(String, JSONTree)] = [
      ("id", .string(result.id)), ("kind", .string(result.kind.rawValue)), ("title", .string(result.title)),
    ]
    if let url = result.url { members.append(("url", .string(url))) }
    // Relations by common first commits are in "related".
    for field in result.orderedFields where field != .rootCommits && !field.isMember(for: result.kind) {
      if let value = result[field] { members.append((field.rawValue, JSONTree(value, rounded: rounded))) }
    }
    return members
  }
}
