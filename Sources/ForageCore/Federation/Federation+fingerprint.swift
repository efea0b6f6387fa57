extension Federation {
  /// Identifies a search for continuation: query, kinds, order, and providers with their weights.
  func fingerprint(of search: FederatedSearch) -> String {
    Self.lines(search) + voters.joined(separator: "\n")
  }

  /// How the providers differ from those of a fingerprint of the same search; `nil` for another search.
  func change(since fingerprint: String, of search: FederatedSearch) -> String? {
    let lines = Self.lines(search)
    guard fingerprint.hasPrefix(lines) else { return nil }
    let old = fingerprint.dropFirst(lines.count).split(separator: "\n").map(String.init)
    func id(_ voter: String) -> String { String(voter.prefix { $0 != " " }) }
    let (before, now) = (old.map(id), voters.map(id))
    let kept = voters.filter { before.contains(id($0)) && !old.contains($0) }.map(id)
    let changes =
      now.filter { !before.contains($0) }.map { "the provider \($0) was added" }
      + before.filter { !now.contains($0) }.map { "the provider \($0) was removed" }
      + kept.map { "the settings of the provider \($0) were changed" }
    return changes.isEmpty ? "the order of the providers was changed" : changes.joined(separator: ", ")
  }

  private var voters: [String] {
    registry.entries.map { entry in
      let (descriptor, weight) = (entry.descriptor, entry.preferences.weight)
      return "\(descriptor.id) \(descriptor.group) \(weight) \(descriptor.hosts.joined(separator: ","))"
    }
  }

  private static func lines(_ search: FederatedSearch) -> String {
    let parts = [
      (search.isFeed ? "feed " : "") + (search.query?.root.description ?? ""),
      search.kinds.map(\.rawValue).joined(separator: ","),
      search.sort ?? "", search.order.rawValue, search.filter?.name ?? "",
    ]
    return parts.map { $0 + "\n" }.joined()
  }
}
