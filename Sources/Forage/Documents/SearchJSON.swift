package import ForageCore

/// Search results as JSON.
package enum SearchJSON {
  /// The names that `--json` takes.
  package static let fieldNames: [String] =
    ["id", "kind", "title", "url"] + ResultField.order.map(\.rawValue) + fieldsElsewhere
    + ["score", "sources", "related"]
  /// The fields that only stories, questions and packages have.
  private static let fieldsElsewhere = [
    "points", "text", "discussionUrl", "answers", "accepted", "tags", "version", "registry",
  ]

  /// The whole answer as one object.
  package static func envelope(
    _ result: FederatedResult, query: String?, explains: Bool, next: String? = nil, hasItems: Bool = true
  )
    -> JSONValue
  {
    .members([
      ("schema", .int(1)), ("query", query.map(JSONValue.string)), ("complete", .bool(result.isComplete)),
      ("next", next.map(JSONValue.string)),
      ("providers", .array(result.outcomes.map(outcome))),
      ("items", hasItems ? .array(result.items.map { item($0, explains: explains) }) : nil),
    ])
  }

  /// The status of one provider.
  package static func outcome(_ outcome: ProviderOutcome) -> JSONValue {
    .members([
      ("id", .string(outcome.id)), ("kind", .string(outcome.kind.rawValue)),
      ("state", .string(outcome.state.rawValue)),
      ("returned", .int(outcome.returned)),
      (
        "total",
        outcome.total.map {
          .object([("value", .int($0.value)), ("relation", .string($0.relation.rawValue))])
        }
      ),
      ("elapsedMs", .int(outcome.elapsed.milliseconds)), ("requests", .int(outcome.requests)),
      ("fromCache", .bool(outcome.cache.age != nil)),
      ("cacheAgeMs", outcome.cache.age.map { .int($0.milliseconds) }),
      ("stale", outcome.cache.isStale ? .bool(true) : nil),
      ("incomplete", .bool(outcome.isIncomplete || !outcome.shortfalls.isEmpty)),
      ("residual", .array(outcome.residual.map(JSONValue.string))),
      ("scanLimited", outcome.isScanLimited ? .bool(true) : nil),
      ("reachable", outcome.reachable.map(JSONValue.int)),
      ("shortfalls", outcome.shortfalls.isEmpty ? nil : .array(outcome.shortfalls.map(shortfall))),
      ("sortApproximate", outcome.isSortApproximate ? .bool(true) : nil),
      ("dropped", outcome.isDropped ? .bool(true) : nil),
      ("searched", outcome.coverage.map(searched)),
      ("unreadable", outcome.unreadable > 0 ? .int(outcome.unreadable) : nil),
      ("reason", outcome.reason.map(JSONValue.string)),
      ("error", outcome.state.isExcluded ? .null : outcome.error.map(error) ?? .null),
    ])
  }

  /// What a provider of files has searched.
  package static func searched(_ coverage: SearchCoverage) -> JSONValue {
    .object([
      ("clones", .int(coverage.clones)), ("files", .int(coverage.files)),
      (
        "skipped",
        .object(coverage.skipped.sorted { $0.key.bytesPrecede($1.key) }.map { ($0.key, .int($0.value)) })
      ),
    ])
  }

  private static func shortfall(_ shortfall: SearchShortfall) -> JSONValue {
    .members([("message", .string(shortfall.message)), ("hint", .string(shortfall.hint))])
  }

  private static func error(_ error: SearchError) -> JSONValue {
    .members([
      ("code", .string(error.code.rawValue)), ("message", .string(error.message)),
      ("hint", .string(error.hint)),
      ("retryAfterMs", error.retryAfterMilliseconds.map(JSONValue.int)),
    ])
  }

  /// One entity with who ranked it.
  package static func item(_ item: MergedItem, explains: Bool) -> JSONValue {
    .object(
      members(item.result) + ranking(item, explains: explains) + related(item.result)
        + (explains ? provenance(item) : []))
  }

  /// The member with the related entities; none where there are none.
  package static func related(_ result: SearchResult) -> [(String, JSONValue)] {
    guard !result.related.isEmpty else { return [] }
    let others = result.related.map {
      JSONValue.object([("id", .string($0.id)), ("why", .string($0.why.rawValue))])
    }
    return [("related", .array(others))]
  }

  /// The member with the value of each provider, for the fields of which providers returned different values.
  private static func provenance(_ item: MergedItem) -> [(String, JSONValue)] {
    let fields = item.disputedFields.filter { $0 != .rootCommits }.map { field in
      (
        field.rawValue,
        JSONValue.array(
          item.provenance(of: field).map { sighting in
            .members([
              ("value", json(sighting.value)), ("provider", .string(sighting.provider)),
              ("observedAt", sighting.observedAt.map(JSONValue.date)),
            ])
          })
      )
    }
    return fields.isEmpty ? [] : [("provenance", .object(fields))]
  }

  private static func ranking(_ item: MergedItem, explains: Bool) -> [(String, JSONValue)] {
    let sources = item.sources.map { source in
      JSONValue.members([
        ("provider", .string(source.provider)), ("rank", .int(source.rank)),
        ("id", source.id.map(JSONValue.string)),
        (
          "contribution",
          explains ? .double(rounded(Double(source.contribution) / Double(RankFusion.one))) : nil
        ),
      ])
    }
    return [("score", .double(rounded(item.relativeScore))), ("sources", .array(sources))]
  }

  /// Six decimals: enough to distinguish neighbours at rank 1,000.
  private static func rounded(_ value: Double) -> Double { (value * 1e6).rounded() / 1e6 }

  /// One entity by itself.
  package static func members(_ result: SearchResult) -> [(String, JSONValue)] {
    var members: [(String, JSONValue)] = [
      ("id", .string(result.id)), ("kind", .string(result.kind.rawValue)), ("title", .string(result.title)),
    ]
    if let url = result.url { members.append(("url", .string(url))) }
    // Relations by common first commits are in "related".
    for field in result.orderedFields where field != .rootCommits {
      if let value = result[field] { members.append((field.rawValue, json(value))) }
    }
    return members
  }

  private static func json(_ value: FieldValue) -> JSONValue {
    switch value {
    case .text(let text): .string(text)
    case .number(let number): .int(number)
    case .fraction(let value): .double(rounded(value))
    case .flag(let flag): .bool(flag)
    case .date(let date): .date(date)
    case .list(let texts): .array(texts.map(JSONValue.string))
    case .items(let values): .array(values.map(json))
    case .record(let members):
      .object(
        members.sorted { (place(of: $0.key), $0.key) < (place(of: $1.key), $1.key) }.map {
          ($0.key, json($0.value))
        })
    }
  }

  /// The members of records in reading order; others follow by name.
  private static let memberOrder = [
    "text", "line", "column", "ranges", "before", "after", "matches", "repository", "path", "ref", "commit",
    "file", "tag", "login", "name", "bytes", "share", "commits", "publishedAt",
  ]

  private static func place(of member: String) -> Int {
    memberOrder.firstIndex(of: member) ?? memberOrder.count
  }

  /// An item as it arrived from a provider, unranked.
  package static func arrival(_ result: SearchResult, from provider: String) -> JSONValue {
    var source: [(String, JSONValue)] = [("provider", .string(provider))]
    if let id = result.forgeID { source.append(("id", .string(id))) }
    return .object(members(result) + [("sources", .array([.object(source)]))] + related(result))
  }
}
