#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// References sorted by the bytes of their names, each name once.
struct ReferenceList: Sendable {
  private(set) var all: [Reference]

  /// Creates a list; of several references with a name the last one wins. Input that is sorted, as git writes
  /// it, is not sorted again.
  init(_ references: [Reference]) {
    var isSorted = true
    for index in references.indices.dropFirst()
    where !Self.precedes(references[index - 1].name, references[index].name) {
      isSorted = false
      break
    }
    all = references
    guard !isSorted else { return }
    let places = all.indices.sorted { left, right in
      Self.precedes(all[left].name, all[right].name) || all[left].name == all[right].name && left < right
    }
    all = places.indices.compactMap { place in
      let isLast = place + 1 == places.count || all[places[place + 1]].name != all[places[place]].name
      return isLast ? all[places[place]] : nil
    }
  }

  /// Returns this list with the references of another in place of those with equal names, and without
  /// `removed`.
  func overlaid(by other: ReferenceList, without removed: Set<String>) -> ReferenceList {
    guard !other.all.isEmpty || !removed.isEmpty else { return self }
    var merged: [Reference] = []
    merged.reserveCapacity(all.count + other.all.count)
    var next = 0
    for reference in all {
      while next < other.all.count, Self.precedes(other.all[next].name, reference.name) {
        merged.append(other.all[next])
        next += 1
      }
      if next < other.all.count, other.all[next].name == reference.name { continue }
      if !removed.isEmpty, removed.contains(reference.name) { continue }
      merged.append(reference)
    }
    merged.append(contentsOf: other.all[next...])
    return ReferenceList(ordered: merged)
  }

  private init(ordered: [Reference]) { all = ordered }

  /// The reference with a full name.
  subscript(name name: String) -> Reference? {
    let place = place(of: name)
    return place < all.count && all[place].name == name ? all[place] : nil
  }

  /// Returns the references whose names begin with a prefix.
  func with(prefix: String) -> [Reference] {
    Array(all[place(of: prefix)...].prefix { $0.name.utf8.starts(with: prefix.utf8) })
  }

  /// Returns the index of the first name that does not precede another.
  private func place(of name: String) -> Int {
    var (low, high) = (0, all.count)
    while low < high {
      let middle = low + (high - low) / 2
      if Self.precedes(all[middle].name, name) { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// Whether a name precedes another by its bytes.
  private static func precedes(_ left: String, _ right: String) -> Bool {
    var (left, right) = (left, right)
    return left.withUTF8 { left in
      right.withUTF8 { right in
        let count = min(left.count, right.count)
        guard count > 0, let a = left.baseAddress, let b = right.baseAddress else {
          return left.count < right.count
        }
        let order = memcmp(a, b, count)
        return order < 0 || order == 0 && left.count < right.count
      }
    }
  }
}
