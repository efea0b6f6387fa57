import ForageCore

extension ComplianceCheck {
  static let declarationChecks = [
    ComplianceCheck("declaration", "what the provider says of itself is well formed") { trial in
      .evaluated(DeclarationRules(declaration: trial.declaration, vocabulary: trial.vocabulary).faults)
    }
  ]
}

private struct DeclarationRules {
  let declaration: Declaration
  let vocabulary: QualifierVocabulary

  private var info: ProviderInfo { declaration.info }

  var faults: [Observation] {
    identityFaults
      + declaration.kinds.sorted { $0.key.rawValue < $1.key.rawValue }.flatMap(kindFaults)
  }

  private var identityFaults: [Observation] {
    var faults: [Observation] = []
    func fault(_ expected: String, _ found: String) {
      faults.append(Observation("the provider", expected, found))
    }
    if !ProviderInfo.isID(info.id) {
      fault(
        "an id of lower-case letters, digits, -, _ and . that begins with a letter or digit",
        "it is \(ReportText.short(QueryTerm.quoted(info.id)))")
    }
    if info.name.trimmingWhitespace().isEmpty || !ReportText.isPlain(info.name) {
      fault("a name on one line", "it is \(ReportText.short(QueryTerm.quoted(info.name)))")
    }
    if info.group.isEmpty { fault("a group", "it is empty") }
    if let limit = info.timeLimit, limit <= .zero {
      fault("a time limit of more than 0", "it is \(limit)")
    }
    for host in info.hosts where !Self.isHost(host) {
      fault(
        "hosts in lower case without scheme and path",
        "there is \(ReportText.short(QueryTerm.quoted(host)))")
    }
    for definition in info.vocabulary where definition.name != definition.name.lowercased() {
      fault("qualifiers in lower case", "there is \(ReportText.short(definition.name))")
    }
    if declaration.kinds.isEmpty { fault("a kind of results", "it has none") }
    for kind in declaration.detailedKinds.map(\.rawValue).sorted()
    where declaration.kinds[ResultKind(rawValue: kind)] == nil {
      fault("details of kinds that it searches", "there is \(ReportText.short(kind))")
    }
    return faults
  }

  private func kindFaults(_ kind: ResultKind, _ abilities: Abilities) -> [Observation] {
    var faults: [Observation] = []
    func fault(_ expected: String, _ found: String) {
      faults.append(Observation("the kind \(kind.rawValue)", expected, found))
    }
    if kind.rawValue.isEmpty || kind.rawValue != kind.rawValue.lowercased() {
      fault("a name in lower case", "it is \(ReportText.short(QueryTerm.quoted(kind.rawValue)))")
    }
    if abilities.maximumPageSize < 1 {
      fault("pages of 1 item or more", "it is \(abilities.maximumPageSize)")
    }
    if let reachable = abilities.reachable, reachable < 1 {
      fault("a reachable maximum of 1 or more, or none", "it is \(reachable)")
    }
    if abilities.feed != nil, !declaration.canHaveFeeds {
      fault("a feed only of a FeedProvider", "it declares one")
    }
    for sorts in [abilities.sorts, abilities.feed?.sorts ?? []]
    where Set(sorts).count < sorts.count || sorts.contains("") {
      fault("sorts that are named and differ", "they are \(sorts.joined(separator: ", "))")
    }
    for (name, push) in abilities.qualifiers.sorted(by: { $0.key < $1.key }) where name != "props.*" {
      guard let definition = vocabulary.of(kind)[name] else {
        fault("a definition in the vocabulary of every qualifier", "\(ReportText.short(name)): has none")
        continue
      }
      // The federation checks an inexact qualifier on a field; without the field no item would pass.
      let isReadable = definition.field.map(abilities.fields.contains) ?? ["in", "is"].contains(name)
      if push == .inexact, !isReadable {
        let field = definition.field.map { "\($0.rawValue), which is not among the fields" } ?? "no field"
        fault("a field on which \(name): can be checked", "it reads \(field)")
      }
    }
    return faults
  }

  private static func isHost(_ host: String) -> Bool {
    !host.isEmpty && host == host.lowercased() && ReportText.isPlain(host)
      && !host.contains { $0.isWhitespace || "/@?#".contains($0) }
  }
}
