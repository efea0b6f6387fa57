package import ForageCore

/// How results of one kind are searched.
package struct ManifestKind: Sendable {
  package var kind: ResultKind
  package var text = TextRules()
  /// Whether a query must contain a word or phrase.
  package var needsText: Bool?
  /// Whether the API requires the secret.
  package var needsToken = false
  /// How qualifiers are sent, by name.
  package var qualifiers: [String: ManifestQualifier] = [:]
  /// The qualifiers of its own that are checked on the fields of results.
  package var localQualifiers: [QualifierDefinition] = []
  package var search: ManifestList
  /// The results without a query.
  package var feed: ManifestList?
  /// The list across the repositories that the search is otherwise within; `nil` for none.
  package var wider: ManifestWiderList?
  /// The page on which the service itself shows a search, with `{text}`; `nil` for none.
  package var page: Template?
  /// One entity; `nil` where the API has no request for it.
  package var details: ManifestDetails?
  /// Further lists of the same kind, by the word of `is:` that asks for one alone, for example merge requests
  /// beside issues.
  package var variants: [(name: String, kind: ManifestKind)] = []

  /// The name of a variant, which its cursors belong to; empty for the kind itself.
  package var variant = ""
}

/// A list across repositories, which not every server has.
package struct ManifestWiderList: Sendable {
  package var list: ManifestList
  /// Words, in lower case, by which a server says that it does not have the list.
  package var refused: [String]
  /// The path in a row to what its repository is looked up by; `nil` where the map finds the name in the row.
  package var repository: JSONPath?
}

/// The request for everything about one entity.
package struct ManifestDetails: Sendable {
  /// The placeholders of its address: `owner/name` of the repository, or the name of the account or topic,
  /// and what names an entity in the repository; of a result that is on no forge its id without the
  /// provider's.
  static let names = ["id", "number", "sha"]

  package var request: ManifestRequest
  /// The path to the entity in the response; `nil` for the response itself.
  package var item: JSONPath?
  /// The parts of details that have requests of their own.
  package var parts: [ManifestPart] = []
}

extension ManifestDetails {
  /// The values of the placeholders.
  static func values(of id: EntityReference) -> [String: String] {
    let name = id.owner.isEmpty || id.name.isEmpty ? id.owner + id.name : id.owner + "/" + id.name
    switch id.subject {
    case .issue(let number), .mergeRequest(let number): return ["id": name, "number": String(number)]
    case .commit(let sha): return ["id": name, "sha": sha]
    case .file(let path, let ref):
      let isCommit = ref == "HEAD" || ref.utf8.count >= 7 && ref.consists(of: "0"..."9", "a"..."f")
      return ["id": name, "file": path, "ref": ref, "kind": isCommit ? "commit" : "branch"]
    case .repository, .account, .topic: return ["id": name]
    }
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
  /// Whether the list takes queries without words alone.
  package var isNone = false
  /// The text of an excluded word, with `{term}`; `nil` if the API cannot exclude words.
  package var negation: Template?
}

/// How an API handles a qualifier.
package struct ManifestQualifier: Hashable, Sendable {
  package enum Form: Hashable, Sendable {
    /// As a parameter; the negated qualifier as another, if there is one.
    case parameter(String, negated: String?)
    /// As part of the text, which contains the quoted `{value}`; the negated qualifier as another, if there
    /// is one.
    case text(Template, negated: Template?, Quoting)
    /// As a condition in a parameter.
    case condition(String, Conditions)
    /// As the inclusive ends of a range, each in a parameter.
    case range(lowest: String?, highest: String?, DateFormat?)
    /// As the parameters of each value, by the lower-case words of the query.
    case words([String: [ManifestList.Parameter]])
    /// Not at all, but for the account of the secret.
    case none
  }

  /// The format of the end of a range of dates.
  package enum DateFormat: String, CaseIterable, Hashable, Sendable {
    /// Seconds since 1970.
    case unix
    /// An instant such as `2024-01-31T10:00:00Z`.
    case iso
  }

  /// How conditions are written in a parameter that takes several, with `{value}`; `nil` where one cannot be
  /// sent.
  package struct Conditions: Hashable, Sendable {
    var equal: Template
    var negated: Template?
    /// With the inclusive ends of a range.
    var lowest: Template?
    var highest: Template?
    /// With the exclusive ends of a range of whole numbers, in place of the inclusive ones.
    var above: Template?
    var below: Template?
    /// How a text is quoted; `nil` where it is sent as it is, with what the API takes for operators.
    var quoting: Quoting?
  }

  /// How precisely the API applies it.
  package var push = Pushdown.exact
  package var form: Form
  /// Whether its values are sent as regular expressions, so that patterns of paths can be sent.
  var takesPatterns: Bool { if case .text(_, _, .regex) = form { true } else { false } }
  /// The API's names of values, by the lower-case words of the query; `nil` if they are the same.
  package var values: [String: String]?
  /// The separator between several required values; `nil` if the API accepts only one.
  package var separator: String?
  /// The parameters that are sent beside that of the value.
  package var further: [ManifestList.Parameter] = []
  /// The qualifier that an address must search within for the parameters to be sent; `nil` for every address.
  package var within: String?
  /// The parameters that are sent where the value is the account of the secret, in an address without
  /// `within`.
  package var own: [ManifestList.Parameter] = []
  /// The qualifier's definition, if it differs from the common one.
  package var definition: QualifierDefinition?
}
