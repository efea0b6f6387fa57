import ForageCore

/// A text with places for values of an answer: `https://crates.io/crates/{0|segment}`.
package struct MapTemplate: Hashable, Sendable {
  /// How a value is written.
  package enum Filter: String, CaseIterable, Hashable, Sendable {
    /// As one part of an address between slashes; empty, `.` and `..` are refused.
    case segment
    /// As several parts with the slashes between them; a part that `segment` refuses is refused, but for one at the beginning.
    case path
    /// As the value of a parameter.
    case query
  }

  /// A part of the text.
  package enum Part: Hashable, Sendable {
    /// Text as it is.
    case text(String)
    /// The base of the API, without a slash at the end.
    case base
    /// An argument, from 0.
    case argument(Int, Filter?)
  }

  /// Arguments that a template has at most: more places have no address and no title.
  package static let maximumArguments = 8

  /// The parts in order.
  package let parts: [Part]

  /// Whether values can alter nothing of an address but what they stand for: everything before the first place holds scheme and host,
  /// and every place has a filter.
  package var isSafeAddress: Bool {
    let hasHost: Bool
    switch parts.first {
    case .base:
      // What follows must not lengthen the host.
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

  /// The text with its values in place; `nil` when a filter refuses one.
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

/// One part of a path between two slashes.
enum PathSegment {
  /// The text as a part of a path; `nil` for what would be no part or lead elsewhere.
  static func encoded(_ text: String) -> String? {
    text.isEmpty || text == "." || text == ".." ? nil : PercentEncoding.encode(text)
  }
}
