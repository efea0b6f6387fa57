import ForageFoundation

/// Orders results by the values of a sort key.
package enum ResultOrder {
  /// The field of a sort key; by default the field of the same name.
  package static func field(of key: String) -> ResultField {
    switch key {
    case "updated": .updatedAt
    case "created": .createdAt
    case "pushed": .pushedAt
    case "starred": .starredAt
    case "size": .sizeKB
    case "author-date": .authoredAt
    case "committer-date": .committedAt
    case "joined": .createdAt
    default: ResultField(rawValue: key)
    }
  }

  /// Sorts results by a key. Results without it come last; the sort is stable.
  package static func sorted(_ items: [SearchResult], by key: String, order: SortOrder) -> [SearchResult] {
    sorted(items, by: key, order: order) { $0 }
  }

  /// Sorts elements by a key of their results.
  package static func sorted<Element>(
    _ items: [Element], by key: String, order: SortOrder, result: (Element) -> SearchResult
  ) -> [Element] {
    let field = field(of: key)
    let keyed = items.enumerated().map { (offset: $0.offset, value: result($0.element)[field]) }
    return keyed.sorted { a, b in precedes(a.value, b.value, order: order) ?? (a.offset < b.offset) }.map {
      items[$0.offset]
    }
  }

  /// Whether a value precedes another; missing values come last. `nil` for equal values.
  static func precedes(_ a: FieldValue?, _ b: FieldValue?, order: SortOrder) -> Bool? {
    switch (a, b) {
    case (let x?, let y?):
      switch compare(x, y) {
      case 0: nil
      case let sign: order == .ascending ? sign < 0 : sign > 0
      }
    case (.some, nil): true
    case (nil, .some): false
    case (nil, nil): nil
    }
  }

  /// Negative, zero or positive if `a` is smaller than, equal to or larger than `b`. Values of different
  /// types are equal.
  private static func compare(_ a: FieldValue, _ b: FieldValue) -> Int {
    switch (a, b) {
    case (.number(let x), .number(let y)): x < y ? -1 : x > y ? 1 : 0
    case (.date(let x), .date(let y)): x < y ? -1 : x > y ? 1 : 0
    case (.text(let x), .text(let y)): x == y ? 0 : x.bytesPrecede(y) ? -1 : 1
    default: 0
    }
  }
}
