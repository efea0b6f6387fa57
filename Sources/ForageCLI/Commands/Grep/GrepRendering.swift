import Forage
import ForageCore

/// The forms of a file of `forage grep`.
struct GrepRendering: Sendable {
  /// Of a longer line a terminal shows a part; it has fewer columns.
  private static let window = (before: 1 << 10, after: 1 << 13)

  private let style: GrepStyle
  private let output: Output
  private let paths: PathText
  /// The current folder with a slash at its end.
  private let folder: [UInt8]

  /// - Parameter home: The home folder.
  init(_ style: GrepStyle, _ output: Output, home: String?) {
    self.style = style
    self.output = output
    paths = PathText(home: home)
    let current = Array(ClonePreparation.absolute(".").utf8)
    folder = current + (current == [UInt8(ascii: "/")] ? [] : [UInt8(ascii: "/")])
  }

  /// The path of a file: relative to the current folder if it is below it, else absolute; of a file that is only in a
  /// repository `owner/name:path`, with the host in front where the name would mean another one.
  private func path(_ file: GrepFile) -> [UInt8] {
    guard let path = file.file else {
      return Array((name(file, file.clone) + ":").utf8) + file.path
    }
    return path.starts(with: folder) ? Array(path.dropFirst(folder.count)) : path
  }

  /// A name of the file's clone, with the host in front where it would mean another repository.
  private func name(_ file: GrepFile, _ clone: String) -> String {
    let host = RepositoryIdentity.hostBeforeName(of: file.repository, bareHost: style.bareHost)
    return (host.map { $0 + "/" } ?? "") + clone
  }

  private func colored(_ text: String, _ style: Style) -> String { style.apply(text, output.hasColor) }
}

/// In a pipe: bytes as they are.
extension GrepRendering {
  func append(_ file: GrepFile, isFirst: Bool, to buffer: inout [UInt8]) {
    let path = path(file)
    let name = output.hasColor ? Array(colored(String(decoding: path, as: UTF8.self), .title).utf8) : path
    switch style.layout {
    case .names: buffer += name + Self.end
    case .counts: buffer += name + Array(":\(file.count)\n".utf8)
    case .rows, .headings:
      let hasHeading = style.layout == .headings
      if hasHeading {
        if !isFirst { buffer += Self.end }
        buffer += name + Self.end
      } else if style.hasGroups, !isFirst {
        buffer += Self.separator
      }
      var last = 0
      for line in file.lines {
        if style.hasGroups, last > 0, line.number > last + 1 { buffer += Self.separator }
        last = line.number
        append(line, of: file, name: hasHeading ? nil : name, to: &buffer)
      }
    case .json, .nothing: break
    }
  }

  private static let end = [UInt8(ascii: "\n")]
  private static let separator = Array("--\n".utf8)

  /// - Parameter name: The path in front of the line; `nil` where it stands above.
  private func append(
    _ line: GrepFile.Line, of file: GrepFile, name: [UInt8]?, to buffer: inout [UInt8]
  ) {
    guard let column = line.column else {
      let mark = UInt8(ascii: "-")
      if let name { buffer += name + [mark] }
      buffer += Array("\(line.number)-".utf8)
      buffer += file.text[line.range]
      return buffer.append(UInt8(ascii: "\n"))
    }
    func head(_ column: Int) {
      if let name {
        buffer += name
        buffer.append(UInt8(ascii: ":"))
      }
      buffer += Array("\(line.number):".utf8)
      if style.hasColumns { buffer += Array("\(column):".utf8) }
    }
    if style.onlyMatching {
      for match in line.matches {
        head(match.lowerBound - line.range.lowerBound + 1)
        append(match, marked: [match], of: file, to: &buffer)
      }
    } else if style.rowPerMatch, line.matches.count > 1 {
      for match in line.matches {
        head(match.lowerBound - line.range.lowerBound + 1)
        append(line.range, marked: [match], of: file, to: &buffer)
      }
    } else {
      head(column)
      append(line.range, marked: line.matches, of: file, to: &buffer)
    }
  }

  private func append(
    _ range: Range<Int>, marked: [Range<Int>], of file: GrepFile, to buffer: inout [UInt8]
  ) {
    var position = range.lowerBound
    for match in output.hasColor ? marked : [] {
      buffer += file.text[position..<match.lowerBound]
      buffer += Array("\u{1B}[\(Style.match.rawValue)m".utf8)
      buffer += file.text[match]
      buffer += Array("\u{1B}[0m".utf8)
      position = match.upperBound
    }
    buffer += file.text[position..<range.upperBound]
    buffer.append(UInt8(ascii: "\n"))
  }
}

/// On a terminal: safe, and cut to its width below headings.
extension GrepRendering {
  /// The lines of a file with a number.
  func text(_ file: GrepFile, number: Int) -> String {
    let path = SafeText.line(String(decoding: path(file), as: UTF8.self))
    let name = linked(colored(path, .title), to: file)
    switch style.layout {
    case .names: return label(number) + name + "\n"
    case .counts: return label(number) + name + ":\(file.count)\n"
    case .json, .nothing: return ""
    case .rows, .headings:
      let hasHeading = style.layout == .headings
      var text = ""
      if hasHeading {
        text = (number > 1 ? "\n" : "") + heading(file, path, number) + "\n"
      } else if style.hasGroups, number > 1 {
        text = colored("--", .dim) + "\n"
      }
      var last = 0
      for line in file.lines {
        if style.hasGroups, last > 0, line.number > last + 1 { text += colored("--", .dim) + "\n" }
        last = line.number
        text += self.text(line, of: file, name: hasHeading ? nil : name)
      }
      return text
    }
  }

  /// The number under which a file is kept.
  private func label(_ number: Int) -> String {
    style.isNumbered && style.showsNumbers ? colored("\(number)  ", .dim) : ""
  }

  /// The number, the clone and the path.
  private func heading(_ file: GrepFile, _ path: String, _ number: Int) -> String {
    let clone = SafeText.line(name(file, paths.text(file.clone)))
    // Of a file elsewhere the clone says where it is.
    let isBelow = file.file?.starts(with: folder) ?? false
    let shown = isBelow ? path : SafeText.line(String(decoding: file.path, as: UTF8.self))
    return label(number) + colored(clone, .language) + "  "
      + linked(colored(shown, .title), to: file)
  }

  /// A text as a link to a file (OSC 8); the address contains only unreserved characters and percent-encodings.
  private func linked(_ text: String, to file: GrepFile) -> String {
    guard output.hasColor, let path = file.file else { return text }
    let address = FilePathText.address(FilePathText.text(path))
    return "\u{1B}]8;;" + address + "\u{1B}\\" + text + "\u{1B}]8;;\u{1B}\\"
  }

  private func text(_ line: GrepFile.Line, of file: GrepFile, name: String?) -> String {
    func row(_ column: Int?, _ shown: Range<Int>, _ matches: [Range<Int>]) -> String {
      let mark = column == nil ? "-" : ":"
      var parts = [colored("\(line.number)", .source)]
      if let name { parts.insert(name, at: 0) }
      let place = column.map { style.hasColumns ? "\($0)" : "" } ?? ""
      if !place.isEmpty { parts.append(place) }
      let head = parts.map { $0 + mark }.joined()
      let taken = "\(line.number)".count + 1 + (place.isEmpty ? 0 : place.count + 1)
      let width = name == nil ? output.columns - taken : .max
      return head + self.text(shown, matches, of: file, width: max(1, width)) + "\n"
    }
    guard let column = line.column else { return row(nil, line.range, []) }
    let isSplit = style.onlyMatching || style.rowPerMatch && line.matches.count > 1
    guard isSplit else { return row(column, line.range, line.matches) }
    return line.matches.map { match in
      row(match.lowerBound - line.range.lowerBound + 1, style.onlyMatching ? match : line.range, [match])
    }.joined()
  }

  /// A part of a text with its matches, cut to a width.
  private func text(_ range: Range<Int>, _ matches: [Range<Int>], of file: GrepFile, width: Int) -> String {
    var (lower, upper) = (range.lowerBound, range.upperBound)
    if upper > lower, file.text[upper - 1] == UInt8(ascii: "\r") { upper -= 1 }
    if width != .max {
      // Of a line of a megabyte only what is around the match is looked at.
      let first = matches.first?.lowerBound ?? lower
      lower = max(lower, first - Self.window.before)
      while lower > range.lowerBound, file.text[lower] & 0xC0 == 0x80 { lower -= 1 }
      upper = min(upper, first + Self.window.after)
    }
    var line = CodeLine(text: lower > range.lowerBound ? "…" : "")
    var count = line.text.unicodeScalars.count
    var position = lower
    func append(to end: Int) {
      guard end > position else { return }
      let part = String(decoding: file.text[position..<end], as: UTF8.self)
      line.text += part
      count += part.unicodeScalars.count
      position = end
    }
    for match in matches where match.lowerBound < upper {
      append(to: match.lowerBound)
      let start = count
      append(to: min(match.upperBound, upper))
      if count > start { line.matches.append(start..<count) }
    }
    append(to: upper)
    return CodeListing(width: width, isColored: output.hasColor).highlighted(
      line, width: width, indentation: 0)
  }
}
