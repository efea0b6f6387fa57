import ForageCore

extension ComplianceCheck {
  static let descriptorChecks = [
    ComplianceCheck("descriptor", "the descriptor is well formed") { trial in
      .evaluated(DescriptorRules(descriptor: trial.descriptor, vocabulary: trial.vocabulary).faults)
    }
  ]
}

private struct DescriptorRules {
  let descriptor: ProviderDescriptor
  let vocabulary: QualifierVocabulary

  var faults: [Observation] {
    identityFaults
      + descriptor.kinds.sorted { $0.key.rawValue < $1.key.rawValue }.flatMap(kindFaults)
  }

  private var identityFaults: [Observation] {
    var faults: [Observation] = []
    func fault(_ expected: String, _ found: String) {
      faults.append(Observation("the descriptor", expected, found))
    }
    if !ProviderDescriptor.isID(descriptor.id) {
      fault(
        "an id of lower-case letters, digits, -, _ and . that begins with a letter or digit",
        "it is \(ReportText.short(QueryTerm.quoted(descriptor.id)))")
    }
    if descriptor.name.trimmingWhitespace().isEmpty || !ReportText.isPlain(descriptor.name) {
      fault("a name on one line", "it is \(ReportText.short(QueryTerm.quoted(descriptor.name)))")
    }
    if descriptor.group.isEmpty { fault("a group", "it is empty") }
    if let limit = descriptor.timeLimit, limit <= .zero {
      fault("a time limit of more than 0", "it is \(limit)")
    }
    for host in descriptor.hosts where !Self.isHost(host) {
      fault(
        "hosts in lower case without scheme and path",
        "there is \(ReportText.short(QueryTerm.quoted(host)))")
    }
    for definition in descriptor.vocabulary where definition.name != definition.name.lowercased() {
      fault("qualifiers in lower case", "there is \(ReportText.short(definition.name))")
    }
    if descriptor.kinds.isEmpty { fault("a kind of results", "it has none") }
    return faults
  }

  private func kindFaults(_ kind: ResultKind, _ abilities: ProviderDescriptor.KindAbilities)
    -> [Observation]
  {
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

extension ProviderDescriptor {
  /// All properties as text, to compare two descriptors.
  var properties: [(name: String, value: String)] {
    var result: [(name: String, value: String)] = [
      ("id", id), ("name", name), ("group", group), ("hosts", hosts.joined(separator: ", ")),
      ("hasDetails", String(hasDetails)),
      ("timeLimit", timeLimit.map { "\($0)" } ?? "none"),
      (
        "vocabulary",
        vocabulary.map { "\($0.name) \($0.type) \($0.field?.rawValue ?? "")" }.joined(separator: ", ")
      ),
      ("kinds", kinds.keys.map(\.rawValue).sorted().joined(separator: ", ")),
    ]
    for (kind, abilities) in kinds.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
      let pushes = abilities.qualifiers.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value.rawValue)" }
      let properties = [
        ("qualifiers", pushes.joined(separator: ", ")),
        ("fields", abilities.fields.map(\.rawValue).sorted().joined(separator: ", ")),
        ("sorts", abilities.sorts.joined(separator: ", ")), ("booleans", String(abilities.booleans)),
        ("needsText", String(abilities.needsText)), ("needsToken", String(abilities.needsToken)),
        ("maximumPageSize", String(abilities.maximumPageSize)),
        ("reachable", abilities.reachable.map(String.init) ?? "all"),
        ("feed", abilities.feed.map { "by " + $0.sorts.joined(separator: ", ") } ?? "none"),
      ]
      result += properties.map { (name: kind.rawValue + " " + $0.0, value: $0.1) }
    }
    return result
  }
}
