package import ForageCore

/// A manifest: a file that describes a JSON search API over HTTP as a provider.
package struct Manifest: Sendable {
  /// The supported version of the format.
  package static let version = 1
  /// The maximum length of a name, which appears in tables.
  static let longestName = 80

  package var path: String
  package var id: String
  package var name: String
  package var kind: ResultKind
  /// The group of providers that share a backend; `nil` for none.
  package var group: String?
  /// The API's base address, unless the user sets another; `nil` if each user has their own, or if addresses
  /// are fixed.
  package var base: String?
  /// Hosts (with non-default ports) that may receive the secret besides the host of the base, and that may be
  /// contacted although they are private.
  package var hosts: [String] = []
  /// How requests are authenticated; `nil` if they are not.
  package var auth: Auth?
  /// The maximum number of requests per second; `nil` for no limit.
  package var perSecond: Double?
  package var text = TextRules()
  /// Whether a query must contain a word or phrase.
  package var needsText = true
  /// Whether the text supports `OR` and parentheses.
  package var booleans = false
  /// How qualifiers are sent, by name.
  package var qualifiers: [String: ManifestQualifier] = [:]
  /// The qualifiers of its own that are checked on the fields of results.
  package var localQualifiers: [QualifierDefinition] = []
  package var search: ManifestList
  package var feed: ManifestList?
  package var errors = ErrorRules()
  /// Where a response says how long to wait before the next request.
  package var retryAfter: RetryAfter?

  /// Whether an address begins with `{base}`.
  package var usesBase: Bool { search.request.usesBase || feed?.request.usesBase == true }
  /// Whether the user must set the base address.
  package var needsBase: Bool { usesBase && base == nil }

  /// How requests are authenticated.
  package struct Auth: Hashable, Sendable {
    package enum Place: Hashable, Sendable {
      /// In a header field, after a prefix such as `Bearer` and a space.
      case header(String, prefix: String)
      /// In a query parameter.
      case parameter(String)
    }

    /// The secret's name in the configuration.
    package var secret: String
    package var place: Place
    package var isRequired: Bool
  }

  /// Where a response says how long to wait.
  package struct RetryAfter: Hashable, Sendable {
    /// The path to a number.
    package var path: JSONPath
    /// The unit of the number in milliseconds.
    package var unit: Int
  }

  /// Where an error response contains its cause.
  package struct ErrorRules: Hashable, Sendable {
    /// The path to a message; `nil` for common places.
    package var message: ValueRule?
    /// The path to one of the codes of `SearchError`; `nil` if the status is sufficient.
    package var code: ValueRule?
  }
}

/// How words and phrases of a query are sent.
package struct TextRules: Hashable, Sendable {
  /// Whether the API returns exactly the results that contain the words, or more.
  package var push = Pushdown.exact
  /// Whether only the longest word or phrase is sent, for APIs that treat the text as a single phrase.
  package var sendsLongest = false
  package var quotesWords = false
  package var quotesPhrases = true
  package var quoting = Quoting.backslash
  /// The text around an excluded word; `nil` if the API cannot exclude words.
  package var negation: Around?
}

/// Text before and after a value.
package struct Around: Hashable, Sendable {
  package var before: String
  package var behind: String

  /// The value between the two.
  func text(_ value: String) -> String { before + value + behind }
}

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
