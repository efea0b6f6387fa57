#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension SearchSession {
  /// Decodes the output of `encoded`.
  ///
  /// - Throws: `JSONTree.Failure` for other data.
  public init(encoded bytes: [UInt8]) throws {
    self = try JSONReader.read(bytes, maximumDepth: Self.maximumDepth) { reader throws(JSONTree.Failure) in
      try reader.session()
    }
  }

  /// The maximum nesting: a value has three levels for each of its own, and a provider's values have at most
  /// `JSONTree.maximumDepth`.
  private static let maximumDepth = 4 * JSONTree.maximumDepth
}

extension JSONReader {
  fileprivate mutating func session() throws(JSONTree.Failure) -> SearchSession {
    var session = SearchSession(fingerprint: "", parts: [])
    try object { name, reader throws(JSONTree.Failure) in
      switch name {
      case "fingerprint": session.fingerprint = try reader.string()
      case "base": session.base = try reader.whole()
      case "emitted":
        session.emitted = try reader.list { reader throws(JSONTree.Failure) in try reader.entityName() }
      case "ready":
        session.ready = try reader.list { reader throws(JSONTree.Failure) in try reader.mergedItem() }
      case "parts": session.parts = try reader.list { reader throws(JSONTree.Failure) in try reader.part() }
      default: try reader.skip()
      }
    }
    guard !session.fingerprint.isEmpty else { throw .malformed }
    return session
  }

  private mutating func part() throws(JSONTree.Failure) -> SearchSession.Part {
    var part = SearchSession.Part(provider: "", kind: .repo, pageSize: 1)
    try object { name, reader throws(JSONTree.Failure) in
      switch name {
      case "provider": part.provider = try reader.string()
      case "kind": part.kind = ResultKind(rawValue: try reader.string())
      case "pageSize": part.pageSize = try reader.whole()
      case "pending":
        part.pending = try reader.list { reader throws(JSONTree.Failure) in try reader.result() }
      case "observed":
        part.observed = try reader.list { reader throws(JSONTree.Failure) in try reader.observedSpan() }
      case "used": part.used = try reader.whole()
      case "seen": part.seen = Set(try reader.strings())
      case "cursor": part.cursor = try reader.string()
      case "isEnded": part.isEnded = try reader.flag()
      case "isTruncated": part.isTruncated = try reader.flag()
      case "failures": part.failures = try reader.whole()
      case "total": part.total = try reader.total()
      case "exclusion": part.exclusion = try reader.exclusion()
      default: try reader.skip()
      }
    }
    return part
  }

  private mutating func observedSpan() throws(JSONTree.Failure) -> ObservedSpan {
    var span = ObservedSpan(count: 0, time: Date(timeIntervalSinceReferenceDate: 0))
    try object { name, reader throws(JSONTree.Failure) in
      switch name {
      case "count": span.count = try reader.whole()
      case "time": span.time = try reader.date()
      default: try reader.skip()
      }
    }
    return span
  }

  private mutating func total() throws(JSONTree.Failure) -> ResultTotal {
    var total = ResultTotal(0)
    try object { name, reader throws(JSONTree.Failure) in
      switch name {
      case "value": total.value = try reader.whole()
      case "relation":
        guard let relation = ResultTotal.Relation(rawValue: try reader.string()) else { throw .malformed }
        total.relation = relation
      default: try reader.skip()
      }
    }
    return total
  }

  private mutating func exclusion() throws(JSONTree.Failure) -> SearchSession.Exclusion {
    var exclusion = SearchSession.Exclusion(isSkipped: false, reason: "", hint: "")
    try object { name, reader throws(JSONTree.Failure) in
      switch name {
      case "isSkipped": exclusion.isSkipped = try reader.flag()
      case "reason": exclusion.reason = try reader.string()
      case "hint": exclusion.hint = try reader.string()
      default: try reader.skip()
      }
    }
    return exclusion
  }

  private mutating func entityName() throws(JSONTree.Failure) -> EntityName {
    var entity = EntityName(kind: .repo, id: "")
    try object { name, reader throws(JSONTree.Failure) in
      switch name {
      case "kind": entity.kind = ResultKind(rawValue: try reader.string())
      case "id": entity.id = try reader.string()
      case "forgeID": entity.forgeID = try reader.string()
      case "aliases": entity.aliases = try reader.strings()
      case "related":
        entity.related = try reader.list { reader throws(JSONTree.Failure) in try reader.related() }
      case "roots": entity.roots = try reader.strings()
      default: try reader.skip()
      }
    }
    return entity
  }

  private mutating func mergedItem() throws(JSONTree.Failure) -> MergedItem {
    var item = MergedItem(SearchResult(id: "", kind: .repo, title: ""))
    try object { name, reader throws(JSONTree.Failure) in
      switch name {
      case "result": item.result = try reader.result()
      case "sources":
        item.sources = try reader.list { reader throws(JSONTree.Failure) in try reader.source() }
      case "score": item.score = UInt64(bitPattern: Int64(try reader.whole()))
      case "observedAt": item.observedAt = try reader.date()
      case "fieldObservations":
        item.fieldObservations = try reader.list { reader throws(JSONTree.Failure) in
          try reader.fieldObservation()
        }
      default: try reader.skip()
      }
    }
    return item
  }

  private mutating func source() throws(JSONTree.Failure) -> MergedItem.Source {
    var source = MergedItem.Source(provider: "", rank: 0, id: nil, contribution: 0)
    try object { name, reader throws(JSONTree.Failure) in
      switch name {
      case "provider": source.provider = try reader.string()
      case "rank": source.rank = try reader.whole()
      case "id": source.id = try reader.string()
      case "contribution": source.contribution = UInt64(bitPattern: Int64(try reader.whole()))
      default: try reader.skip()
      }
    }
    return source
  }

  private mutating func fieldObservation() throws(JSONTree.Failure) -> FieldObservation {
    var observation = FieldObservation(provider: "", fields: [:])
    try object { name, reader throws(JSONTree.Failure) in
      switch name {
      case "provider": observation.provider = try reader.string()
      case "alias": observation.alias = try reader.string()
      case "observedAt": observation.observedAt = try reader.date()
      case "fields": observation.fields = try reader.fields()
      default: try reader.skip()
      }
    }
    return observation
  }

  private mutating func result() throws(JSONTree.Failure) -> SearchResult {
    var result = SearchResult(id: "", kind: .repo, title: "")
    try object { name, reader throws(JSONTree.Failure) in
      switch name {
      case "id": result.id = try reader.string()
      case "forgeID": result.forgeID = try reader.string()
      case "kind": result.kind = ResultKind(rawValue: try reader.string())
      case "title": result.title = try reader.string()
      case "url": result.url = try reader.string()
      case "fields": result.fields = try reader.fields()
      case "related":
        result.related = try reader.list { reader throws(JSONTree.Failure) in try reader.related() }
      case "observedAt": result.observedAt = try reader.date()
      default: try reader.skip()
      }
    }
    return result
  }

  private mutating func related() throws(JSONTree.Failure) -> RelatedEntity {
    var related = RelatedEntity(id: "", why: .link)
    try object { name, reader throws(JSONTree.Failure) in
      switch name {
      case "id": related.id = try reader.string()
      case "why": related.why = RelatedEntity.Reason(rawValue: try reader.string())
      default: try reader.skip()
      }
    }
    return related
  }

  // MARK: Values

  private mutating func fields() throws(JSONTree.Failure) -> [ResultField: FieldValue] {
    var fields: [ResultField: FieldValue] = [:]
    var field: ResultField?
    try array { reader throws(JSONTree.Failure) in
      if let name = field {
        fields[name] = try reader.fieldValue()
        field = nil
      } else {
        field = ResultField(rawValue: try reader.string())
      }
    }
    return fields
  }

  private mutating func fieldValue() throws(JSONTree.Failure) -> FieldValue {
    var value: FieldValue?
    try object { type, reader throws(JSONTree.Failure) in
      try reader.object { _, reader throws(JSONTree.Failure) in value = try reader.fieldValue(of: type) }
    }
    guard let value else { throw .malformed }
    return value
  }

  private mutating func fieldValue(of type: String) throws(JSONTree.Failure) -> FieldValue {
    switch type {
    case "text": return .text(try string())
    case "number": return .number(try whole())
    case "fraction": return .fraction(try real())
    case "flag": return .flag(try flag())
    case "date": return .date(try date())
    case "list": return .list(try strings())
    case "items":
      return .items(try list { reader throws(JSONTree.Failure) in try reader.fieldValue() })
    case "record":
      var members: [String: FieldValue] = [:]
      try object { name, reader throws(JSONTree.Failure) in members[name] = try reader.fieldValue() }
      return .record(members)
    default: throw .malformed
    }
  }

  private mutating func list<Element>(
    _ element: (inout JSONReader) throws(JSONTree.Failure) -> Element
  ) throws(JSONTree.Failure) -> [Element] {
    var list: [Element] = []
    try array { reader throws(JSONTree.Failure) in list.append(try element(&reader)) }
    return list
  }

  private mutating func strings() throws(JSONTree.Failure) -> [String] {
    try list { reader throws(JSONTree.Failure) in try reader.string() }
  }

  private mutating func string() throws(JSONTree.Failure) -> String {
    guard let text = try textOrSkip() else { throw .malformed }
    return text
  }

  private mutating func whole() throws(JSONTree.Failure) -> Int {
    guard let number = try tree().integer else { throw .malformed }
    return number
  }

  private mutating func real() throws(JSONTree.Failure) -> Double {
    switch try tree() {
    case .integer(let number): return Double(number)
    case .double(let number): return number
    default: throw .malformed
    }
  }

  private mutating func flag() throws(JSONTree.Failure) -> Bool {
    guard let flag = try tree().bool else { throw .malformed }
    return flag
  }

  private mutating func date() throws(JSONTree.Failure) -> Date {
    Date(timeIntervalSinceReferenceDate: try real())
  }
}
