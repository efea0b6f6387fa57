/// One provider's part in one search: reads pages until enough items have passed the residual filter.
struct ProviderRun: Sendable {
  /// Pages that may be read in search of items that pass the residual filter. More would spend a rate limit on a query that hardly matches.
  static let scanCap = 5

  let provider: any SearchProvider
  let kind: ResultKind
  var plan: QueryPlan
  let vocabulary: QualifierVocabulary
  /// Items wanted after the filter.
  let wanted: Int
  /// Items a page, the same for every page.
  let pageSize: Int
  let sort: String?
  let order: SortOrder
  let deadline: ContinuousClock.Instant
  let index: Int

  /// The most pages that the run reads.
  private var pageLimit: Int { max(Self.scanCap, (wanted + pageSize - 1) / pageSize) }

  /// Runs to the end and tells the collector what it gets as it gets it.
  func execute(_ collector: RunCollector) async {
    await Self.reporting(to: collector, index: index, name: provider.descriptor.name) {
      try await readPages(collector)
    }
  }

  /// Does a provider's work and turns whatever it throws into the outcome of its run.
  static func reporting(
    to collector: RunCollector, index: Int, name: String, _ work: () async throws -> Void
  ) async {
    do {
      try await work()
    } catch let error as SearchError {
      collector.fail(index, error)
    } catch is CancellationError {
      collector.fail(index, SearchError(.cancelled, "the search was cancelled", hint: "run it again"))
    } catch {
      collector.fail(
        index,
        SearchError(.other, "\(name) failed: \(error)", hint: "run again with --verbose to see its requests"))
    }
  }

  private func readPages(_ collector: RunCollector) async throws {
    var plan = plan
    var cursor: String?
    var seen: Set<String> = []
    var passed = 0
    for pageNumber in 1... {
      let page = try await provider.search(
        SearchRequest(
          kind: kind, query: plan.pushed, sort: sort, order: order, pageSize: pageSize, cursor: cursor,
          deadline: deadline,
          requests: collector.requests(index))
      )
      plan.demote(page.unapplied)
      let fresh = page.items.filter { seen.insert($0.id).inserted }
      let kept = fresh.filter { plan.residual?.matches($0, vocabulary: vocabulary) ?? true }
      passed += kept.count
      // A page without anything new ends the list: some servers repeat their last page for ever.
      let isEnd = page.next == nil || fresh.isEmpty
      let isEnough = passed >= wanted
      if !isEnough, fresh.isEmpty, page.next != nil, let total = page.total, total.value > seen.count {
        throw SearchError(
          .invalidResponse, "\(provider.descriptor.name) repeats its pages, so its list ends early",
          hint: "run again with --verbose to see its requests")
      }
      let isCapped = !isEnd && !isEnough && pageNumber >= pageLimit
      let isOpen = collector.update(index) { run in
        run.items += kept.prefix(max(0, wanted - run.items.count))
        run.outcome.add(page, plan: plan)
        run.outcome.returned = run.items.count
        run.outcome.isScanLimited = isCapped
        if isEnd || isEnough || isCapped {
          run.outcome.state = .ok
          run.outcome.reachable = reachedLimit(run, seen: seen.count, isEnough: isEnough)
          run.isClosed = true
        }
      }
      if !isOpen { return }
      cursor = page.next
    }
  }

  /// The provider's reachable maximum, when that and nothing else ended the list.
  private func reachedLimit(_ run: RunCollector.Run, seen: Int, isEnough: Bool) -> Int? {
    guard !isEnough, let reachable = provider.descriptor.kinds[kind]?.reachable,
      let total = run.outcome.total,
      total.value > reachable, seen > 0
    else { return nil }
    return reachable
  }
}

extension ProviderOutcome {
  fileprivate mutating func add(_ page: SearchPage, plan: QueryPlan) {
    total = page.total ?? total
    isIncomplete = isIncomplete || page.isIncomplete
    unreadable += page.unreadable
    residual = plan.residualNames
  }
}
