import ForageCore
import ForageInspector

/// Describes the times of commits in words and in one line of bars.
struct ActivitySummary {
  private static let weekdays = [
    "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday",
  ]
  /// The levels of a bar; the first stands for 0.
  private static let blocks: [Character] = ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]
  private static let plainLevels: [Character] = [".", ":", "-", "=", "+", "*", "#"]

  let activity: InspectionReport.Activity

  var total: Int { activity.weeks.reduce(0) { $0 + max(0, $1.commits) } }

  /// `1,234 commits in 52 weeks since 2025-01-06; busiest of all time: Tuesday, 10–12 h`.
  ///
  /// - Parameter isUnicode: Whether a dash and a space without a line break can be shown.
  func text(isUnicode: Bool = true) -> String {
    let weeks = HumanFormat.plural(activity.weeks.count, "week")
    let period = activity.weeks.first.map { " in \(weeks) since \(Self.day($0.start))" } ?? ""
    var parts = [HumanFormat.plural(total, "commit") + period]
    if let day = busiestDay {
      parts.append("busiest of all time: \(day)" + (busiestHours(isUnicode).map { ", " + $0 } ?? ""))
    }
    return parts.joined(separator: "; ")
  }

  /// A day of a report; it can be from a cache, so that only what a day has is shown.
  private static func day(_ text: String) -> String {
    text.filter { $0.isASCII && ($0.isNumber || $0 == "-") }
  }

  /// The weekday with the most commits of all time; `nil` without commits.
  private var busiestDay: String? {
    let days = zip(activity.weekdays, Self.weekdays)
    guard let best = days.max(by: { $0.0 < $1.0 }), best.0 > 0 else { return nil }
    return days.first { $0.0 == best.0 }?.1
  }

  /// The two consecutive hours with the most commits of all time.
  private func busiestHours(_ isUnicode: Bool) -> String? {
    let hours = activity.hours
    guard hours.count == 24, hours.contains(where: { $0 > 0 }) else { return nil }
    let pairs = hours.indices.map { hours[$0] + hours[($0 + 1) % 24] }
    guard let most = pairs.max(), let start = pairs.firstIndex(of: most) else { return nil }
    let end = (start + 2) % 24
    return "\(start)\(isUnicode ? "–" : "-")\(end == 0 ? 24 : end)\(isUnicode ? "\u{A0}" : " ")h"
  }

  /// A bar for each week, or for as many consecutive weeks as it takes to fit the width.
  func sparkline(width: Int, isUnicode: Bool) -> String {
    let weeks = activity.weeks.map { max(0, $0.commits) }
    guard !weeks.isEmpty, width > 0 else { return "" }
    let span = (weeks.count + width - 1) / width
    // Spans are counted back from the newest week; the oldest may be shorter.
    let rest = weeks.count % span
    var sums = rest > 0 ? [weeks[..<rest].reduce(0, +)] : []
    sums += stride(from: rest, to: weeks.count, by: span).map { weeks[$0..<$0 + span].reduce(0, +) }
    let levels = isUnicode ? Self.blocks : Self.plainLevels
    let most = sums.max() ?? 0
    return String(
      sums.map { sum in
        guard sum > 0, most > 0 else { return levels[0] }
        // From 1 to the last level; the first level stands for 0 alone.
        let level = (Double(sum) / Double(most) * Double(levels.count - 1)).rounded(.up)
        return levels[max(1, min(levels.count - 1, Int(level)))]
      })
  }
}
