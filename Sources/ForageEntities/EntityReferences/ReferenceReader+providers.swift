import ForageCore
import ForageSetup

/// Names of results that are on no forge.
extension ReferenceReader {
  /// How many results of a search are looked through for an id.
  private static let looked = 50

  /// The result of a plugin or manifest with an id as lists have it, `rubygems:faraday`: the provider is
  /// asked for its details, or searched for what follows its own id.
  ///
  /// - Throws: `ForageError` where the provider finds no such result; `SearchError` where it does not answer.
  func resultOfProvider(_ text: String) async throws -> ResolvedReference? {
    let parts = text.split(separator: ":", maxSplits: 1).map(String.init)
    guard let provider = try provider(ofID: text) else { return nil }
    let deadline = ContinuousClock.now + SearchOptions.defaultTimeout
    if let detailed = provider as? any DetailsProvider {
      for kind in detailed.detailedKinds.sorted(by: { $0.rawValue < $1.rawValue }) {
        let details = try await forage.reporter.waiting(for: parts[0]) {
          try await detailed.details(ofResult: text, kind: kind, deadline: deadline)
        }
        if let details, details.item.id == text {
          var found = resolved(details.item, text: text)
          found.hasDetails = true
          return found
        }
      }
    }
    for (kind, abilities) in provider.kinds.sorted(by: { $0.key.rawValue < $1.key.rawValue })
    where abilities.text != .unsupported {
      let request = SearchRequest(
        kind: kind, query: .term(QueryTerm(parts[1], isPhrase: parts[1].contains(where: \.isWhitespace))),
        pageSize: min(Self.looked, abilities.maximumPageSize), deadline: deadline)
      let page = try await forage.reporter.waiting(for: parts[0]) { try await provider.search(request) }
      if let item = page.items.first(where: { $0.id == text }) { return resolved(item, text: text) }
    }
    throw ForageError(
      "\(parts[0]) finds no result with the id \(text)",
      hint: "search for it, and name it by its number in the list", code: .nothingFound)
  }

  /// The provider that the id of a result begins with; `nil` where it is another text, or that of a forge.
  func provider(ofID text: String) throws -> (any SearchProvider)? {
    let parts = text.split(separator: ":", maxSplits: 1).map(String.init)
    guard parts.count == 2, ProviderInfo.isID(parts[0]), !parts[1].hasPrefix("//") else { return nil }
    let found = try provider(parts[0])
    return found is any ForgeProvider ? nil : found
  }

  /// The provider of a plugin or manifest; `nil` for a built-in one, and where there is none.
  private func provider(_ id: String) throws -> (any SearchProvider)? {
    guard BuiltInProvider.types.allSatisfy({ $0.name != id }) else { return nil }
    let settings = try forage.settings()
    guard
      forage.installed().ids.providers.contains(id) || settings.added.contains(id)
        || !forage.setup.pluginPaths.isEmpty
    else { return nil }
    return try forage.registry(settings, RequestOptions(named: [id])).providers.first { $0.info.id == id }
  }
}
