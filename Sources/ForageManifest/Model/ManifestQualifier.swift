package import ForageCore

/// How an API takes one qualifier.
package struct ManifestQualifier: Hashable, Sendable {
  /// Where its value goes.
  package enum Form: Hashable, Sendable {
    /// Into a parameter; the opposite of the qualifier into another, where there is one.
    case parameter(String, negated: String?)
    /// Into the text, quoted, between two texts; the opposite between two others, where there are.
    case text(Around, negated: Around?, Quoting)
    /// The ends of a range, both inclusive, into a parameter each.
    case range(lowest: String?, highest: String?, RangeFormat)
  }

  /// How the end of a range is written.
  package enum RangeFormat: String, CaseIterable, Hashable, Sendable {
    /// A whole number.
    case number
    /// Seconds since the beginning of 1970.
    case unix
    /// An instant such as `2024-01-31T10:00:00Z`.
    case iso
    /// A day such as `2024-01-31`.
    case day
  }

  /// How the API applies it.
  package var push = ProviderDescriptor.Push.exact
  /// Where its value goes.
  package var form: Form
  /// What the API calls values, by the words of the query in lower case; `nil` where it calls them the same.
  package var values: [String: String]?
  /// What stands between several values that must all hold; `nil` where the API takes only one.
  package var separator: String?
  /// What it means, where that is not what it means everywhere.
  package var definition: QualifierDefinition?
}
