package import ForageCore

/// A provider that a file describes: a JSON search API over HTTP.
package struct Manifest: Sendable {
  /// The version of the format that is read.
  package static let version = 1
  /// Names stand in tables; longer ones are a mistake.
  static let longestName = 80

  /// Where it was read from, for messages.
  package var path: String
  /// The provider's id.
  package var id: String
  /// What a person calls it.
  package var name: String
  /// The kind of its results.
  package var kind: ResultKind
  /// The providers with which it shares a backend, `nil` for none.
  package var group: String?
  /// Where its API is unless the user says otherwise; `nil` where every user has one of their own, or the addresses are fixed.
  package var base: String?
  /// The hosts, with their ports where they are not the default, that may have the secret beside the one of the base, and that are
  /// asked although they are private.
  package var hosts: [String] = []
  /// How requests carry a secret, `nil` for never.
  package var auth: Auth?
  /// Requests a second at most, `nil` for no limit.
  package var perSecond: Double?
  /// How words become text.
  package var text = TextRules()
  /// Whether it needs something to look for.
  package var needsText = true
  /// Whether it understands `OR` and parentheses in its text.
  package var booleans = false
  /// How qualifiers are sent, by name.
  package var qualifiers: [String: ManifestQualifier] = [:]
  /// Searching.
  package var search: ManifestList
  /// What it has to show without a query.
  package var feed: ManifestList?
  /// How refusals are told.
  package var errors = ErrorRules()
  /// What an answer says of how long to wait before the next request.
  package var retryAfter: RetryAfter?

  /// Whether an address begins with `{base}`.
  package var usesBase: Bool { search.request.usesBase || feed?.request.usesBase == true }
  /// Whether the user must say where the API is.
  package var needsBase: Bool { usesBase && base == nil }

  /// How a request carries a secret.
  package struct Auth: Hashable, Sendable {
    /// Where it stands.
    package enum Place: Hashable, Sendable {
      /// In a header field, behind a word such as `Bearer` with a space.
      case header(String, prefix: String)
      /// In a parameter of the address.
      case parameter(String)
    }

    /// The secret's name in the settings.
    package var secret: String
    /// Where it stands.
    package var place: Place
    /// Whether nothing is answered without it.
    package var isRequired: Bool
  }

  /// What an answer says of how long to wait.
  package struct RetryAfter: Hashable, Sendable {
    /// Leads to a number.
    package var path: JSONPath
    /// Milliseconds of one of it.
    package var unit: Int
  }

  /// How an answer tells why it is none.
  package struct ErrorRules: Hashable, Sendable {
    /// Leads to a sentence; `nil` for the usual places.
    package var message: ValueRule?
    /// Leads to one of the codes of `SearchError`; `nil` where the status says it all.
    package var code: ValueRule?
  }
}

/// How words and phrases of a query become text of an API.
package struct TextRules: Hashable, Sendable {
  /// Whether the API finds just what has the words, or more.
  package var push = ProviderDescriptor.Push.exact
  /// Whether only the longest word or phrase is sent, for an API that takes what it gets as one text.
  package var sendsLongest = false
  /// Whether words stand in quotes, too.
  package var quotesWords = false
  /// Whether phrases stand in quotes.
  package var quotesPhrases = true
  /// How quotes are written.
  package var quoting = Quoting.backslash
  /// How a word that must not occur is written, around the word; `nil` where the API has no way.
  package var negation: Around?

  package init() {}
}

/// Text before and behind a value.
package struct Around: Hashable, Sendable {
  package var before: String
  package var behind: String

  /// The value between the two.
  func text(_ value: String) -> String { before + value + behind }
}

/// How a value is kept from being read as anything but a value.
package enum Quoting: String, CaseIterable, Hashable, Sendable {
  /// In double quotes; a value with a quote, a backslash or a control character cannot be.
  case double
  /// In double quotes, with a backslash before quotes and backslashes; every value can be.
  case backslash
  /// A pattern that matches just the value, in double quotes with backslashes; every value can be.
  case regex
  /// As it is; only letters, digits and `. _ - / + #` can be.
  case word

  /// The value in quotes; `nil` when it cannot be quoted.
  func quoted(_ value: String) -> String? {
    // A control character is part of no name and no word that is worth a search.
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
      // A dash at the beginning means "not" to most.
      return value.isEmpty || !isWord || value.hasPrefix("-") ? nil : value
    }
  }

  /// The value with a backslash before every character that means something in a pattern (RE2).
  private static func escaped(_ value: String) -> String {
    var result = String.UnicodeScalarView()
    for scalar in value.unicodeScalars {
      if "\\.+*?()|[]{}^$".unicodeScalars.contains(scalar) { result.append("\\") }
      result.append(scalar)
    }
    return String(result)
  }
}
