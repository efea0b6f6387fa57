@testable import ForageCore

/// A list of one provider that is merged without being read.
struct RankedList {
  var provider: String
  var group: String
  var weight: Double
  var hosts: [String]
  var items: [SearchResult]

  var run: ProviderRun {
    let provider = ScriptedProvider.named(provider, group: group, hosts: hosts) { _, _ in
      SearchPage(items: [])
    }
    let registry = ProviderRegistry([provider]) { _ in ProviderPreferences(weight: weight) }
    return ProviderRun(listing: items, of: registry.entries[0])
  }
}

/// The merged list.
func merged(_ lists: [RankedList], limit: Int = .max) -> [MergedItem] {
  var merger = EntityMerger(lists.map(\.run))
  return Array(merger.ranked(limit: limit, isSingle: false).prefix(limit))
}
