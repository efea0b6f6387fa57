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
      let vocabulary = QualifierVocabulary.common.adding(provider.info.vocabulary).of(kind)
      let (query, unread) = params.condition(vocabulary)
      let request = SearchRequest(
        kind: kind, query: query, sort: params.sort.flatMap { sorts.contains($0) ? $0 : nil },
        order: params.order.flatMap(SortOrder.init) ?? .descending,
        pageSize: min(max(1, params.limit), PluginProtocol.Limits.items), cursor: params.cursor,
        deadline: deadline)
      let page = try await isFeed ? provider.page(ofFeed: request) : provider.search(request)
      return lines.write(
        page, limit: request.pageSize, unapplied: unread + params.numbers(of: page.unapplied))
    case .details(let params):
      guard let provider = provider as? any DetailsProvider,
        provider.detailedKinds.contains(ResultKind(rawValue: params.kind))
      else { throw ErrorObject(.unsupportedQuery, "the kind \"\(params.kind)\" has no details") }
      guard let entity = EntityReference(params.id, defaultHost: ""), !entity.host.isEmpty else {
        return lines.write(SearchPage(items: []), limit: 1, unapplied: [])
      }
      return lines.write(try await provider.details(of: entity, deadline: deadline))
    }
  }
}

extension SearchParams {
  /// The numbers of the filters on qualifiers, including those within alternatives.
  fileprivate func numbers(of qualifiers: Set<String>) -> [Int] {
    if qualifiers.isEmpty { return [] }
    var found = Set(filters.lazy.filter { qualifiers.contains($0.field) }.map(\.n))
    func visit(_ node: QueryNode) {
      switch node {
      case .and(let nodes), .or(let nodes): for node in nodes { visit(node) }
      case .filter(let filter): if qualifiers.contains(filter.field) { found.insert(filter.n) }
      case .text, .phrase: break
      }
    }
    if let query { visit(query) }
    return found.sorted()
  }
}
