package import ForageCore

#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

/// What can be done with a value on its way from an answer to a field: a closed list.
package enum Transform: String, CaseIterable, Hashable, Sendable {
  /// Text: entities of HTML are decoded, `&#39;` becomes an apostrophe.
  case htmlDecode
  /// HTML: becomes the text that it shows.
  case htmlText
  /// Text: loses white space at both ends.
  case trim
  /// Text: becomes lower case.
  case lower
  /// Text of digits, or a number: becomes a whole number.
  case int
  /// Text: an instant of ISO 8601.
  case isoDate
  /// A number: seconds since the beginning of 1970.
  case unixDate
  /// A list: its texts, with ", " between them.
  case join
  /// The address of a repository: becomes its name, `host/owner/name`.
  case repositoryURL
  /// Text: bytes in Base64 that are text in UTF-8.
  case base64
}

/// A value on its way: what JSON has, or an instant.
package enum MappedValue: Hashable, Sendable {
  /// A value as JSON has it; never null.
  case json(JSONTree)
  /// An instant.
  case date(Date)

  /// The text that the value is in an address or within another text; `nil` for lists, objects and instants.
  package var text: String? {
    guard case .json(let tree) = self else { return nil }
    return switch tree {
    case .string(let text): text
    case .integer(let number): String(number)
    case .double(let number): String(number)
    case .bool(let flag): flag ? "true" : "false"
    case .null, .array, .object: nil
    }
  }
}

extension Transform {
  /// The value afterwards; `nil` when it is none that the transform takes, which is then as if it were not there.
  func apply(_ value: MappedValue) -> MappedValue? {
    guard case .json(let tree) = value else { return nil }
    switch self {
    case .int: return Self.whole(tree).map { .json(.integer($0)) }
    case .unixDate: return Instant.unix(tree).map(MappedValue.date)
    case .join:
      let texts = tree.array?.compactMap { MappedValue.json($0).text }
      return texts.map { .json(.string($0.joined(separator: ", "))) }
    case .isoDate: return tree.string.flatMap(Instant.iso).map(MappedValue.date)
    case .htmlDecode, .htmlText, .trim, .lower, .repositoryURL, .base64:
      if let list = tree.array {
        return .json(.array(list.compactMap { $0.string.flatMap(changed).map(JSONTree.string) }))
      }
      return tree.string.flatMap(changed).map { .json(.string($0)) }
    }
  }

  private func changed(_ text: String) -> String? {
    switch self {
    case .htmlDecode: HTMLText.decode(text)
    case .htmlText: HTMLText.plain(text)
    case .trim: text.trimmingWhitespace()
    case .lower: text.lowercased()
    case .repositoryURL:
      RepositoryIdentity.canonical(text).flatMap { RepositoryIdentity.components($0) == nil ? nil : $0 }
    case .base64: Base64.decode(text).flatMap { String(validating: $0, as: UTF8.self) }
    case .int, .isoDate, .unixDate, .join: nil
    }
  }

  private static func whole(_ tree: JSONTree) -> Int? {
    switch tree {
    case .integer(let number): number
    case .double(let number): Int(exactly: number.rounded(.towardZero))
    case .string(let text): Int(text.trimmingWhitespace().replacing(",", with: ""))
    default: nil
    }
  }
}
