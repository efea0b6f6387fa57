#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// So many items in a row that were observed at one time: pages are long, so few spans tell the times of a list.
struct ObservedSpan: Hashable, Sendable, Codable {
  var count: Int
  var time: Date
}

extension [ObservedSpan] {
  /// Adds items behind the others.
  mutating func append(_ count: Int, at time: Date) {
    guard count > 0 else { return }
    if last?.time == time {
      self[endIndex - 1].count += count
    } else {
      append(ObservedSpan(count: count, time: time))
    }
  }

  /// When the item at a place was observed, `nil` behind the last.
  func time(of place: Int) -> Date? {
    var end = 0
    for span in self {
      end += span.count
      if place < end { return span.time }
    }
    return nil
  }

  /// The spans without the first items.
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

  /// One span for items that are no longer in the order in which they came: the oldest time of all.
  func joined(_ count: Int) -> [ObservedSpan] {
    guard let oldest = self.min(by: { $0.time < $1.time }), count > 0 else { return [] }
    return [ObservedSpan(count: count, time: oldest.time)]
  }
}
