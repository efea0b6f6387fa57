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
  /// Yes or no.
  case flag(Bool)
  /// An instant.
  case date(Date)
  /// Several texts, in order.
  case list([String])

  /// The text, where the value is one.
  public var text: String? { if case .text(let value) = self { value } else { nil } }
  /// The number, where the value is one.
  public var number: Int? { if case .number(let value) = self { value } else { nil } }
  /// The flag, where the value is one.
  public var flag: Bool? { if case .flag(let value) = self { value } else { nil } }
  /// The date, where the value is one.
  public var date: Date? { if case .date(let value) = self { value } else { nil } }
  /// The texts: of a list all, of a text just it.
  public var texts: [String] {
    switch self {
    case .list(let values): values
    case .text(let value): [value]
    default: []
    }
  }
}
