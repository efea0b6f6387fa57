import ForageCore
import ForagePluginProtocol

enum ProviderCall: Sendable {
  case search(SearchParams)
  /// A feed, whose parameters are those of a search without a condition.
  case feed(SearchParams)
  case details(DetailsParams)

  /// Decodes a request.
  ///
  /// - Throws: `ErrorObject`.
  init(_ method: String, _ params: JSONTree) throws(ErrorObject) {
    do {
      switch method {
      case PluginProtocol.Method.search: self = .search(try params.decode())
      case PluginProtocol.Method.feed: self = .feed(try params.decode())
      case PluginProtocol.Method.details: self = .details(try params.decode())
      default: throw ErrorObject(.methodNotFound, "unknown method \"\(method)\"")
      }
    } catch let error as ErrorObject {
      throw error
    } catch {
      throw ErrorObject(.invalidParams, "invalid parameters for \(method)")
    }
  }

  var provider: String {
    switch self {
    case .search(let params), .feed(let params): params.provider
    case .details(let params): params.provider
    }
  }

  /// The request's deadline, counted from now.
  var deadline: ContinuousClock.Instant {
    switch self {
    case .search(let params), .feed(let params): .now(plusMilliseconds: params.deadlineMs)
    case .details(let params): .now(plusMilliseconds: params.deadlineMs)
    }
  }

  /// Calls the provider and encodes its answer.
  func lines(for id: RequestID, from provider: any SearchProvider) async throws -> [UInt8] {
    let lines = PageLines(id: id, provider: provider.info.id)
    switch self {
    case .search(let params), .feed(let params):
      let isFeed = if case .feed = self { true } else { false }
      let kind = ResultKind(rawValue: params.kind)
      let abilities = provider.kinds[kind]
      guard let sorts = isFeed ? abilities?.feed?.sorts : abilities?.sorts else {
        throw ErrorObject(.unsupportedQuery, "the kind \"\(params.kind)\" is not supported")
      }
      let vocabulary = provider.vocabulary(of: kind)
      var request = SearchRequest(
        kind: kind, query: try params.condition(vocabulary),
        sort: params.sort.flatMap { sorts.contains($0) ? $0 : nil },
        order: params.order.flatMap(SortOrder.init) ?? .descending,
        pageSize: min(max(1, params.limit), PluginProtocol.Limits.items), cursor: params.cursor,
        deadline: deadline)
      request.vocabulary = vocabulary
      var page = try await isFeed ? provider.page(ofFeed: request) : provider.search(request)
      page.applyRest(of: request.query, vocabulary)
      return lines.write(page, limit: request.pageSize)
    case .details(let params):
      guard let provider = provider as? any DetailsProvider,
        provider.detailedKinds.contains(ResultKind(rawValue: params.kind))
      else { throw ErrorObject(.unsupportedQuery, "the kind \"\(params.kind)\" has no details") }
      if params.id.hasPrefix(provider.info.id + ":") {
        let kind = ResultKind(rawValue: params.kind)
        return lines.write(try await provider.details(ofResult: params.id, kind: kind, deadline: deadline))
      }
      guard let entity = EntityReference(params.id, defaultHost: ""), !entity.host.isEmpty else {
        return lines.write(nil)
      }
      return lines.write(try await provider.details(of: entity, deadline: deadline))
    }
  }
}

extension SearchProvider {
  /// The meaning of qualifiers for a kind. One that is declared without a definition reads the declared field
  /// of its name: only the `plugin.json` of the program then says more of that field.
  fileprivate func vocabulary(of kind: ResultKind) -> QualifierVocabulary {
    let known = QualifierVocabulary.common.adding(info.vocabulary).of(kind)
    let undefined = (kinds[kind]?.qualifiers.keys.sorted() ?? []).filter { known[$0] == nil }
    return known.adding(
      undefined.compactMap { name in
        let field = kinds[kind]?.fields.first { $0.rawValue.lowercased() == name }
        return field.map { QualifierDefinition(name, .text, field: $0) }
      }
    ).of(kind)
  }
}

extension SearchPage {
  /// Applies the conditions that the provider did not apply, because the protocol cannot leave them to the
  /// host.
  fileprivate mutating func applyRest(of query: QueryExpression?, _ vocabulary: QualifierVocabulary) {
    let rest = query?.conjuncts { condition in
      condition.leaves.contains { leaf in
        switch leaf.expression {
        case .qualifier(let qualifier): unapplied.contains(qualifier.name)
        default: unapplied.contains(SearchFilter.textField)
        }
      }
    }
    guard let rest = QueryExpression.all(rest ?? []) else { return }
    items.removeAll { !rest.matches($0, vocabulary: vocabulary) }
    // It counts items that are left out here.
    total = nil
  }
}
