import ForageCore
import ForageFoundation

/// A transform of a value between a response and a field.
package enum Transform: String, CaseIterable, Hashable, Sendable {
  /// Decodes HTML character references in a text.
  case htmlDecode
  /// Removes leading and trailing white space of a text.
  case trim
  case isoDate
  case unixDate
  case unixMilliseconds
  /// Joins a list of texts with ", ".
  case join
  /// Makes a list of a single text.
  case list
  /// Converts the address of a repository, or of a page in it, to its canonical name, `host/owner/name`.
  case repositoryURL
  /// Of a list of addresses, the first one for SSH.
  case ssh
  /// Of a list of addresses, the first one of the web.
  case web
  /// The first line of a text.
  case firstLine
  /// Decodes Base64 that contains UTF-8 text.
  case base64
}

extension JSONTree {
  /// The value as text for an address or a template; `nil` for null, lists and objects.
  var text: String? {
    switch self {
    case .string(let text): text
    case .integer(let number): String(number)
    case .double(let number): String(number)
    case .bool(let flag): flag ? "true" : "false"
    case .null, .array, .object: nil
    }
  }
}

extension Transform {
  /// Applies the transform; `nil` if the value has an unsuitable type, which counts as missing.
  func apply(_ tree: JSONTree) -> JSONTree? {
    switch self {
    case .unixDate: return Instant.unix(tree).map(Self.time)
    case .unixMilliseconds:
      let seconds = (tree.number ?? tree.string.flatMap { Double($0.trimmingWhitespace()) }).map { $0 / 1000 }
      return seconds.flatMap { Instant.unix(.double($0)) }.map(Self.time)
    case .join:
      let texts = tree.array?.compactMap(\.text)
      return texts.map { .string($0.joined(separator: ", ")) }
    case .ssh, .web:
      let texts = tree.array?.compactMap(\.string) ?? tree.string.map { [$0] } ?? []
      return texts.first { text in
        self == .ssh ? RepositoryIdentity.sshParts(text) != nil : text.hasPrefix("http")
      }.map { .string($0) }
    case .list: return tree.text.map { .array([.string($0)]) }
    case .isoDate: return tree.string.flatMap(Instant.iso).map(Self.time)
    case .htmlDecode, .trim, .firstLine, .repositoryURL, .base64:
      if let list = tree.array {
        return .array(list.compactMap { $0.string.flatMap(changed).map(JSONTree.string) })
      }
      return tree.string.flatMap(changed).map { .string($0) }
    }
  }

  /// An instant as text; null for one before 1970, which stands for an unknown one.
  private static func time(_ date: Date) -> JSONTree {
    date.timeIntervalSince1970 > 0 ? .string(Timestamp.text(date)) : .null
  }

  private func changed(_ text: String) -> String? {
    switch self {
    case .htmlDecode: HTMLText.decode(text)
    case .trim: text.trimmingWhitespace()
    case .firstLine: String(text.prefix { !$0.isNewline })
    case .repositoryURL:
      EntityReference(text, defaultHost: "")?.repositoryID
        ?? RepositoryIdentity.canonical(text).flatMap { RepositoryIdentity.components($0) == nil ? nil : $0 }
    case .base64: Base64.decode(text).flatMap { String(validating: $0, as: UTF8.self) }
    case .isoDate, .unixDate, .unixMilliseconds, .join, .list, .ssh, .web: nil
    }
  }
}

/// Base64 (RFC 4648).
enum Base64 {
  /// Decodes a text in the standard (section 4) or URL-safe alphabet (section 5), with or without padding;
  /// `nil` if it is invalid.
  static func decode(_ text: String) -> [UInt8]? {
    var digits = text.replacing("-", with: "+").replacing("_", with: "/")
    while digits.hasSuffix("=") { digits.removeLast() }
    digits += String(repeating: "=", count: (4 - digits.utf8.count % 4) % 4)
    return Data(base64Encoded: digits).map(Array.init)
  }

  /// Encodes bytes in the URL-safe alphabet (section 5), without padding.
  static func encode(_ bytes: [UInt8]) -> String {
    Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing(
      "=", with: "")
  }
}
