public import ForageFoundation
package import ForagePlatform

/// The value of one property of a result.
public enum FieldValue: Hashable, Sendable {
  /// Untrusted text: it must be sanitised before it is written to a terminal.
  case text(String)
  /// A whole number.
  case number(Int)
  /// A finite number that need not be whole, for example a share from 0 to 1.
  case fraction(Double)
  /// A Boolean.
  case flag(Bool)
  /// An instant.
  case date(Date)
  /// Texts in order.
  case list([String])
  /// Values in order, for example the fragments of a file or a pair of offsets.
  case items([FieldValue])
  /// Values by name, for example a release. Names are in lower camel case, as field names are.
  case record([String: FieldValue])

  /// The text, where the value is one.
  public var text: String? { if case .text(let value) = self { value } else { nil } }
  /// The number, where the value is one.
  public var number: Int? { if case .number(let value) = self { value } else { nil } }
  /// The flag, where the value is one.
  public var flag: Bool? { if case .flag(let value) = self { value } else { nil } }
  /// The date, where the value is one.
  public var date: Date? { if case .date(let value) = self { value } else { nil } }
  /// The values of a sequence; empty for any other value.
  public var elements: [FieldValue] { if case .items(let values) = self { values } else { [] } }
  /// The value of a record's member.
  public subscript(name: String) -> FieldValue? {
    if case .record(let members) = self { members[name] } else { nil }
  }
  /// The texts of a list, or the single text; empty for any other value.
  public var texts: [String] {
    switch self {
    case .list(let values): values
    case .text(let value): [value]
    default: []
    }
  }
}

extension FieldValue {
  /// A single value as programs read it; `nil` for values with parts.
  package var plainText: String? {
    switch self {
    case .text(let text): text
    case .number(let number): String(number)
    case .fraction(let number): String(number)
    case .flag(let flag): flag ? "true" : "false"
    case .date(let date): Timestamp.text(date)
    case .list, .items, .record: nil
    }
  }
  /// The number as a count; `nil` for other values and negative numbers.
  package var count: Count? { number.flatMap { Count($0) } }
  /// The number as that of a line or a column; `nil` for other values and numbers below 1.
  package var lineNumber: LineNumber? { number.flatMap { LineNumber($0) } }
  /// Ranges of offsets, from a sequence of pairs; pairs that are no range are left out.
  package var ranges: [Range<Int>] {
    elements.compactMap { pair in
      let ends = pair.elements.compactMap { $0.number.flatMap { Offset($0) } }
      return ends.count == 2 && ends[0] < ends[1] ? ends[0].value..<ends[1].value : nil
    }
  }
}

extension JSONTree {
  /// The value of a field, the members of records in reading order.
  ///
  /// - Parameter rounded: Rounds numbers with decimals; by default they stay as they are.
  package init(_ value: FieldValue, rounded: (Double) -> Double = { $0 }) {
    switch value {
    case .text(let text): self = .string(text)
    case .number(let number): self = .integer(number)
    case .fraction(let number): self = .double(rounded(number))
    case .flag(let flag): self = .bool(flag)
    case .date(let date): self = .string(Timestamp.text(date))
    case .list(let texts): self = .array(texts.map(JSONTree.string))
    case .items(let values): self = .array(values.map { JSONTree($0, rounded: rounded) })
    case .record(let members):
      let ordered = members.sorted { (Self.place(of: $0.key), $0.key) < (Self.place(of: $1.key), $1.key) }
      self = .object(ordered.map { ($0.key, JSONTree($0.value, rounded: rounded)) })
    }
  }

  /// The members of records in reading order; others follow by name.
  private static let memberOrder = [
    "text", "line", "column", "ranges", "before", "after", "matches", "repository", "path", "ref", "commit",
    "file", "tag", "login", "name", "bytes", "share", "commits", "publishedAt",
  ]

  private static func place(of member: String) -> Int {
    memberOrder.firstIndex(of: member) ?? memberOrder.count
  }
}
