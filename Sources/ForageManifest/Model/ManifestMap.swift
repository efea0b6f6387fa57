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

/// What the value of a field is.
package enum FieldType: String, CaseIterable, Hashable, Sendable {
  case text, number, fraction, flag, date, list

  /// The fields that results of any kind may carry, with what they are.
  package static let known: [String: FieldType] = {
    var known: [String: FieldType] = [:]
    func add(_ type: FieldType, _ names: String) {
      for name in names.split(separator: " ") { known[String(name)] = type }
    }
    add(
      .text,
      "description host owner name fullName avatarUrl homepage language license defaultBranch path ref state author stateReason"
        + " milestone sha message authorName committer login type location version registry text discussionUrl documentation"
    )
    add(
      .number,
      "stars forks watchers subscribers network openIssues sizeKB number comments reactions followers repositories score"
        + " answers points downloads recentDownloads views")
    add(.flag, "fork archived private template mirror isPullRequest draft locked curated featured accepted")
    add(
      .date, "createdAt updatedAt pushedAt starredAt mergedAt closedAt authoredAt committedAt publishedAt")
    add(.list, "topics labels assignees parents tags keywords")
    return known
  }()

  /// Fields whose numbers may be below zero: people vote questions down.
  private static let signed: Set<ResultField> = ["score"]

  /// The value of a field; `nil` for nothing, for what is of another type, and for stand-ins such as -1 or the beginning of time.
  func value(_ found: MappedValue, of field: ResultField) -> FieldValue? {
    switch (self, found) {
    case (.text, .json(.string(let text))): return text.trimmingWhitespace().isEmpty ? nil : .text(text)
    case (.number, .json(let tree)):
      guard let number = Self.number(tree), number >= 0 || Self.signed.contains(field) else { return nil }
      return .number(number)
    case (.fraction, .json(.double(let number))): return number.isFinite ? .fraction(number) : nil
    case (.fraction, .json(.integer(let number))): return .fraction(Double(number))
    case (.flag, .json(.bool(let flag))): return .flag(flag)
    case (.date, .date(let date)): return date.timeIntervalSince1970 > 0 ? .date(date) : nil
    case (.date, .json(.string(let text))):
      return Instant.iso(text).flatMap { $0.timeIntervalSince1970 > 0 ? .date($0) : nil }
    case (.list, .json(.array(let elements))):
      let texts = elements.compactMap(\.string).filter { !$0.trimmingWhitespace().isEmpty }
      return texts.isEmpty ? nil : .list(texts)
    default: return nil
    }
  }

  private static func number(_ tree: JSONTree) -> Int? {
    switch tree {
    case .integer(let number): number
    case .double(let number): Int(exactly: number)
    default: nil
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
