import ForageInspector

/// What a page says of the times of commits, in words and in one line of bars.
struct ActivitySummary {
  private static let weekdays = [
    "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday",
  ]
  /// Levels of a bar, the first for nothing at all.
  private static let blocks: [Character] = ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]
  private static let plainLevels: [Character] = [".", ":", "-", "=", "+", "*", "#"]

  let activity: InspectionReport.Activity

  /// Commits of the weeks.
  var total: Int { activity.weeks.reduce(0) { $0 + max(0, $1.commits) } }

  /// `1,234 commits in 52 weeks, busiest Tuesday, 10–12 h`.
  ///
  /// - Parameter isUnicode: Whether there is more than ASCII, so that the hours stay together.
  func text(isUnicode: Bool = true) -> String {
    var parts = [
      "\(InspectPage.plural(total, "commit")) in \(InspectPage.plural(activity.weeks.count, "week"))"
    ]
    if let day = busiestDay {
      parts.append("busiest \(day)" + (busiestHours(isUnicode).map { ", " + $0 } ?? ""))
    }
    return parts.joined(separator: "; ")
  }

  /// The weekday with the most commits of all time; nil without any.
  private var busiestDay: String? {
    let days = zip(activity.weekdays, Self.weekdays)
    guard let best = days.max(by: { $0.0 < $1.0 }), best.0 > 0 else { return nil }
    return days.first { $0.0 == best.0 }?.1
  }

  /// The two hours in a row with the most commits of all time.
  private func busiestHours(_ isUnicode: Bool) -> String? {
    let hours = activity.hours
    guard hours.count == 24, hours.contains(where: { $0 > 0 }) else { return nil }
    let pairs = hours.indices.map { hours[$0] + hours[($0 + 1) % 24] }
    guard let most = pairs.max(), let start = pairs.firstIndex(of: most) else { return nil }
    let end = (start + 2) % 24
    return "\(start)\(isUnicode ? "–" : "-")\(end == 0 ? 24 : end)\(isUnicode ? "\u{A0}" : " ")h"
  }

  /// A bar for each week, or for as many weeks in a row as it takes to fit the width.
  func sparkline(width: Int, isUnicode: Bool) -> String {
    let weeks = activity.weeks.map { max(0, $0.commits) }
    guard !weeks.isEmpty, width > 0 else { return "" }
    let span = (weeks.count + width - 1) / width
    // The newest week ends a whole span; an odd rest is with the oldest.
    let rest = weeks.count % span
    var sums = rest > 0 ? [weeks[..<rest].reduce(0, +)] : []
    sums += stride(from: rest, to: weeks.count, by: span).map { weeks[$0..<$0 + span].reduce(0, +) }
    let levels = isUnicode ? Self.blocks : Self.plainLevels
    let most = sums.max() ?? 0
    return String(
      sums.map { sum in
        guard sum > 0, most > 0 else { return levels[0] }
        // From 1 to the last level; only what is nothing looks like nothing.
        let level = (Double(sum) / Double(most) * Double(levels.count - 1)).rounded(.up)
        return levels[max(1, min(levels.count - 1, Int(level)))]
      })
  }
}
