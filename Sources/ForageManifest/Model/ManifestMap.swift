package import ForageCore

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// How a row of an answer becomes a result.
package struct ManifestMap: Hashable, Sendable {
  /// A field with the rule for its value.
  package struct Field: Hashable, Sendable {
    package var name: ResultField
    package var type: FieldType
    package var rule: ValueRule
  }

  /// What names the row within the provider.
  package var id: ValueRule
  /// Where a person can look at it.
  package var url: ValueRule
  /// What a person calls it.
  package var title: ValueRule
  /// The fields.
  package var fields: [Field] = []
  /// The repository that it belongs to.
  package var repository: ValueRule?
  /// What it is a mirror of.
  package var mirrorOf: ValueRule?
  /// What it links to.
  package var link: ValueRule?
  /// The pieces of text that were found.
  package var fragments: FragmentRule?
}

/// How the pieces of text that were found are read.
package struct FragmentRule: Hashable, Sendable {
  /// How the places of what was found are counted.
  package enum Unit: String, CaseIterable, Hashable, Sendable {
    /// Bytes of UTF-8.
    case bytes
    /// Units of UTF-16.
    case utf16
    /// Unicode scalars.
    case scalars
  }

  /// The places of what was found within a piece.
  package struct Matches: Hashable, Sendable {
    /// Leads to them.
    package var each: JSONPath
    /// Where one begins, from 0.
    package var start: JSONPath
    /// How long it is.
    package var length: JSONPath
    /// How both are counted.
    package var unit: Unit
  }

  /// Leads to the pieces.
  package var each: JSONPath
  /// The text of a piece.
  package var text: ValueRule
  /// The number of its first line.
  package var line: ValueRule?
  /// The number of a file's first line.
  package var firstLine: Int
  /// A piece for which this is true is left out.
  package var unless: JSONPath?
  /// What was found in it.
  package var matches: Matches?
}

extension FieldType {
  /// The value of a field; `nil` for nothing, for what is of another type, and for stand-ins such as -1 or the beginning of time.
  func value(_ found: MappedValue, of field: ResultField) -> FieldValue? {
    switch found {
    case .json(let tree): value(tree, of: field) { Instant.iso($0) }
    case .date(let date): self == .date && date.timeIntervalSince1970 > 0 ? .date(date) : nil
    }
  }
}

extension ManifestMap {
  /// The fields that results get beside those of the map.
  ///
  /// - Parameter kind: The kind of the results.
  package func derivedFields(kind: ResultKind) -> Set<ResultField> {
    var fields: Set<ResultField> = []
    if kind == .repo { fields.formUnion([.host, .owner, .name, .fullName]) }
    if repository != nil, Self.belongs(kind) { fields.formUnion([.repository, .host]) }
    if fragments != nil { fields.insert(.fragments) }
    return fields
  }

  /// Whether what is of a kind is a part of a repository, rather than something that has to do with one.
  package static func belongs(_ kind: ResultKind) -> Bool { [.code, .issue, .commit].contains(kind) }
}
