import ForageCore
import ForageInspector

/// The charts of the page; each has a text for screen readers.
extension HTMLPage {
  /// The length of a full bar in a table, in units of the drawing.
  private static let barLength = 1000
  /// The length of the language bar, in units of the drawing.
  private static let languageLength = 10_000
  private static let dayNames = ["Mo", "Tu", "We", "Th", "Fr", "Sa", "Su"]

  /// A thin bar below a name.
  static func bar(_ part: Double) -> HTML {
    let length = max(1, Int(max(0, min(part, 1)) * Double(barLength)))
    return """
      <svg class="bar" viewBox="0 0 \(barLength) 10" preserveAspectRatio="none" aria-hidden="true">\
      <rect width="\(length)" height="10"/></svg>
      """
  }

  /// The languages in one bar over the whole width, with a legend.
  func languages(_ report: InspectionReport) -> HTML {
    guard let languages = report.languages, !languages.isEmpty else { return "" }
    let bar = LanguageBar(languages)
    let words = bar.parts.map { "\($0.name) \(InspectRendering.percent($0.share))" }
    var start = 0
    let rects = zip(bar.parts, bar.widths(of: Self.languageLength)).map { part, width -> HTML in
      defer { start += width }
      return """
        <rect x="\(start)" width="\(width)" height="10" fill="\(Self.hex(part.color))">\
        <title>\(part.name) \(InspectRendering.percent(part.share))</title></rect>
        """
    }
    let legend = bar.parts.map { part -> HTML in
      """
      <li><svg viewBox="0 0 10 10" aria-hidden="true"><circle cx="5" cy="5" r="5" fill="\(Self.hex(part.color))"/></svg>\
      \(part.name) <span>\(InspectRendering.percent(part.share))</span></li>
      """
    }
    return """
      <section class="languages" aria-label="Languages">
      <svg viewBox="0 0 \(Self.languageLength) 10" preserveAspectRatio="none" role="img" \
      aria-label="Languages: \(words.joined(separator: ", "))">
      \(rects)
      </svg>
      <ul>
      \(legend)
      </ul>
      </section>
      """
  }

  /// Commits by week, and by weekday and hour.
  func activity(_ activity: InspectionReport.Activity) -> HTML {
    let summary = ActivitySummary(activity: activity)
    let text = summary.text()
    let weeks = activity.weeks.map(\.commits)
    let names = activity.weeks.map(\.start)
    let bars = Self.bars(weeks, pitch: 10, width: 8, height: 80) {
      "week of \(names[$0]): \(HumanFormat.plural(weeks[$0], "commit"))"
    }
    return """
      <figure>
      <figcaption><b>Commits by week</b> \(text)</figcaption>
      <svg class="weeks" viewBox="0 0 \(max(1, weeks.count) * 10) 80" preserveAspectRatio="none" role="img" \
      aria-label="Commits by week: \(text)">
      \(bars)
      </svg>
      <p class="ends"><span>\(names.first ?? "")</span><span>\(names.last ?? "")</span></p>
      \(numbers(activity.weeks))
      </figure>
      <figure>
      <figcaption><b>Commits by weekday and hour</b> of all time</figcaption>
      <div class="punch">
      \(columns("Commits by weekday", activity.weekdays, pitch: 30, labels: Self.dayNames.enumerated().map { ($0, $1) }))
      \(columns("Commits by hour", activity.hours, pitch: 12, labels: [0, 6, 12, 18].map { ($0, String($0)) }))
      </div>
      </figure>
      """
  }

  /// The numbers of the chart by week, newest first, folded.
  private func numbers(_ weeks: [InspectionReport.Activity.Week]) -> HTML {
    guard !weeks.isEmpty else { return "" }
    let rows = weeks.reversed().map { Self.row([$0.start, HumanFormat.grouped($0.commits)]) }
    return """
      <details>
      <summary>Numbers</summary>
      <table>
      \(Self.head(["Week of", "Commits"]))
      <tbody>
      \(rows)
      </tbody>
      </table>
      </details>
      """
  }

  /// Columns with a few labels below them.
  private func columns(_ title: String, _ values: [Int], pitch: Int, labels: [(Int, String)]) -> HTML {
    let names = values.count == Self.dayNames.count ? Self.dayNames : values.indices.map { "\($0) h" }
    let bars = Self.bars(values, pitch: pitch, width: pitch - 3, height: 70) {
      "\(names[$0]): \(HumanFormat.plural(values[$0], "commit"))"
    }
    let texts = labels.map { index, label -> HTML in
      "<text x=\"\(index * pitch + (pitch - 3) / 2)\" y=\"84\">\(label)</text>"
    }
    let words = values.indices.map { "\(names[$0]) \(HumanFormat.grouped(values[$0]))" }.joined(
      separator: ", ")
    return """
      <svg viewBox="0 0 \(max(1, values.count) * pitch) 90" role="img" aria-label="\(title): \(words)">
      \(bars)
      \(texts)
      </svg>
      """
  }

  /// Upright bars; 0 is a line at the bottom.
  private static func bars(
    _ values: [Int], pitch: Int, width: Int, height: Int, title: (Int) -> String
  ) -> [HTML] {
    let most = max(1, values.max() ?? 1)
    return values.indices.map { index in
      let value = max(0, values[index])
      let tall = value == 0 ? 1 : max(2, Int(Double(value) / Double(most) * Double(height)))
      let kind: HTML = value == 0 ? " class=\"none\"" : ""
      return """
        <rect\(kind) x="\(index * pitch)" y="\(height - tall)" width="\(width)" height="\(tall)">\
        <title>\(title(index))</title></rect>
        """
    }
  }

  /// `#RRGGBB`.
  static func hex(_ color: Int) -> String {
    let digits = String(color & 0xFF_FFFF, radix: 16)
    return "#" + String(repeating: "0", count: 6 - digits.count) + digits
  }
}
