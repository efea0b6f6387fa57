import ForageFoundation

/// A number of consecutive items that were observed at the same time. A list needs few spans, because pages
/// are long.
struct ObservedSpan: Hashable, Sendable, Codable {
  var count: Int
  var time: Date
}

extension [ObservedSpan] {
  /// Appends items.
  mutating func append(_ count: Int, at time: Date) {
    guard count > 0 else { return }
    if last?.time == time {
      self[endIndex - 1].count += count
    } else {
      append(ObservedSpan(count: count, time: time))
    }
  }

  /// When the item at an index was observed; `nil` after the last.
  func time(of place: Int) -> Date? {
    var end = 0
    for span in self {
      end += span.count
      if place < end { return span.time }
    }
    return nil
  }

  /// The spans without a number of first items.
  func dropping(_ count: Int) -> [ObservedSpan] {
    var left = count
    var rest: [ObservedSpan] = []
    for span in self {
      let gone = Swift.min(left, span.count)
      left -= gone
      rest.append(span.count - gone, at: span.time)
    }
    return rest
  }

  /// A single span with the oldest time, for items that have been reordered.
  func joined(_ count: Int) -> [ObservedSpan] {
    guard let oldest = self.min(by: { $0.time < $1.time }), count > 0 else { return [] }
    return [ObservedSpan(count: count, time: oldest.time)]
  }
}
