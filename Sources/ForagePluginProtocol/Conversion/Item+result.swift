package import ForageCore
import ForageFoundation

/// Converts items of one provider to results.
package struct ItemReader: Sendable {
  private let provider: String
  private let types: [String: FieldType]

  /// Creates a reader.
  ///
  /// - Parameter info: The provider. Fields of its own have their types, and those that its qualifiers of
  ///   type `date` read are parsed as times.
  package init(_ info: ProviderInfo) {
    provider = info.id
    let dates = info.vocabulary.filter { $0.type == .date }.compactMap { $0.field?.rawValue }
    let own = info.fields.map { ($0.name.rawValue, $0.type) } + dates.map { ($0, FieldType.date) }
    types = FieldType.known.merging(own) { known, _ in known }
  }

  /// The end of a report about a field, which is left out while its item is kept.
  package static let fieldNote = "; the field is left out"

  /// Converts an item to a result.
  ///
  /// Times are RFC 3339, in fields whose names end in `At` and in fields that a qualifier of type `date`
  /// reads. Treated as absent are empty and `null` values and values of a wrong type: a text for a count, a
  /// negative count, a number beyond 64 bits. The item is identified by the forge entity that its address
  /// names, or by its id if that is on the same host as its address; otherwise by the provider and the
  /// provider's own id.
  ///
  /// - Parameters:
  ///   - item: The item.
  ///   - report: Receives what is wrong with the item or one of its fields, for use after the plugin's name.
  /// - Returns: `nil` if the item has no id, kind or title, or if its address is not `http` or `https`, has
  ///   no host, or contains credentials.
  package func result(_ item: Item, report: (String) -> Void = { _ in }) -> SearchResult? {
    guard !item.id.isEmpty, !item.kind.isEmpty, !item.title.isEmpty else {
      report("sent an item with an empty id, kind or title, which is left out")
      return nil
    }
    if let url = item.url, !Self.isPlainWebAddress(url) {
      report("sent an item whose address is not http or https or has credentials, which is left out")
      return nil
    }
    let kind = ResultKind(rawValue: item.kind)
    var result = SearchResult(
      id: id(of: item, kind), kind: kind, title: item.title, url: item.url,
      observedAt: item.observedAt.flatMap(DatePoint.instant))
    let fields = item.fields ?? [:]
    result.fields.reserveCapacity(fields.count)
    for (name, value) in fields {
      // One look-up for each field: there may be millions.
      let (field, type) = (ResultField(rawValue: name), types[name])
      if let fault = Self.fault(ofName: field, isKnown: type != nil, kind) {
        report("sent an item whose field \(fault)\(Self.fieldNote)")
      } else if let value = self.value(value, of: field, type) {
        result.fields[field] = value
      } else if let fault = type?.fault(value, of: field) {
        report("sent an item whose field \(name) \(fault)\(Self.fieldNote)")
      }
    }
    for other in item.related ?? [] {
      result.relate(to: other.url ?? other.id, RelatedEntity.Reason(rawValue: other.why))
    }
    return result
  }

  /// Whether an address is `http` or `https` (ignoring case), has a host and contains no credentials.
  private static func isPlainWebAddress(_ url: String) -> Bool {
    let scheme = Self.schemes.first { url.hasPrefix($0) || url.prefix($0.count).lowercased() == $0 }
    guard let scheme else { return false }
    var hasHost = false
    for byte in url.utf8.dropFirst(scheme.utf8.count) {
      switch byte {
      case UInt8(ascii: "/"), UInt8(ascii: "?"), UInt8(ascii: "#"): return hasHost
      // Browsers treat a backslash as a slash and look for a host after several slashes.
      case UInt8(ascii: "@"), UInt8(ascii: "\\"): return false
      default: hasHost = true
      }
    }
    return hasHost
  }

  private static let schemes = ["https://", "http://"]

  /// Why no field can have a name, for use after "field"; `nil` for a usable name.
  private static func fault(ofName field: ResultField, isKnown: Bool, _ kind: ResultKind) -> String? {
    let name = field.rawValue
    if !isKnown {
      if name.isEmpty { return "has an empty name" }
      if SafeText.line(name) != name { return "\(name) has control characters in its name" }
    }
    return field.isReserved(for: kind) ? "\(name) is not for providers to set" : nil
  }

  private func id(of item: Item, _ kind: ResultKind) -> String {
    if kind != .repo, let entity = EntityReference(item.id, defaultHost: ""), !entity.host.isEmpty,
      entity.id == item.id, entity.kind == kind,
      let place = item.url.flatMap({ EntityReference($0, defaultHost: "") }), place.host == entity.host
    {
      return item.id
    }
    return SearchResult.id(kind, at: item.url, provider: provider, ownID: item.id)
  }

  private func value(_ tree: JSONTree, of field: ResultField, _ type: FieldType?) -> FieldValue? {
    if let type { return type.value(tree, of: field) { DatePoint.instant($0) } }
    return anyValue(tree, name: field.rawValue)
  }

  private func anyValue(_ tree: JSONTree, name: String) -> FieldValue? {
    switch tree {
    case .null: return nil
    case .bool(let flag): return .flag(flag)
    case .integer(let number): return .number(number)
    case .double(let number): return .fraction(number)
    case .string(let text):
      if text.isEmpty { return nil }
      if name.hasSuffix("At"), let date = DatePoint.instant(text) { return .date(date) }
      return .text(ItemLimits.cut(text, to: ItemLimits.length(of: ResultField(rawValue: name))) ?? text)
    case .array(let values):
      if values.isEmpty { return nil }
      let texts = values.compactMap(\.string)
      if texts.count == values.count { return .list(texts) }
      return .items(values.compactMap { anyValue($0, name: name) })
    case .object(let members):
      var record: [String: FieldValue] = [:]
      for (name, member) in members { record[name] = anyValue(member, name: name) }
      return record.isEmpty ? nil : .record(record)
    }
  }
}

extension Item {
  /// Creates the item for a result.
  ///
  /// - Parameters:
  ///   - result: The result.
  ///   - provider: The provider's id, which prefixes ids of its own.
  package init(_ result: SearchResult, provider: String) {
    let prefix = provider + ":"
    self.init(
      id: result.id.hasPrefix(prefix) ? String(result.id.dropFirst(prefix.count)) : result.id,
      kind: result.kind.rawValue, url: result.url, title: result.title,
      related: result.related.isEmpty
        ? nil : result.related.map { RelatedItem(id: $0.id, why: $0.why.rawValue) },
      observedAt: result.observedAt.map(Timestamp.text))
    fields = Dictionary(uniqueKeysWithValues: result.fields.map { ($0.rawValue, JSONTree($1)) })
  }
}
