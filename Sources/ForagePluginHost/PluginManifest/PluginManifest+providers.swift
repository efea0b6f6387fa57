import ForageCore
import ForagePluginProtocol

/// What a `plugin.json` declares of providers.
extension PluginManifest {
  private static let providerKeys = ["id", "name", "kinds", "concurrency", "hosts"]
  private static let kindKeys = [
    "text", "qualifiers", "fields", "sorts", "maxPage", "maxTotal", "booleans", "needsText", "needsToken",
    "feed", "feedSorts", "details",
  ]
  private static let qualifierKeys = ["push", "type", "field", "values"]
  private static let pushes = ["exact", "inexact", "unsupported"]
  private static let concurrencyLimit = 16

  /// Reads the providers: those of `providers`, or the one whose kinds are members of the file.
  ///
  /// - Parameters:
  ///   - file: The file.
  ///   - id: The plugin's id.
  ///   - name: Its display name.
  ///   - hosts: The hosts that it connects to.
  /// - Throws: `SearchError` that names the member and its line.
  static func providers(_ file: ManifestObject, id: String, name: String, hosts: [String]) throws(SearchError)
    -> [Provider]
  {
    guard let entry = file["providers"] else {
      return [try provider(file, id: id, name: name, hosts: hosts)]
    }
    if let key = ["kinds", "concurrency"].first(where: { file[$0] != nil }) {
      throw file.wrong(key, "must be in each of the \"providers\", because the file has them")
    }
    guard let elements = entry.value.elements, !elements.isEmpty, elements.count <= listLimit else {
      throw file.wrong("providers", "must be a list of at least one provider")
    }
    var result: [Provider] = []
    for element in elements {
      let object = try ManifestObject(element, path: file.path, what: "a provider", keys: providerKeys)
      let id = try object.text("id")
      guard ProviderInfo.isID(id) else {
        throw object.wrong("id", "is \"\(id)\", which is not a valid id")
      }
      guard !result.contains(where: { $0.info.id == id }) else {
        throw object.wrong("id", "is \"\(id)\", as that of another provider")
      }
      let own = try object.texts("hosts", where: hosts.contains, "one of the \"hosts\" of the plugin")
      result.append(
        try provider(
          object, id: id, name: try object.optionalText("name") ?? id,
          hosts: object["hosts"] == nil ? hosts : own))
    }
    return result
  }

  /// Reads a provider from the object with its kinds.
  private static func provider(_ object: ManifestObject, id: String, name: String, hosts: [String])
    throws(SearchError) -> Provider
  {
    var info = ProviderInfo(id: id, name: name, hosts: hosts, timeLimit: PluginProtocol.Limits.search)
    var abilities: [ResultKind: Abilities] = [:]
    var detailedKinds: Set<ResultKind> = []
    for declaration in try kinds(object) {
      abilities[declaration.kind] = declaration.abilities
      info.vocabulary += declaration.definitions.filter { !info.vocabulary.contains($0) }
      if declaration.hasDetails { detailedKinds.insert(declaration.kind) }
    }
    return Provider(
      info: info, kinds: abilities, detailedKinds: detailedKinds,
      concurrency: try object.number("concurrency", in: 1...concurrencyLimit) ?? 1)
  }

  /// Reads the kinds of a provider: a list of names, or an object with the abilities of each.
  private static func kinds(_ object: ManifestObject) throws(SearchError) -> [KindDeclaration] {
    let rule = "a valid kind; use a lower-case word, for example repo"
    guard let entry = object["kinds"], entry.value.elements == nil else {
      return try object.texts("kinds", isRequired: true, where: ProviderInfo.isID, rule)
        .map { KindDeclaration(kind: ResultKind(rawValue: $0)) }
    }
    guard let members = entry.value.members, !members.isEmpty, members.count <= listLimit,
      let kinds = try object.object("kinds", as: "\"kinds\"", keys: nil)
    else {
      throw object.wrong(
        "kinds", "must be a list of kinds, or an object with the abilities of each, at least one")
    }
    var result: [KindDeclaration] = []
    for name in kinds.names {
      guard ProviderInfo.isID(name) else {
        throw object.wrong("kinds", "has \"\(name)\", which is not \(rule)")
      }
      guard let abilities = try kinds.object(name, as: "kinds.\(name)", keys: kindKeys) else { continue }
      result.append(try kind(ResultKind(rawValue: name), abilities))
    }
    return result
  }

  // MARK: Kinds

  private struct KindDeclaration {
    var kind: ResultKind
    /// By default it narrows by words, and does nothing else.
    var abilities = Abilities(
      fields: Set(ResultField.order), text: .inexact, maximumPageSize: PluginProtocol.Limits.items)
    /// Its own qualifiers. Those of the common vocabulary mean the same for every provider.
    var definitions: [QualifierDefinition] = []
    var hasDetails = false
  }

  private static func kind(_ kind: ResultKind, _ object: ManifestObject) throws(SearchError)
    -> KindDeclaration
  {
    var result = KindDeclaration(kind: kind)
    try readQualifiers(object, into: &result)
    var abilities = result.abilities
    abilities.text = try push(object, "text") ?? abilities.text
    if object["fields"] != nil {
      abilities.fields = Set(try object.texts("fields").map(ResultField.init(rawValue:)))
    } else {
      let vocabulary = QualifierVocabulary.common.adding(result.definitions).of(kind)
      abilities.fields.formUnion(abilities.qualifiers.keys.compactMap { vocabulary[$0]?.field })
    }
    abilities.sorts = try sorts(object, "sorts")
    abilities.booleans = try object.flag("booleans") ?? false
    abilities.needsText = try object.flag("needsText") ?? true
    abilities.needsToken = try object.flag("needsToken") ?? false
    abilities.maximumPageSize =
      try object.number("maxPage", in: 1...PluginProtocol.Limits.items) ?? abilities.maximumPageSize
    abilities.reachable = try object.number("maxTotal", in: 0...Int.max)
    let feedSorts = try sorts(object, "feedSorts")
    if try object.flag("feed") ?? false {
      abilities.feed = Abilities.Feed(sorts: feedSorts)
    } else if object["feedSorts"] != nil {
      throw object.wrong("feedSorts", "needs \"feed\": true")
    }
    result.hasDetails = try object.flag("details") ?? false
    result.abilities = abilities
    return result
  }

  private static func sorts(_ object: ManifestObject, _ name: String) throws(SearchError) -> [String] {
    try object.texts(
      name, where: { $0 != "relevance" },
      "a sort key; a search without a key is in the provider's own order")
  }

  private static func push(_ object: ManifestObject, _ name: String) throws(SearchError)
    -> Pushdown?
  {
    try object.word(name, among: pushes).flatMap(Pushdown.init(rawValue:))
  }

  /// Reads the qualifiers, each a word or an object with its type.
  private static func readQualifiers(_ object: ManifestObject, into result: inout KindDeclaration)
    throws(SearchError)
  {
    guard let qualifiers = try object.object("qualifiers", as: "\"qualifiers\"", keys: nil) else { return }
    for key in qualifiers.names.sorted() {
      let name = key.lowercased()
      guard isQualifier(name) else {
        throw object.wrong("qualifiers", "has \"\(key)\", which cannot be the name of a qualifier")
      }
      var own = QualifierDefinition(name, .text, field: ResultField(rawValue: name), kinds: [result.kind])
      if qualifiers[key]?.value.members == nil {
        result.abilities.qualifiers[name] = try push(qualifiers, key)
      } else if let declared = try qualifiers.object(key, as: "qualifiers.\(key)", keys: qualifierKeys) {
        result.abilities.qualifiers[name] = try push(declared, "push") ?? .unsupported
        own.type = try type(declared)
        if let field = try declared.optionalText("field") { own.field = ResultField(rawValue: field) }
      }
      if QualifierVocabulary.common[name] == nil { result.definitions.append(own) }
    }
  }

  /// Whether the parser of queries accepts a name. `text` stands for words in requests.
  private static func isQualifier(_ name: String) -> Bool {
    !name.isEmpty && name != SearchFilter.textField
      && name.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && !#":"'()"#.utf8.contains($0) }
  }

  private static func type(_ object: ManifestObject) throws(SearchError) -> QualifierType {
    let values = try object.texts("values").map { $0.lowercased() }
    let word = try object.word("type", among: ["text", "number", "date", "boolean", "choice"])
    guard values.isEmpty == (word != "choice") else {
      throw object.wrong(
        "values", values.isEmpty ? "must be the words of a choice" : "is only for the type choice")
    }
    return switch word {
    case "number": .number
    case "date": .date
    case "boolean": .boolean
    case "choice": .choice(values)
    default: .text
    }
  }
}
