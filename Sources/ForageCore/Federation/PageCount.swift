/// Counts what the pages of one provider contain, and decides after which page reading ends.
struct PageCount {
  /// Why reading ends after a page.
  struct Ending {
    /// Whether the list has ended.
    var isEnd = false
    /// Whether enough items were read.
    var isEnough: Bool
    /// Whether too many pages were read for the items that passed.
    var isCapped = false
    /// Whether the list is interrupted and can be continued by another search.
    var isPaused: Bool
    /// Whether the list ended early because its pages repeat.
    var isRepeating = false
    var shortfall: SearchShortfall?

    /// Whether no further page is to be read.
    var isReached: Bool { isEnd || isEnough || isCapped || isPaused }
  }

  /// The ids of all items.
  private(set) var seen: Set<String>
  /// The number of items with repeated ones, because the provider counts them, too.
  private(set) var received: Int
  /// About the number of bytes that the kept items take in memory.
  private(set) var size: Int
  /// Whether the last page was interrupted, so that the next one repeats its items.
  private(set) var isTruncated: Bool
  /// The number of items that passed the residual filter.
  private var kept: Int
  private var emptyPages = 0
  /// Pages that do not fill a window: many of them would exceed rate limits for a query with few matches.
  private var thinPages = 0
  private var windowEnd: Int

  init(_ begun: ProviderProgress.State) {
    (seen, received) = (begun.part.seen, begun.part.seen.count)
    (size, isTruncated) = (begun.size, begun.part.isTruncated)
    (kept, windowEnd) = (begun.items.count, begun.items.count + RankFusion.window)
  }

  /// The items with new ids, without a copy if all are new.
  mutating func unseen(_ items: [SearchResult]) -> [SearchResult] {
    seen.reserveCapacity(seen.count + items.count)
    let isNew = items.map { seen.insert($0.id).inserted }
    return isNew.contains(false) ? items.indices.filter { isNew[$0] }.map { items[$0] } : items
  }

  /// Counts a page.
  ///
  /// - Parameters:
  ///   - isKnown: Whether the page has no new items.
  ///   - items: The items that passed the residual filter.
  ///   - target: The number of such items wanted.
  ///   - scanCap: The maximum number of consecutive pages that do not fill a window.
  /// - Returns: Whether and why reading ends.
  mutating func ending(
    after page: SearchPage, isKnown: Bool, kept items: [SearchResult], target: Int, scanCap: Int
  ) -> Ending {
    let isEmpty = page.items.isEmpty
    kept += items.count
    received += page.items.count
    emptyPages = isEmpty ? emptyPages + 1 : 0
    if !isEmpty || page.mayRepeat { thinPages += 1 }
    if kept >= windowEnd { (thinPages, windowEnd) = (0, kept + RankFusion.window) }
    var ending = Ending(isEnough: kept >= target, isPaused: page.gaps.shortfall?.isPause ?? false)
    let isStalled =
      page.next != nil && !ending.isPaused
      && emptyPages >= (page.mayRepeat ? ProviderReader.wholeScanCap : ProviderReader.emptyPageCap)
    // A page that has items but no new ones ends the list, because some servers repeat their last page.
    ending.isEnd =
      page.next == nil || isStalled
      || !isEmpty && isKnown && !page.mayRepeat && !isTruncated && !ending.isPaused
    isTruncated = page.gaps.failure != nil
    ending.isRepeating =
      !ending.isEnough && ending.isEnd && !isStalled && page.next != nil
      && page.total.map { $0.value > seen.count } ?? false
    ending.isCapped = !ending.isEnd && !ending.isEnough && thinPages >= scanCap
    let pageBytes = items.reduce(0) { $0 + $1.size }
    size += pageBytes
    // The next page may be as large as this one.
    let isFull = !ending.isReached && size + pageBytes > ProviderReader.sizeLimit
    ending.shortfall = isStalled ? Self.stall(emptyPages) : isFull ? Self.full(kept) : nil
    ending.isPaused = ending.isPaused || isFull
    return ending
  }

  /// Reports that reading stopped after consecutive pages without items.
  static func stall(_ pages: Int) -> SearchShortfall {
    SearchShortfall(
      "reading stopped after \(pages) consecutive pages without results",
      hint: "make the query more specific, or report this to the author of the provider")
  }

  /// Reports that reading stopped because the results are too large.
  private static func full(_ count: Int) -> SearchShortfall {
    SearchShortfall(
      "reading stopped after \(count) results, because the limit of \(ProviderReader.sizeLimit >> 20) MB for the results of one search is reached",
      hint: "request fewer results at a time", isPause: true)
  }
}
