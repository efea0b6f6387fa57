import ForageCore
import ForagePluginProtocol

extension PluginServer {
  /// The members of `plugin.json` that declare providers: `kinds`, `fields` and `concurrency` for one,
  /// `providers` for several. What is the default is left out.
  ///
  /// - Parameters:
  ///   - providers: The providers, as they describe themselves.
  ///   - concurrency: The number of requests that each handles concurrently.
  static func declaration(of providers: [any SearchProvider], concurrency: Int) -> JSONTree {
    let declared = providers.map { provider -> [String: JSONTree] in
      let kinds = provider.kinds.map { ($0.rawValue, JSONTree.object(members($1, of: $0, provider))) }
      var abilities: [String: JSONTree] = [
        "kinds": .object(Dictionary(uniqueKeysWithValues: kinds)), "concurrency": .integer(concurrency),
      ]
      if !provider.info.fields.isEmpty { abilities["fields"] = fields(provider.info.fields) }
      guard providers.count > 1 else { return abilities }
      let identity: [String: JSONTree?] = [
        "id": .string(provider.info.id), "name": .string(provider.info.name),
        "hosts": texts(provider.info.hosts),
      ]
      return abilities.merging(identity.compactMapValues(\.self)) { $1 }
    }
    return .object(declared.count == 1 ? declared[0] : ["providers": .array(declared.map(JSONTree.object))])
  }

  private static func members(
    _ abilities: Abilities, of kind: ResultKind, _ provider: any SearchProvider
  ) -> [String: JSONTree] {
    var qualifiers = abilities.qualifiers.mapValues { JSONTree.string($0.rawValue) }
    // A qualifier that the provider does not apply still says how its results are filtered; that of a field
    // of its own follows from the field.
    let fields = provider.info.fields.map(QualifierDefinition.init)
    for own in provider.info.vocabulary where own.kinds.isEmpty || own.kinds.contains(kind) {
      if abilities.qualifiers[own.name] == nil, fields.contains(own) { continue }
      qualifiers[own.name] = qualifier(own, abilities.qualifiers[own.name] ?? .unsupported)
    }
    // What the program does not answer, its `plugin.json` must not offer.
    let feed = provider is any FeedProvider ? abilities.feed : nil
    let hasDetails = (provider as? any DetailsProvider)?.detailedKinds.contains(kind) ?? false
    let (size, largest) = (abilities.maximumPageSize, PluginProtocol.Limits.items)
    let members: [String: JSONTree?] = [
      "text": .string(abilities.text.rawValue), "qualifiers": qualifiers.isEmpty ? nil : .object(qualifiers),
      "fields": .array(abilities.fields.map(\.rawValue).sorted().map(JSONTree.string)),
      "sorts": texts(abilities.sorts), "maxPage": size < largest ? .integer(size) : nil,
      "maxTotal": abilities.reachable.map(JSONTree.integer),
      "needsText": abilities.needsText.map(JSONTree.bool), "needsToken": flag(abilities.needsToken),
      "feed": flag(feed != nil), "feedSorts": texts(feed?.sorts ?? []), "details": flag(hasDetails),
    ]
    return members.compactMapValues(\.self)
  }

  private static func fields(_ definitions: [FieldDefinition]) -> JSONTree {
    let members = definitions.map { field -> (String, JSONTree) in
      let members: [String: JSONTree?] = [
        "type": .string(field.type.rawValue), "title": field.title.map(JSONTree.string),
        "column": field.column.map(JSONTree.integer), "unit": field.unit.map(JSONTree.string),
      ]
      return (field.name.rawValue, .object(members.compactMapValues(\.self)))
    }
    return .object(Dictionary(members) { first, _ in first })
  }

  private static func qualifier(_ own: QualifierDefinition, _ push: Pushdown) -> JSONTree {
    let isChoice = own.type.isChoice
    let members: [String: JSONTree?] = [
      "push": .string(push.rawValue),
      "type": .string(isChoice ? "choice" : own.type.value.wordOfQualifiers),
      "values": isChoice ? texts(own.type.words) : nil,
      "field": (own.field?.rawValue).map(JSONTree.string),
    ]
    return .object(members.compactMapValues(\.self))
  }

  private static func texts(_ texts: [String]) -> JSONTree? {
    texts.isEmpty ? nil : .array(texts.map(JSONTree.string))
  }

  private static func flag(_ isSet: Bool) -> JSONTree? { isSet ? .bool(true) : nil }
}
