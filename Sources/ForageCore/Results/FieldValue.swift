public import ForageFoundation

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
