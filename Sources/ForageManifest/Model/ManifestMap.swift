package import ForageCore

/// The mapping of a row to a result.
package struct ManifestMap: Hashable, Sendable {
  package struct Field: Hashable, Sendable {
    package var name: ResultField
    package var type: FieldType
    package var rule: ValueRule
  }

  /// The row's id at the provider.
  package var id: ValueRule
  package var url: ValueRule
  package var title: ValueRule
  package var fields: [Field] = []
  /// The repository that contains it.
  package var repository: ValueRule?
  /// The repository that it mirrors.
  package var mirrorOf: ValueRule?
  /// The address that it links to.
  package var link: ValueRule?
  /// The kind of what a notification is about.
  package var subject: ValueRule?
  /// Why there is nothing to clone of a repository.
  package var uncloneable: ValueRule?
  package var fragments: FragmentRule?
}

package struct FragmentRule: Hashable, Sendable {
  package enum Unit: String, CaseIterable, Hashable, Sendable {
    case bytes
    case scalars
  }

  /// The positions of matches within a fragment.
  package struct Matches: Hashable, Sendable {
    package var each: JSONPath
    /// The path to the start of a match, from 0.
    package var start: JSONPath
    /// The path to the length of a match.
    package var length: JSONPath
    package var unit: Unit
  }

  package var each: JSONPath
  package var text: ValueRule
  package var line: ValueRule?
  /// The number of the first line of a file.
  package var firstLine: Int
  /// The path to a flag; fragments for which it is true are skipped.
  package var unless: JSONPath?
  package var matches: Matches?
}

extension ManifestMap {
  /// The fields of results: those of the map, and those that follow from it.
  package func allFields(of kind: ResultKind) -> Set<ResultField> {
    var fields = Set(fields.map(\.name))
    if kind == .repo { fields.formUnion([.host, .owner, .name, .fullName]) }
    if repository != nil, kind.belongsToRepository { fields.formUnion([.repository, .host]) }
    if fragments != nil { fields.insert(.fragments) }
    if subject != nil { fields.insert(.subject) }
    return fields
  }
}
