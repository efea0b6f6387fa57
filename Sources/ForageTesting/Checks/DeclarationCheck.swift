import ForageCore

extension ComplianceCheck {
  static let declaration = ComplianceCheck(
    "declaration", "the declaration is well formed, and the items have only what it names"
  ) { trial in
    let kinds = trial.abilities.sorted { $0.key.rawValue < $1.key.rawValue }
    return .evaluated(
      trial.identityFaults + kinds.flatMap { trial.faults(of: $0.key, $0.value) } + trial.undeclared)
  }
}

extension Trial {
  fileprivate var identityFaults: [ComplianceFinding] {
    var problems: [String] = []
    if !ProviderInfo.isID(info.id) {
      problems.append(
        "its id \(ReportText.short(QueryTerm.quoted(info.id))) has something else than lower-case letters, digits, "
          + "-, _ and ., or does not begin with a letter or digit")
    }
    if info.name.trimmingWhitespace().isEmpty || !ReportText.isPlain(info.name) {
      problems.append("its name is empty or has control characters")
    }
    for host in info.hosts
    where host.isEmpty || host != host.lowercased() || host.contains(where: "/@ ".contains) {
      problems.append("its host \(ReportText.short(QueryTerm.quoted(host))) is not a host in lower case")
    }
    if abilities.isEmpty { problems.append("it declares no kind of results") }
    // A forge can have files that it does not search.
    let searched = detailedKinds.subtracting(provider is any ForgeProvider ? [.code] : [])
    for kind in searched.map(\.rawValue).sorted() where abilities[ResultKind(rawValue: kind)] == nil {
      problems.append("it declares details of the kind \(ReportText.short(kind)), which it does not search")
    }
    return problems.map { ComplianceFinding("the provider", $0) }
  }

  fileprivate func faults(of kind: ResultKind, _ abilities: Abilities) -> [ComplianceFinding] {
    var problems: [String] = []
    if kind.rawValue.isEmpty || kind.rawValue != kind.rawValue.lowercased() {
      problems.append("the name of a kind has only lower-case letters")
    }
    if abilities.maximumPageSize < 1 {
      problems.append("its largest page has \(abilities.maximumPageSize) items")
    }
    if abilities.feed != nil, !(provider is any FeedProvider) {
      problems.append("it declares a feed, but the provider is not a FeedProvider")
    }
    for (name, push) in abilities.qualifiers.sorted(by: { $0.key < $1.key }) where name != "props.*" {
      guard let definition = vocabulary.of(kind)[name] else {
        problems.append(
          "\(ReportText.short(name)): is neither a common qualifier nor one of its vocabulary; declare a field of that name in ProviderInfo"
        )
        continue
      }
      // The search checks an inexact qualifier on a field; without the field no item would pass.
      guard push == .inexact, !["in", "is"].contains(name) else { continue }
      if !(definition.field.map(abilities.fields.contains) ?? false) {
        let field = definition.field.map { "the field \($0.rawValue) is not declared" } ?? "it reads no field"
        problems.append("\(name): is inexact, so the search checks it on the items, but \(field)")
      }
    }
    return problems.map { ComplianceFinding("the kind \(ReportText.short(kind.rawValue))", $0) }
  }

  /// The items whose kind or fields the declaration does not name, or whose fields have another type.
  fileprivate var undeclared: [ComplianceFinding] {
    walks.flatMap { walk in
      walk.sightings.compactMap { seen in
        let (item, kind) = (seen.item, walk.request.kind)
        guard item.kind == kind else {
          return ComplianceFinding(seen.subject, "its kind is \(ReportText.short(item.kind.rawValue))")
        }
        for field in item.orderedFields {
          let name = ReportText.short(field.rawValue)
          guard abilities[kind]?.fields.contains(field) == true else {
            return ComplianceFinding(seen.subject, "its field \(name) is not declared")
          }
          if let value = item[field], let type = field.typeMismatch(value) {
            return ComplianceFinding(
              seen.subject, "its field \(name) is not a \(type): \(ReportText.value(value))")
          }
        }
        return nil
      }
    }
  }
}

extension ResultField {
  /// The type that qualifiers and sorts expect of the field; `nil` if a value has it, or any will do.
  fileprivate func typeMismatch(_ value: FieldValue) -> String? {
    switch (FieldType.known[rawValue], value) {
    case (.number, .number), (.date, .date), (.flag, .flag), (.list, .list): nil
    case (.number, _): "number"
    case (.date, _): "date"
    case (.flag, _): "flag"
    case (.list, _): "list"
    case (.text, _), (.fraction, _), (nil, _): nil
    }
  }
}
