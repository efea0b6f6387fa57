#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The value of one property of a result.
public enum FieldValue: Hashable, Sendable, Codable {
  /// Text from outside: untrusted, never to be written to a terminal as it is.
  case text(String)
  /// A whole number.
  case number(Int)
  /// A number that need not be whole: a share from 0 to 1 for example. Finite.
  case fraction(Double)
  /// Yes or no.
  case flag(Bool)
  /// An instant.
  case date(Date)
  /// Several texts, in order.
  case list([String])
  /// Several values of any form, in order: the fragments of a file for example, or a pair of places.
  case items([FieldValue])
  /// Values with names: a release for example. The names follow the same habit as those of fields.
  case record([String: FieldValue])

  /// The text, where the value is one.
  public var text: String? { if case .text(let value) = self { value } else { nil } }
  /// The number, where the value is one.
  public var number: Int? { if case .number(let value) = self { value } else { nil } }
  /// The flag, where the value is one.
  public var flag: Bool? { if case .flag(let value) = self { value } else { nil } }
  /// The date, where the value is one.
  public var date: Date? { if case .date(let value) = self { value } else { nil } }
  /// The values of a sequence; none of anything else.
  public var elements: [FieldValue] { if case .items(let values) = self { values } else { [] } }
  /// A value of a record by its name.
  public subscript(name: String) -> FieldValue? {
    if case .record(let members) = self { members[name] } else { nil }
  }
  /// The texts: of a list all, of a text just it.
  public var texts: [String] {
    switch self {
    case .list(let values): values
    case .text(let value): [value]
    default: []
    }
  }
}
