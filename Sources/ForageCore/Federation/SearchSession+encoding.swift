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

  /// The maximum nesting: a record has two levels for each of its own, and a provider's values have at most
  /// `JSONTree.maximumDepth`.
  private static let maximumDepth = 4 * JSONTree.maximumDepth
}

/// What a session consists of.
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
    .init("pending", \.pending), .init("used", \.used), .init("seen", \.seen),
    .init("cursor", \.cursor), .init("isEnded", \.isEnded), .init("isTruncated", \.isTruncated),
    .init("failures", \.failures), .init("total", \.total), .init("exclusion", \.exclusion),
  ]
}

extension SearchError: SessionObject {
  fileprivate static let blank = SearchError(.other, "")
  fileprivate static let members: [SessionMember<Self>] = [
    .init("code", \.code), .init("message", \.message), .init("hint", \.hint),
  ]
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
    .init("observedAt", \.observedAt), .init("readAt", \.readAt),
  ]
}

extension RelatedEntity: SessionObject {
  fileprivate static let blank = RelatedEntity(id: "", why: .link)
  fileprivate static let members: [SessionMember<Self>] = [.init("id", \.id), .init("why", \.why)]
}

// MARK: Values

extension JSONReader {
  fileprivate mutating func value<Value>(_ value: (JSONTree) -> Value?) throws(JSONTree.Failure) -> Value {
    guard let value = value(try tree()) else { throw .malformed }
    return value
  }
}

extension FieldValue: SessionValue {
  /// Texts, whole numbers, flags and sequences are values of JSON; any other value is the only member of an object.
  fileprivate func write(to writer: inout JSONWriter, until limit: Int) {
    func tagged(_ tag: String, _ value: some SessionValue) {
      writer.object { $0.member(tag) { value.write(to: &$0, until: limit) } }
    }
    switch self {
    case .text(let text): writer.write(text)
    case .number(let number): writer.write(number)
    case .flag(let flag): flag.write(to: &writer, until: limit)
    case .items(let values): values.write(to: &writer, until: limit)
    case .date(let date): tagged("d", date)
    case .fraction(let number): tagged("f", number)
    case .list(let texts): tagged("l", texts)
    case .record(let members): tagged("r", members)
    }
  }

  fileprivate static func read(_ reader: inout JSONReader) throws(JSONTree.Failure) -> FieldValue {
    switch try reader.peek() {
    case UInt8(ascii: "\""): return .text(try .read(&reader))
    case UInt8(ascii: "["): return .items(try .read(&reader))
    case UInt8(ascii: "{"): break
    default: return try reader.value { $0.integer.map(FieldValue.number) ?? $0.bool.map(FieldValue.flag) }
    }
    var value: FieldValue?
    try reader.object { tag, reader throws(JSONTree.Failure) in
      switch tag {
      case "d": value = .date(try .read(&reader))
      case "f": value = .fraction(try .read(&reader))
      case "l": value = .list(try .read(&reader))
      case "r": value = .record(try .read(&reader))
      default: throw .malformed
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
extension SearchError.Code: SessionValue {}
extension RelatedEntity.Reason: SessionValue {}
extension ResultTotal.Relation: SessionValue {}

extension SessionValue where Self: FixedWidthInteger {
  /// Writes the bits as a signed number, because only those have 64 bits in `JSONTree`.
  fileprivate func write(to writer: inout JSONWriter, until limit: Int) {
    writer.write(Int(truncatingIfNeeded: self))
  }

  fileprivate static func read(_ reader: inout JSONReader) throws(JSONTree.Failure) -> Self {
    Self(truncatingIfNeeded: try reader.value(\.integer))
  }
}

extension Int: SessionValue {}
extension UInt64: SessionValue {}

extension Bool: SessionValue {
  fileprivate func write(to writer: inout JSONWriter, until limit: Int) { writer.write(.bool(self)) }

  fileprivate static func read(_ reader: inout JSONReader) throws(JSONTree.Failure) -> Bool {
    try reader.value(\.bool)
  }
}

extension Double: SessionValue {
  fileprivate func write(to writer: inout JSONWriter, until limit: Int) { writer.write(self) }

  fileprivate static func read(_ reader: inout JSONReader) throws(JSONTree.Failure) -> Double {
    try reader.value { if case .double(let number) = $0 { number } else { $0.integer.map(Double.init) } }
  }
}

extension Date: SessionValue {
  fileprivate func write(to writer: inout JSONWriter, until limit: Int) {
    writer.write(timeIntervalSinceReferenceDate)
  }

  fileprivate static func read(_ reader: inout JSONReader) throws(JSONTree.Failure) -> Date {
    Date(timeIntervalSinceReferenceDate: try .read(&reader))
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

extension SessionValue where Self: Sequence, Element: SessionValue {
  fileprivate func write(to writer: inout JSONWriter, until limit: Int) {
    writer.array { writer in
      for element in self where writer.bytes.count <= limit { element.write(to: &writer, until: limit) }
    }
  }
}

extension Array: SessionValue where Element: SessionValue {
  fileprivate static func read(_ reader: inout JSONReader) throws(JSONTree.Failure) -> [Element] {
    var list: [Element] = []
    try reader.array { reader throws(JSONTree.Failure) in list.append(try Element.read(&reader)) }
    return list
  }
}

extension Set<String>: SessionValue {
  fileprivate static func read(_ reader: inout JSONReader) throws(JSONTree.Failure) -> Set<String> {
    Set(try [String].read(&reader))
  }
}

/// What names the members of fields and records.
private protocol SessionName: Hashable {
  var rawValue: String { get }
  init(rawValue: String)
}

extension ResultField: SessionName {}
extension String: SessionName {
  fileprivate var rawValue: String { self }
  fileprivate init(rawValue: String) { self = rawValue }
}

extension Dictionary: SessionValue where Key: SessionName, Value == FieldValue {
  fileprivate func write(to writer: inout JSONWriter, until limit: Int) {
    writer.object { writer in
      for (name, value) in self { writer.member(name.rawValue) { value.write(to: &$0, until: limit) } }
    }
  }

  fileprivate static func read(_ reader: inout JSONReader) throws(JSONTree.Failure) -> Self {
    var members: Self = [:]
    try reader.object { name, reader throws(JSONTree.Failure) in
      members[Key(rawValue: name)] = try FieldValue.read(&reader)
    }
    return members
  }
}
