/// The account whose repositories a request is about: where somebody has several tokens for a forge, it chooses one.
package enum RequestOwner {
  /// `nil` for a request that is about no one account.
  @TaskLocal package static var current: String?
  /// The variable of the one token that is tested now; `nil` for any other request.
  @TaskLocal package static var tested: String?

  /// The account that all results of a query belong to: the owner of its repositories, or the one that it names.
  package static func of(_ query: QueryExpression?) -> String? {
    let owners = (query?.negationNormalForm.conjuncts ?? []).compactMap { condition -> String? in
      guard case .qualifier(let qualifier) = condition, case .text(let value) = qualifier.value else {
        return nil
      }
      switch qualifier.name {
      case "repo": return owner(ofRepository: value)
      case "user", "org", "owner": return value.lowercased()
      default: return nil
      }
    }
    return Set(owners).count == 1 ? owners[0] : nil
  }

  /// The owner in `owner/name` or `host/owner/name`.
  private static func owner(ofRepository name: String) -> String? {
    var parts = name.lowercased().split(separator: "/")
    if parts.count > 2, parts[0].contains(where: { ".:".contains($0) }) { parts.removeFirst() }
    return parts.count > 1 && !name.hasPrefix("/") ? parts.dropLast().joined(separator: "/") : nil
  }
}
