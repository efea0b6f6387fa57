package import ForageCore
import ForageYAML
import Yams

/// A search under a name, for `forage search @NAME`.
package struct SavedSearch: Sendable, Hashable {
  package var name: String
  /// The names of the kinds of results; empty for the usual one.
  package var kinds: [String] = []
  package var query = ""
  package var sort: String?
  package var order: SortOrder?
  /// The ids of the providers; empty for all that are enabled.
  package var providers: [String] = []
  /// How many results are wanted; `nil` for the usual number.
  package var limit: Int?
  /// Whether it stands in the user's own settings.
  package var isOfSettings = false

  package init(name: String) { self.name = name }

  private static let longestName = 40

  /// Whether a text can be a name: letters, digits, `-` and `_` of ASCII.
  package static func isName(_ text: some StringProtocol) -> Bool {
    (1...longestName).contains(text.utf8.count)
      && text.utf8.allSatisfy { byte in
        (48...57).contains(byte) || (97...122).contains(byte | 0x20) || byte == 45 || byte == 95
      }
  }

  /// The name that a first word of a query asks for, `nil` for any other word, for example `@angular/core`.
  package static func name(askedBy word: String) -> String? {
    word.hasPrefix("@") && isName(word.dropFirst()) ? String(word.dropFirst()) : nil
  }

  /// The members that it has in a file, and in documents.
  package var members: [(String, JSONTree?)] {
    [
      ("kind", kinds.isEmpty ? nil : kinds.joined(separator: ",").json), ("query", query.json),
      ("sort", sort?.json), ("order", order?.rawValue.json),
      ("providers", providers.isEmpty ? nil : .array(providers.map(\.json))), ("limit", limit?.json),
    ]
  }
}

extension YAMLReader {
  /// Reads searches by their names; one that is not understood is reported and left out.
  func savedSearches(_ members: [StrictYAML.Member]) -> [SavedSearch] {
    members.compactMap { member in
      guard SavedSearch.isName(member.name) else {
        report(
          member.key, "\"\(member.name)\" cannot be the name of a search",
          hint: "a name has letters, digits, - and _")
        return nil
      }
      let example = "\(member.name): {kind: issue, query: \"crash state:open\"}"
      let count = problems.count
      guard
        let part = part(member, ["kind", "query", "sort", "order", "providers", "limit"], example: example)
      else {
        return nil
      }
      var search = SavedSearch(name: member.name)
      search.query = part["query"].flatMap { checkedText($0.value, "query takes a text") { _ in true } } ?? ""
      search.kinds = part["kind"].map { texts($0) } ?? []
      search.providers = part["providers"].map { texts($0) } ?? []
      search.sort = part["sort"].flatMap { checkedText($0.value, "sort takes a key") { !$0.isEmpty } }
      search.order = part["order"].flatMap { word($0, among: ["asc", "desc"]) }.flatMap(
        SortOrder.init(rawValue:))
      search.limit = part.whole("limit", 1...SearchOptions.maximumLimit)
      return problems.count > count ? nil : search
    }
  }

  /// A list of texts, or one with commas.
  func texts(_ member: StrictYAML.Member) -> [String] {
    let nodes = if case .sequence(let sequence) = member.value { Array(sequence) } else { [member.value] }
    let texts = nodes.compactMap { node in
      checkedText(node, "\(member.name) takes a text or a list of texts") { !$0.isEmpty }
    }
    return texts.flatMap { $0.split(separator: ",").map { $0.trimmingWhitespace() } }
  }
}
