package import ForageCore

/// How an API handles a qualifier.
package struct ManifestQualifier: Hashable, Sendable {
  package enum Form: Hashable, Sendable {
    /// As a parameter; the negated qualifier as another, if there is one.
    case parameter(String, negated: String?)
    /// As part of the text, quoted, between a prefix and a suffix; the negated qualifier between others, if
    /// given.
    case text(Around, negated: Around?, Quoting)
    /// As the inclusive ends of a range, each in a parameter.
    case range(lowest: String?, highest: String?, RangeFormat)
  }

  /// The format of the end of a range.
  package enum RangeFormat: String, CaseIterable, Hashable, Sendable {
    case number
    /// Seconds since 1970.
    case unix
    /// An instant such as `2024-01-31T10:00:00Z`.
    case iso
    /// A day such as `2024-01-31`.
    case day
  }

  /// How precisely the API applies it.
  package var push = Pushdown.exact
  package var form: Form
  /// The API's names of values, by the lower-case words of the query; `nil` if they are the same.
  package var values: [String: String]?
  /// The separator between several required values; `nil` if the API accepts only one.
  package var separator: String?
  /// The qualifier's definition, if it differs from the common one.
  package var definition: QualifierDefinition?
}
