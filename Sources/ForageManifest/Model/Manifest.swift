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
  /// The names of services with the same API, by the type that settings give for an instance of one.
  package var aliases: [String: String] = [:]
  /// The API's base address, unless the user sets another; `nil` if each user has their own, or if addresses
  /// are fixed.
  package var base: String?
  /// The host of its pages, if it is not that of the base.
  package var site: String?
  /// Hosts (with non-default ports) that may receive the secret besides the host of the base, and that may be
  /// contacted although they are private.
  package var hosts: [String] = []
  /// How requests are authenticated; `nil` if they are not.
  package var auth: Auth?
  /// The fields of its own.
  package var fields: [FieldDefinition] = []
  /// The maximum number of requests per second; `nil` for no limit.
  package var perSecond: Double?
  package var errors = ErrorRules()
  /// The path to the seconds to wait before the next request, in any response.
  package var retryAfter: JSONPath?
  /// The abilities besides searches, where it is a forge.
  package var forge: ManifestForge?
  /// The kinds of its results, in the order of the file; never empty.
  package var kinds: [ManifestKind]

  /// Whether an address begins with `{base}`.
  package var usesBase: Bool {
    kinds.flatMap(\.all).contains { kind in
      [kind.search.request, kind.feed?.request, kind.wider?.list.request, kind.details?.request].contains {
        $0?.origin == .base
      }
    }
  }
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
    /// The name of the secret with the name of an account; with it the request has basic authentication (RFC
    /// 7617).
    package var user: String?

    /// The names of all secrets.
    package var names: [String] { [secret] + [user].compactMap(\.self) }
  }

  /// The paths of the cause in an error response.
  package struct ErrorRules: Hashable, Sendable {
    /// The path to a message; `nil` for common places.
    package var message: ValueRule?
    /// The path to one of the codes of `SearchError`; `nil` if the status is sufficient.
    package var code: ValueRule?
  }
}
