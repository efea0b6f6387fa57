import ForageCore
import ForagePluginProtocol
import ForageYAML
import Yams

/// What a `plugin.json` declares of the kinds of results.
extension PluginManifestReader {
  private static let kindKeys = [
    "text", "qualifiers", "fields", "sorts", "maxPage", "maxTotal", "needsText", "needsToken",
    "feed", "feedSorts", "details",
  ]
  private static let qualifierKeys = ["push", "type", "field", "values"]
  private static let pushes: [Pushdown] = [.exact, .inexact, .unsupported]

  /// Reads the kinds of a provider: a list of names, or a mapping with the abilities of each.
  func readKinds(_ member: Member, _ provider: inout PluginManifest.Provider) {
    let rule = "a valid kind; use a lower-case word, for example repo"
    if member.value.sequence != nil {
      for name in texts(member, isRequired: true, where: ProviderInfo.isID, rule) ?? [] {
        provider.kinds[ResultKind(rawValue: name)] = Self.plainAbilities(provider)
      }
      return
    }
    guard let kinds = member.value.mapping, (1...PluginManifest.listLimit).contains(kinds.count) else {
      return report(
        member.value,
        "\"kinds\" must be a list of kinds, or a mapping with the abilities of each, at least one")
    }
    for entry in entries(member) {
      guard ProviderInfo.isID(entry.name) else {
        report(entry.key, "\"kinds\" has \"\(entry.name)\", which is not \(rule)")
        continue
      }
      if let part = part(entry, Self.kindKeys) { readKind(ResultKind(rawValue: entry.name), part, &provider) }
    }
  }

  /// Without members a kind narrows by words, and does nothing else.
  private static func plainAbilities(_ provider: PluginManifest.Provider) -> Abilities {
    Abilities(
      fields: Set(ResultField.order + provider.info.fields.map(\.name)), text: .inexact,
      maximumPageSize: PluginProtocol.Limits.items)
  }

  private func readKind(_ kind: ResultKind, _ part: Part, _ provider: inout PluginManifest.Provider) {
    var abilities = Self.plainAbilities(provider)
    let definitions =
      part["qualifiers"].map { qualifiers($0, of: kind, provider.info.fields, &abilities) } ?? []
    abilities.text = part["text"].flatMap(push) ?? abilities.text
    if let fields = texts(part["fields"]) {
      abilities.fields = Set(fields.map(ResultField.init(rawValue:)))
    } else {
      let vocabulary = QualifierVocabulary.common.adding(definitions).of(kind)
      abilities.fields.formUnion(abilities.qualifiers.keys.compactMap { vocabulary[$0]?.field })
    }
    abilities.sorts = sorts(part["sorts"])
    abilities.needsText = part.flag("needsText")
    abilities.needsToken = part.flag("needsToken") ?? false
    abilities.maximumPageSize =
      part.whole("maxPage", 1...PluginProtocol.Limits.items) ?? abilities.maximumPageSize
    abilities.reachable = part.whole("maxTotal", 0...Int.max)
    let feedSorts = sorts(part["feedSorts"])
    if part.flag("feed") == true {
      abilities.feed = Abilities.Feed(sorts: feedSorts)
    } else if let member = part["feedSorts"] {
      report(member.key, "\"feedSorts\" needs \"feed\": true")
    }
    if part.flag("details") == true { provider.detailedKinds.insert(kind) }
    provider.info.vocabulary += definitions.filter { !provider.info.vocabulary.contains($0) }
    provider.kinds[kind] = abilities
  }

  private func sorts(_ member: Member?) -> [String] {
    texts(
      member, where: { $0 != "relevance" },
      "a sort key; a search without a key is in the provider's own order") ?? []
  }

  private func push(_ member: Member) -> Pushdown? {
    word(member, among: Self.pushes.map(\.rawValue)).flatMap(Pushdown.init)
  }

  // MARK: Qualifiers

  /// Reads the qualifiers, each a word or a mapping with its type.
  ///
  /// - Returns: The definitions of its own ones. Those of the common vocabulary mean the same for every
  ///   provider.
  private func qualifiers(
    _ member: Member, of kind: ResultKind, _ fields: [FieldDefinition], _ abilities: inout Abilities
  ) -> [QualifierDefinition] {
    var definitions: [QualifierDefinition] = []
    for entry in entries(member).sorted(by: { $0.name < $1.name }) {
      let name = entry.name.lowercased()
      guard Self.isQualifier(name) else {
        report(entry.key, "\"\(entry.name)\" cannot be the name of a qualifier")
        continue
      }
      let ofField = fields.lazy.map(QualifierDefinition.init).first { $0.name == name }
      var own = ofField ?? QualifierDefinition(ofField: name, kinds: [])
      own.kinds = [kind]
      if entry.value.mapping == nil {
        abilities.qualifiers[name] = push(entry)
      } else if let declared = part(entry, Self.qualifierKeys) {
        abilities.qualifiers[name] = declared["push"].flatMap(push) ?? .unsupported
        if declared["type"] != nil || declared["values"] != nil { own.type = type(declared) }
        if let field = declared["field"].flatMap(text) { own.field = ResultField(rawValue: field) }
      }
      if QualifierVocabulary.common[name] == nil { definitions.append(own) }
    }
    return definitions
  }

  /// Whether the parser of queries accepts a name. `text` stands for words in requests.
  private static func isQualifier(_ name: String) -> Bool {
    !name.isEmpty && name != SearchFilter.textField
      && name.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && !#":"'()"#.utf8.contains($0) }
  }

  private func type(_ part: Part) -> QualifierType {
    let values = (texts(part["values"]) ?? []).map { $0.lowercased() }
    let (given, choice) = (part["type"], "choice")
    let isChoice = given.flatMap { StrictYAML.text($0.value) } == choice
    let value = isChoice ? nil : given.flatMap { type($0, among: FieldType.wordsOfQualifiers + [choice]) }
    if values.isEmpty == isChoice {
      report(
        part["values"]?.value ?? part.node,
        values.isEmpty ? "\"values\" must be the words of a choice" : "\"values\" is only for the type choice"
      )
    }
    return isChoice ? .choice(values) : QualifierType(value)
  }
}
