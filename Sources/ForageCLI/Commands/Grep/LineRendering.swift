import Forage
import ForageCore

/// How lines are printed.
struct LineStyle: Sendable {
  enum Layout: Sendable {
    case lines, names, counts, json
  }

  var layout = Layout.lines
  /// Whether the path stands above its lines.
  var hasHeadings = false
  var hasNumbers = true
  /// Whether rows have the path.
  var hasNames = true
  var hasColumns = false
  /// Whether each match has a row of its own.
  var rowPerMatch = false
  /// Whether matches are printed without the rest of their lines.
  var onlyMatching = false
  /// Whether a NUL stands behind each path.
  var endsNames = false
  /// The most matching lines of a file.
  var maximum = Int.max
  var context = (before: 0, after: 0)
}

/// Files with their lines as rg prints them.
struct LineRendering {
  private let style: LineStyle
  private let output: Output
  private let bareHost: String
  /// The root of the one clone that is searched, so that a path that is in no work tree needs no name of its
  /// repository.
  private let root: String?
  private let folder = Array(ClonePreparation.absolute(".").utf8)

  init(_ style: LineStyle, _ output: Output, bareHost: String, root: String?) {
    (self.style, self.output, self.bareHost, self.root) = (style, output, bareHost, root)
  }

  func text(_ items: [SearchResult]) -> [UInt8] {
    var bytes: [UInt8] = []
    for (number, item) in items.enumerated() {
      let path = styled(path(item), .title)
      switch style.layout {
      case .names: bytes += path + (style.endsNames ? [0] : Self.end)
      case .counts:
        let count = min(style.maximum, item[.matchCount]?.number ?? 0)
        bytes += path + (style.endsNames ? [0] : Array(":".utf8)) + Array("\(count)\n".utf8)
      case .lines: append(item, path, isFirst: number == 0, to: &bytes)
      case .json: break
      }
    }
    return bytes
  }

  private static let end = [UInt8(ascii: "\n")]
  private static let separator = Array("--\n".utf8)

  private struct Line {
    var text: String
    var ranges: [Range<Int>] = []
    /// The byte at which the first match begins, from 1; `nil` for a line of the context.
    var column: Int?
  }

  private func append(_ item: SearchResult, _ path: [UInt8], isFirst: Bool, to bytes: inout [UInt8]) {
    let hasGroups = style.context.before > 0 || style.context.after > 0
    if style.hasHeadings, style.hasNames {
      if !isFirst { bytes += Self.end }
      bytes += path + Self.end
    } else if hasGroups, !isFirst {
      bytes += Self.separator
    }
    let lines = lines(item)
    var last: Int?
    for number in lines.keys.sorted() {
      guard let line = lines[number] else { continue }
      if hasGroups, let last, number > last + 1 { bytes += Self.separator }
      last = number
      let mark = Array((line.column != nil ? ":" : "-").utf8)
      for part in parts(line) {
        if !style.hasHeadings, style.hasNames { bytes += path + (style.endsNames ? [0] : mark) }
        if style.hasNumbers { bytes += styled(Array("\(number)".utf8), .source) + mark }
        if style.hasColumns, let column = part.column { bytes += Array("\(column)".utf8) + mark }
        bytes += text(part) + Self.end
      }
    }
  }

  /// The rows of a line.
  private func parts(_ line: Line) -> [Line] {
    guard style.rowPerMatch, let column = line.column, let first = line.ranges.first else { return [line] }
    let scalars = Array(line.text.unicodeScalars)
    func length(_ range: Range<Int>) -> Int {
      String(String.UnicodeScalarView(scalars[range.clamped(to: 0..<scalars.count)])).utf8.count
    }
    return line.ranges.map { range in
      var part = line
      part.column = column + length(first.lowerBound..<max(first.lowerBound, range.lowerBound))
      part.ranges = [range]
      if style.onlyMatching {
        part.text = String(String.UnicodeScalarView(scalars[range.clamped(to: 0..<scalars.count)]))
        part.ranges = [0..<range.count]
      }
      return part
    }
  }

  /// The matching lines and those around them, by number.
  private func lines(_ item: SearchResult) -> [Int: Line] {
    var lines: [Int: Line] = [:]
    for match in (item[.matches]?.elements ?? []).prefix(style.maximum) {
      guard case .record(let fields) = match, let number = fields["line"]?.number else { continue }
      let ranges = (fields["ranges"]?.elements ?? []).compactMap { range -> Range<Int>? in
        let ends = range.elements.compactMap(\.number)
        guard ends.count == 2, ends[0] <= ends[1] else { return nil }
        return ends[0]..<ends[1]
      }
      lines[number] = Line(
        text: fields["text"]?.text ?? "", ranges: ranges, column: fields["column"]?.number ?? 1)
      let before = (fields["before"]?.texts ?? []).suffix(style.context.before)
      for (place, text) in before.enumerated() {
        let number = number - before.count + place
        if lines[number] == nil { lines[number] = Line(text: text) }
      }
      for (place, text) in (fields["after"]?.texts ?? []).prefix(style.context.after).enumerated() {
        let number = number + 1 + place
        if lines[number] == nil { lines[number] = Line(text: text) }
      }
    }
    return lines
  }

  private func text(_ line: Line) -> [UInt8] {
    guard output.hasColor else { return safe(Array(line.text.utf8)) }
    let scalars = Array(line.text.unicodeScalars)
    var bytes: [UInt8] = []
    var position = 0
    func append(to end: Int, _ style: Style?) {
      guard end > position, end <= scalars.count else { return }
      let part = Array(String(String.UnicodeScalarView(scalars[position..<end])).utf8)
      bytes += style.map { styled(part, $0) } ?? safe(part)
      position = end
    }
    for range in line.ranges {
      append(to: range.lowerBound, nil)
      append(to: range.upperBound, .match)
    }
    append(to: scalars.count, nil)
    return bytes
  }

  /// The path of a file from the current folder; of one that is in no work tree `owner/name:path`, with the
  /// host in front where the name would mean another repository.
  private func path(_ item: SearchResult) -> [UInt8] {
    if let file = item[.file]?.text {
      return GrepRun.relative(FilePathText.bytes(file) ?? Array(file.utf8), to: folder)
    }
    let path = Array((item[.path]?.text ?? item.title).utf8)
    if let root { return GrepRun.relative(Array(root.utf8) + [UInt8(ascii: "/")] + path, to: folder) }
    if let clone = item[.clone]?.text { return Array((clone + ":").utf8) + path }
    guard let repository = item[.repository]?.text else { return path }
    return Array((RepositoryIdentity.shortName(repository, bareHost: bareHost) + ":").utf8) + path
  }

  /// On a terminal nothing from a file is a control sequence.
  private func safe(_ bytes: [UInt8]) -> [UInt8] {
    output.isTerminal ? Array(SafeText.line(String(decoding: bytes, as: UTF8.self)).utf8) : bytes
  }

  private func styled(_ bytes: [UInt8], _ style: Style) -> [UInt8] {
    guard output.hasColor else { return safe(bytes) }
    return Array("\u{1B}[\(style.rawValue)m".utf8) + safe(bytes) + Array("\u{1B}[0m".utf8)
  }
}
