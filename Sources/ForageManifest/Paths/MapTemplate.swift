import ForageCore

/// A text with placeholders for values of a row: `https://crates.io/crates/{0|segment}`.
package struct MapTemplate: Hashable, Sendable {
  package enum Filter: String, CaseIterable, Hashable, Sendable {
    /// As one path segment; empty values, `.` and `..` are rejected.
    case segment
    /// As several path segments; each is checked as by `segment`, but the first may be empty.
    case path
    /// As the value of a query parameter.
    case query
  }

  package enum Part: Hashable, Sendable {
    case text(String)
    /// The API's base address, without a trailing slash.
    case base
    /// An argument, from 0.
    case argument(Int, Filter?)
  }

  package static let maximumArguments = 8

  package let parts: [Part]

  /// Whether values cannot change the host or structure of an address: the text before the first placeholder
  /// contains scheme and host, and every placeholder has a filter.
  package var isSafeAddress: Bool {
    let hasHost: Bool
    switch parts.first {
    case .base:
      // The next character must not extend the host.
      if parts.count > 1 {
        guard case .text(let next) = parts[1], ["/", "?", "#"].contains(next.prefix(1)) else { return false }
      }
      hasHost = true
    case .text(let text):
      let behind = text.drop { $0 != ":" }
      hasHost =
        (text.hasPrefix("https://") || text.hasPrefix("http://"))
        && behind.dropFirst(3).contains("/")
    default: hasHost = false
    }
    return hasHost
      && parts.allSatisfy { part in
        if case .argument(_, nil) = part { false } else { true }
      } && !parts.dropFirst().contains(.base)
  }

  /// The text with arguments inserted; `nil` if a filter rejects one.
  func text(base: String, arguments: [String]) -> String? {
    var result = ""
    for part in parts {
      switch part {
      case .text(let text): result += text
      case .base: result += base
      case .argument(let place, let filter):
        guard arguments.indices.contains(place),
          let value = Self.written(arguments[place], filter)
        else { return nil }
        result += value
      }
    }
    return result
  }

  private static func written(_ value: String, _ filter: Filter?) -> String? {
    switch filter {
    case nil: return value
    case .query: return PercentEncoding.encode(value)
    case .segment: return PathSegment.encoded(value)
    case .path:
      let parts = value.drop { $0 == "/" }.split(separator: "/", omittingEmptySubsequences: false)
      let encoded = parts.map { PathSegment.encoded(String($0)) }
      return encoded.contains(nil) || encoded.isEmpty
        ? nil : encoded.compactMap(\.self).joined(separator: "/")
    }
  }
}

enum PathSegment {
  /// Encodes a text as a path segment; `nil` if it is empty, `.` or `..`.
  static func encoded(_ text: String) -> String? {
    text.isEmpty || text == "." || text == ".." ? nil : PercentEncoding.encode(text)
  }
}
