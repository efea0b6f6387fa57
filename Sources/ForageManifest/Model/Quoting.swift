import ForageCore

/// How a value is quoted, so that the API reads it literally.
package enum Quoting: String, CaseIterable, Hashable, Sendable {
  /// In double quotes; impossible for values with a quote, a backslash or a control character.
  case double
  /// In double quotes, with quotes and backslashes escaped; possible for every value.
  case backslash
  /// As a regular expression that matches the value literally, in double quotes; possible for every value.
  case regex
  /// Unquoted; possible only for letters, digits and `. _ - / + #`.
  case word

  /// The quoted value; `nil` if it cannot be quoted.
  func quoted(_ value: String) -> String? {
    // No useful name or word contains control characters.
    let hasControl = value.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7F }
    switch self {
    case .double:
      return hasControl || value.contains("\"") || value.contains("\\") ? nil : "\"" + value + "\""
    case .backslash: return QueryTerm.quoted(value)
    case .regex: return QueryTerm.quoted(Self.escaped(value))
    case .word:
      let isWord = value.unicodeScalars.allSatisfy {
        $0.properties.isAlphabetic || ("0"..."9").contains($0) || "._-/+#".unicodeScalars.contains($0)
      }
      // A leading dash means "not" in most APIs.
      return value.isEmpty || !isWord || value.hasPrefix("-") ? nil : value
    }
  }

  /// A pattern of paths with `*`, `?` and `**`, as a quoted regular expression (RE2).
  ///
  /// As in clones it matches the end of a path from the start of a name on, with a slash at its beginning the
  /// whole path, and with one at its end the folders.
  static func expression(ofPaths pattern: String) -> String {
    var rest = pattern.hasPrefix("/") ? pattern.dropFirst() : pattern[...]
    var result = pattern.hasPrefix("/") ? "^" : "(^|/)"
    let parts = [("**/", "(.*/)?"), ("**", ".*"), ("*", "[^/]*"), ("?", "[^/]")]
    while let first = rest.first {
      if let (part, expression) = parts.first(where: { rest.hasPrefix($0.0) }) {
        result += expression
        rest.removeFirst(part.count)
      } else {
        result += escaped(String(first))
        rest.removeFirst()
      }
    }
    return QueryTerm.quoted(result + (pattern.hasSuffix("/") ? "" : "$"))
  }

  /// The value with regular expression metacharacters escaped (RE2).
  private static func escaped(_ value: String) -> String {
    var result = String.UnicodeScalarView()
    for scalar in value.unicodeScalars {
      if "\\.+*?()|[]{}^$".unicodeScalars.contains(scalar) { result.append("\\") }
      result.append(scalar)
    }
    return String(result)
  }
}
