/// The files with the most lines; each thread has its own.
struct LargestFiles: Sendable {
  /// A file and its lines.
  struct Item: Sendable {
    /// The index of the file in the listing.
    let file: Int
    let language: UInt16
    let counts: LineCounts
  }

  /// Most lines first, and then in the order of the listing; at most ``FilePass/largestCount``.
  private(set) var items: [Item] = []

  /// Adds a file if it is among those with the most lines.
  mutating func add(_ item: Item) {
    if items.count == FilePass.largestCount, let last = items.last, !Self.precedes(item, last) { return }
    let place = items.firstIndex { Self.precedes(item, $0) } ?? items.count
    items.insert(item, at: place)
    if items.count > FilePass.largestCount { items.removeLast() }
  }

  private static func precedes(_ left: Item, _ right: Item) -> Bool {
    (right.counts.lines, left.file) < (left.counts.lines, right.file)
  }
}
