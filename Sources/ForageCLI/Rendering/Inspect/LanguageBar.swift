import ForageCore
import ForageInspector

/// The shares of the languages of a repository, in the colours of linguist.
struct LanguageBar {
  struct Part {
    var name: String
    /// From 0 to 1.
    var share: Double
    /// Of 24 bits, red in the highest byte.
    var color: Int
  }

  /// The number of languages that are named; the others are one part.
  static let shownLanguages = 6
  /// The colour of languages without one.
  static let grey = 0x8B_949E

  /// The largest languages and the rest, largest first; empty parts are left out.
  let parts: [Part]

  /// Divides a bar by languages, largest first.
  init(_ languages: [InspectionReport.Language]) {
    self.init(shares: languages.map { ($0.name, $0.share) })
  }

  /// Divides a bar by shares from 0 to 1, largest first.
  init(shares languages: [(name: String, share: Double)]) {
    // A single other language is named, too.
    let count = languages.count == Self.shownLanguages + 1 ? languages.count : Self.shownLanguages
    let rest = languages.dropFirst(count)
    let others = Part(
      name: "\(rest.count) more", share: rest.reduce(0) { $0 + $1.share }, color: Self.grey)
    parts =
      languages.prefix(count).map {
        Part(name: $0.name, share: $0.share, color: LanguageTable.color(of: $0.name) ?? Self.grey)
      } + (rest.isEmpty ? [] : [others])
  }

  /// The columns of each part in a bar of a width, which add up to it. Shares are rounded down, and the parts
  /// with the largest remainders get the columns that are left; every part gets at least one while there are
  /// enough.
  func widths(of width: Int) -> [Int] {
    let total = parts.reduce(0) { $0 + max(0, $1.share) }
    guard total > 0, width > 0 else { return parts.map { _ in 0 } }
    let exact = parts.map { max(0, $0.share) / total * Double(width) }
    var widths = exact.map { Int($0) }
    let order = exact.indices.sorted {
      (exact[$1] - exact[$1].rounded(.down), $0) < (exact[$0] - exact[$0].rounded(.down), $1)
    }
    for index in order.prefix(width - widths.reduce(0, +)) { widths[index] += 1 }
    for index in widths.indices where widths[index] == 0 && exact[index] > 0 {
      guard let widest = widths.indices.max(by: { widths[$0] < widths[$1] }), widths[widest] > 1 else {
        break
      }
      widths[widest] -= 1
      widths[index] = 1
    }
    return widths
  }

  /// The bar in colours; empty on a terminal without them.
  func line(width: Int, _ depth: ColorDepth) -> String {
    guard depth != .plain else { return "" }
    return zip(parts, widths(of: width)).map { part, width in
      width > 0 ? depth.paint(String(repeating: " ", count: width), part.color, isBackground: true) : ""
    }.joined()
  }

  /// The legend of the bar, in lines of at most `width` columns.
  func legend(width: Int, _ style: PageStyle) -> [String] {
    let hasMarks = style.depth != .plain
    let mark = style.isUnicode ? "●" : "*"
    // Without marks each line but the last ends with a comma.
    let room = hasMarks ? width : width - 1
    var lines: [String] = []
    var used = 0
    for part in parts {
      let text = TextWidth.truncated(
        SafeText.line(part.name) + " " + InspectRendering.percent(part.share), to: hasMarks ? room - 2 : room)
      let wide = TextWidth.of(text) + (hasMarks ? 2 : 0)
      let shown = hasMarks ? style.depth.paint(mark, part.color) + " " + text : text
      let gap = hasMarks ? "  " : ", "
      if let last = lines.indices.last, used + gap.count + wide <= room {
        lines[last] += gap + shown
        used += gap.count + wide
      } else {
        if !hasMarks, let last = lines.indices.last { lines[last] += "," }
        lines.append(shown)
        used = wide
      }
    }
    return lines
  }
}
