import ForageCore

/// Searches across the repositories of an account, or of the whole forge.
extension ManifestForgeProvider {
  /// How many repositories of an account are listed at once.
  private static let listed = 100

  /// The page of the list across repositories, for a query that names none of them.
  ///
  /// - Parameter account: The account of the secret; `nil` where it is not known.
  /// - Returns: `nil` where the kind has no such list, the server does not have it or not for the account,
  ///   the cursor is not one of it, or there is no secret: the query is then answered as if the kind had no
  ///   such list.
  func across(_ request: SearchRequest, _ account: String?) async throws -> SearchPage? {
    let kind = try searching.kind(request.kind)
    guard let wider = kind.wider, !ManifestQuery.isWithin(request.query, kind.search.request) else {
      return nil
    }
    return try await RequestOwner.$current.withValue(
      RequestOwner.of(request.query) ?? RequestOwner.current
    ) { () async throws -> SearchPage? in
      do {
        return try await page(request, of: wider, kind, account)
      } catch is ListRefusal {
        return nil
      } catch let error as SearchError
        where [.notFound, .invalidCursor, .needsQualifier].contains(error.code)
      {
        return nil
      } catch let error as SearchError where error.code == .unauthorized {
        guard try await client.hasSecret() else { return nil }
        throw error
      }
    }
  }

  private func page(
    _ request: SearchRequest, of wider: ManifestWiderList, _ kind: ManifestKind, _ account: String?
  ) async throws -> SearchPage {
    var list = kind
    list.search = wider.list
    var reader = try PageReader(request, of: wider.list, list, client, account: account)
    let repositories = try searching.kind(.repo)
    let within = reader.query.within
    reader.across = PageReader.Across(
      refused: wider.refused, repository: wider.repository,
      list: {
        guard let account = within?.value, within?.place.qualifier == "owner", !forge.owner.isEmpty else {
          return SearchPage(items: [])
        }
        return try await self.repositories(
          of: account,
          SearchRequest(kind: .repo, query: nil, pageSize: Self.listed, deadline: request.deadline))
      },
      look: { [searching] id in
        try await searching.answer(id, ["id": id], in: repositories, deadline: request.deadline)
      })
    return try await reader.page(report: searching.warnings.report, coverage: searching.coverage)
  }
}
