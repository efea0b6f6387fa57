import ForageFoundation

extension SearchSession {
  /// Encodes the session as JSON for `init(encoded:)`.
  ///
  /// The library's encoder and decoder are not used, because they take several times as long and hundreds of
  /// bytes of memory for a value.
  public func encoded() throws -> [UInt8] { encoded(maximumBytes: .max) ?? [] }

  /// Encodes the session; `nil` if it is larger than a number of bytes.
  package func encoded(maximumBytes: Int) -> [UInt8]? {
    var writer = JSONWriter()
    write(to: &writer, until: maximumBytes)
    return writer.bytes.count <= maximumBytes ? writer.bytes : nil
  }

  /// Decodes the output of `encoded`.
  ///
  /// - Throws: `JSONTree.Failure` for other data.
  public init(encoded bytes: [UInt8]) throws {
    self = try JSONReader.read(bytes, maximumDepth: Self.maximumDepth) { reader throws(JSONTree.Failure) in
      try SearchSession.read(&reader)
    }
    guard !fingerprint.isEmpty else { throw JSONTree.Failure.malformed }
  }

  /// The maximum nesting: a value has three levels for each of its own, and a provider's values have at most
  /// `JSONTree.maximumDepth`.
  private static let maximumDepth = 4 * JSONTree.maximumDepth
}

/// What a session consists of, in the form of the library's encoder.
private protocol SessionValue {
  /// Whether a member with this value is written.
  var isPresent: Bool { get }
  /// Writes the value; the rest of a list is left out where the output exceeds the limit in any case.
  func write(to writer: inout JSONWriter, until limit: Int)
  static func read(_ reader: inout JSONReader) throws(JSONTree.Failure) -> Self
}

extension SessionValue {
  fileprivate var isPresent: Bool { true }
}

// MARK: Objects

private protocol SessionObject: SessionValue {
  /// What the members that are read are set in.
  static var blank: Self { get }
  static var members: [SessionMember<Self>] { get }
}

private struct SessionMember<Object>: Sendable {
  let name: String
  let write: @Sendable (_ object: Object, inout JSONWriter, _ limit: Int) -> Void
  let read: @Sendable (_ object: inout Object, inout JSONReader) throws(JSONTree.Failure) -> Void

  init<Value: SessionValue & SendableMetatype>(
    _ name: String, _ path: any WritableKeyPath<Object, Value> & Sendable
  ) {
    self.name = name
    write = { object, writer, limit in
      let value = object[keyPath: path]
      if value.isPresent { writer.member(name) { value.write(to: &$0, until: limit) } }
    }
    read = { object, reader throws(JSONTree.Failure) in object[keyPath: path] = try Value.read(&reader) }
  }
}

extension SessionObject {
  fileprivate func write(to writer: inout JSONWriter, until limit: Int) {
    writer.object { writer in for member in Self.members { member.write(self, &writer, limit) } }
  }

  fileprivate static func read(_ reader: inout JSONReader) throws(JSONTree.Failure) -> Self {
    var object = blank
    try reader.object { name, reader throws(JSONTree.Failure) in
      if let member = members.first(where: { $0.name == name }) {
        try member.read(&object, &reader)
      } else {
        try reader.skip()
      }
    }
    return object
  }
}

extension SearchSession: SessionObject {
  fileprivate static let blank = SearchSession(fingerprint: "", parts: [])
  fileprivate static let members: [SessionMember<Self>] = [
    .init("fingerprint", \.fingerprint), .init("base", \.base), .init("emitted", \.emitted),
    .init("ready", \.ready), .init("parts", \.parts),
  ]
}

extension SearchSession.Part: SessionObject {
  fileprivate static let blank = SearchSession.Part(provider: "", kind: .repo, pageSize: 1)
  fileprivate static let members: [SessionMember<Self>] = [
    .init("provider", \.provider), .init("kind", \.kind), .init("pageSize", \.pageSize),
    .init("pending", \.pending), .init("observed", \.observed), .init("used", \.used), .init("seen", \.seen),
    .init("cursor", \.cursor), .init("isEnded", \.isEnded), .init("isTruncated", \.isTruncated),
    .init("failures", \.failures), .init("total", \.total), .init("exclusion", \.exclusion),
  ]
}

extension SearchSession.Exclusion: SessionObject {
  fileprivate static let blank = SearchSession.Exclusion(isSkipped: false, reason: "", hint: "")
  fileprivate static let members: [SessionMember<Self>] = [
    .init("isSkipped", \.isSkipped), .init("reason", \.reason), .init("hint", \.hint),
  ]
}

extension ObservedSpan: SessionObject {
  fileprivate static let blank = ObservedSpan(count: 0, time: Date(timeIntervalSinceReferenceDate: 0))
  fileprivate static let members: [SessionMember<Self>] = [.init("count", \.count), .init("time", \.time)]
}

extension ResultTotal: SessionObject {
  fileprivate static let blank = ResultTotal(0)
  fileprivate static let members: [SessionMember<Self>] = [
    .init("value", \.value), .init("relation", \.relation),
  ]
}

extension EntityName: SessionObject {
  fileprivate static let blank = EntityName(kind: .repo, id: "")
  fileprivate static let members: [SessionMember<Self>] = [
    .init("kind", \.kind), .init("id", \.id), .init("forgeID", \.forgeID), .init("aliases", \.aliases),
    .init("related", \.related), .init("roots", \.roots),
  ]
}

extension MergedItem: SessionObject {
  fileprivate static let blank = MergedItem(.blank)
  fileprivate static let members: [SessionMember<Self>] = [
    .init("result", \.result), .init("sources", \.sources), .init("score", \.score),
    .init("observedAt", \.observedAt), .init("fieldObservations", \.fieldObservations),
  ]
}

extension MergedItem.Source: SessionObject {
  fileprivate static let blank = MergedItem.Source(provider: "", rank: 0, id: nil, contribution: 0)
  fileprivate static let members: [SessionMember<Self>] = [
    .init("provider", \.provider), .init("rank", \.rank), .init("id", \.id),
    .init("contribution", \.contribution),
  ]
}

extension FieldObservation: SessionObject {
  fileprivate static let blank = FieldObservation(provider: "", fields: [:])
  fileprivate static let members: [SessionMember<Self>] = [
    .init("provider", \.provider), .init("alias", \.alias), .init("observedAt", \.observedAt),
    .init("fields", \.fields),
  ]
}

extension SearchResult: SessionObject {
  fileprivate static let blank = SearchResult(id: "", kind: .repo, title: "")
  fileprivate static let members: [SessionMember<Self>] = [
    .init("id", \.id), .init("forgeID", \.forgeID), .init("kind", \.kind), .init("title", \.title),
    .init("url", \.url), .init("fields", \.fields), .init("related", \.related),
    .init("observedAt", \.observedAt),
  ]
}

extension RelatedEntity: SessionObject {
  fileprivate static let blank = RelatedEntity(id: "", why: .link)
  fileprivate static let members: [SessionMember<Self>] = [.init("id", \.id), .init("why", \.why)]
}

// MARK: Values

extension FieldValue: SessionValue {
  /// Writes the case with its only associated value.
  fileprivate func write(to writer: inout JSONWriter, until limit: Int) {
    let (name, value): (String, any SessionValue) =
      switch self {
      case .text(let text): ("text", text)
      case .number(let number): ("number", number)
      case .fraction(let number): ("fraction", number)
      case .flag(let flag): ("flag", flag)
      case .date(let date): ("date", date)
      case .list(let texts): ("list", texts)
      case .items(let values): ("items", values)
      case .record(let members): ("record", SessionRecord(members: members))
      }
    writer.object { writer in
      writer.member(name) { $0.object { $0.member("_0") { value.write(to: &$0, until: limit) } } }
    }
  }

  fileprivate static func read(_ reader: inout JSONReader) throws(JSONTree.Failure) -> FieldValue {
    var value: FieldValue?
    try reader.object { type, reader throws(JSONTree.Failure) in
      try reader.object { _, reader throws(JSONTree.Failure) in
        switch type {
        case "text": value = .text(try .read(&reader))
        case "number": value = .number(try .read(&reader))
        case "fraction": value = .fraction(try .read(&reader))
        case "flag": value = .flag(try .read(&reader))
        case "date": value = .date(try .read(&reader))
        case "list": value = .list(try .read(&reader))
        case "items": value = .items(try .read(&reader))
        case "record": value = .record(try SessionRecord.read(&reader).members)
        default: throw .malformed
        }
      }
    }
    guard let value else { throw .malformed }
    return value
  }
}

extension String: SessionValue {
  fileprivate func write(to writer: inout JSONWriter, until limit: Int) { writer.write(self) }

  fileprivate static func read(_ reader: inout JSONReader) throws(JSONTree.Failure) -> String {
    guard let text = try reader.textOrSkip() else { throw .malformed }
    return text
  }
}

extension SessionValue where Self: RawRepresentable, RawValue == String {
  fileprivate func write(to writer: inout JSONWriter, until limit: Int) { writer.write(rawValue) }

  fileprivate static func read(_ reader: inout JSONReader) throws(JSONTree.Failure) -> Self {
    guard let value = Self(rawValue: try .read(&reader)) else { throw .malformed }
    return value
  }
}

extension ResultKind: SessionValue {}
extension RelatedEntity.Reason: SessionValue {}
extension ResultTotal.Relation: SessionValue {}

/// A number or a truth value.
private protocol SessionScalar: SessionValue {
  var tree: JSONTree { get }
  static func value(of tree: JSONTree) -> Self?
}

extension SessionScalar {
  fileprivate func write(to writer: inout JSONWriter, until limit: Int) { writer.write(tree) }

  fileprivate static func read(_ reader: inout JSONReader) throws(JSONTree.Failure) -> Self {
    guard let value = value(of: try reader.tree()) else { throw .malformed }
    return value
  }
}

extension Int: SessionScalar {
  fileprivate var tree: JSONTree { .integer(self) }
  fileprivate static func value(of tree: JSONTree) -> Int? { tree.integer }
}

extension UInt64: SessionScalar {
  fileprivate var tree: JSONTree { .integer(Int(Int64(bitPattern: self))) }
  fileprivate static func value(of tree: JSONTree) -> UInt64? {
    tree.integer.map { UInt64(bitPattern: Int64($0)) }
  }
}

extension Double: SessionScalar {
  fileprivate var tree: JSONTree { .double(self) }
  fileprivate static func value(of tree: JSONTree) -> Double? {
    if case .double(let number) = tree { number } else { tree.integer.map(Double.init) }
  }
}

extension Bool: SessionScalar {
  fileprivate var tree: JSONTree { .bool(self) }
  fileprivate static func value(of tree: JSONTree) -> Bool? { tree.bool }
}

extension Date: SessionScalar {
  fileprivate var tree: JSONTree { .double(timeIntervalSinceReferenceDate) }
  fileprivate static func value(of tree: JSONTree) -> Date? {
    Double.value(of: tree).map { Date(timeIntervalSinceReferenceDate: $0) }
  }
}

extension Optional: SessionValue where Wrapped: SessionValue {
  fileprivate var isPresent: Bool { self != nil }

  fileprivate func write(to writer: inout JSONWriter, until limit: Int) {
    self?.write(to: &writer, until: limit)
  }

  fileprivate static func read(_ reader: inout JSONReader) throws(JSONTree.Failure) -> Wrapped? {
    try Wrapped.read(&reader)
  }
}

extension Array: SessionValue where Element: SessionValue {
  fileprivate func write(to writer: inout JSONWriter, until limit: Int) {
    writer.array { writer in
      for element in self where writer.bytes.count <= limit { element.write(to: &writer, until: limit) }
    }
  }

  fileprivate static func read(_ reader: inout JSONReader) throws(JSONTree.Failure) -> [Element] {
    var list: [Element] = []
    try reader.array { reader throws(JSONTree.Failure) in list.append(try Element.read(&reader)) }
    return list
  }
}

extension Set<String>: SessionValue {
  fileprivate func write(to writer: inout JSONWriter, until limit: Int) {
    Array(self).write(to: &writer, until: limit)
  }

  fileprivate static func read(_ reader: inout JSONReader) throws(JSONTree.Failure) -> Set<String> {
    Set(try [String].read(&reader))
  }
}

extension [ResultField: FieldValue]: SessionValue {
  /// Names that are not plain strings make a dictionary a list of names and values in turn.
  fileprivate func write(to writer: inout JSONWriter, until limit: Int) {
    writer.array { writer in
      for (field, value) in self {
        writer.write(field.rawValue)
        value.write(to: &writer, until: limit)
      }
    }
  }

  fileprivate static func read(_ reader: inout JSONReader) throws(JSONTree.Failure) -> Self {
    var fields: Self = [:]
    var field: ResultField?
    try reader.array { reader throws(JSONTree.Failure) in
      if let name = field {
        fields[name] = try FieldValue.read(&reader)
        field = nil
      } else {
        field = ResultField(rawValue: try .read(&reader))
      }
    }
    return fields
  }
}

/// The members of a record.
private struct SessionRecord: SessionValue {
  var members: [String: FieldValue]

  func write(to writer: inout JSONWriter, until limit: Int) {
    writer.object { writer in
      for (name, value) in members { writer.member(name) { value.write(to: &$0, until: limit) } }
    }
  }

  static func read(_ reader: inout JSONReader) throws(JSONTree.Failure) -> SessionRecord {
    var members: [String: FieldValue] = [:]
    try reader.object { name, reader throws(JSONTree.Failure) in members[name] = try FieldValue.read(&reader)
    }
    return SessionRecord(members: members)
  }
}
