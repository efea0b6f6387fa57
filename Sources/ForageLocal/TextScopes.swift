import ForageCore
import ForageStore

/// The texts of a clone in which words are looked for, narrowed by `in:`.
struct TextScopes {
  private let owner: String
  private let name: String
  private let path: String
  private let description: String
  /// The scopes that `in:` names, `nil` for all.
  private let chosen: Set<String>?

  init(_ record: CloneRecord, query: QueryExpression?) {
    owner = record.owner?.lowercased() ?? ""
    name = record.name.lowercased()
    path = record.relativePath.lowercased()
    description = record.description?.lowercased() ?? ""
    let named = (query?.leaves ?? []).flatMap { leaf -> [String] in
      guard case .qualifier(let qualifier) = leaf.expression, qualifier.name == "in", !leaf.isNegated,
        case .text(let scopes) = qualifier.value
      else { return [] }
      return scopes.lowercased().split(separator: ",").map(String.init)
    }
    chosen = named.isEmpty ? nil : Set(named)
  }

  private func isChosen(_ scope: String) -> Bool { chosen?.contains(scope) ?? true }

  /// Whether a word or phrase occurs; case is ignored.
  func contain(_ term: QueryTerm) -> Bool {
    let word = term.text.lowercased()
    return (isChosen("name") && (name.contains(word) || (owner + "/" + name).contains(word)))
      || (isChosen("description") && description.contains(word))
      || (chosen == nil && (owner.contains(word) || path.contains(word)))
  }

  /// How well a word fits: its place decides, the name before the owner before the path before the description.
  func relevance(_ term: QueryTerm) -> Int {
    let word = term.text.lowercased()
    if name == word { return 16 }
    if name.hasPrefix(word) { return 10 }
    if name.contains(word) { return 8 }
    if owner.contains(word) { return 4 }
    if path.contains(word) { return 3 }
    return description.contains(word) ? 2 : 0
  }
}
