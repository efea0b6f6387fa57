import ForageCore

/// Removes the markup of running Markdown text: emphasis, links, images, code marks, HTML.
///
/// Every search for the end of a construct is bounded, so that the time is linear in the length of the text.
struct MarkdownInline {
  /// The most scalars between the brackets of a link or the backticks of code.
  private static let maximumSpan = 600
  /// The most scalars of an HTML tag with its attributes.
  private static let maximumTag = 2000
  /// The deepest nesting of brackets in a link; without a limit the time would be quadratic.
  private static let maximumNesting = 8
  /// The deepest nesting of links: a badge in a link in emphasis has three levels.
  private static let maximumDepth = 4

  /// The most scalars of the name of a character reference.
  private static let maximumEntity = 10

  private let input: [Unicode.Scalar]
  private var place = 0
  private var output = String.UnicodeScalarView()
  private let depth: Int

  /// The text without markup; line breaks are kept, and tags that end a paragraph add some.
  static func stripped(_ text: String) -> String { stripped(Array(text.unicodeScalars), depth: 0) }

  private static func stripped(_ scalars: [Unicode.Scalar], depth: Int) -> String {
    var reader = MarkdownInline(scalars, depth: depth)
    reader.readAll()
    return String(reader.output)
  }

  private init(_ input: [Unicode.Scalar], depth: Int) {
    self.input = input
    self.depth = depth
  }

  private func scalar(_ place: Int) -> Unicode.Scalar? {
    input.indices.contains(place) ? input[place] : nil
  }

  private mutating func readAll() {
    while let scalar = scalar(place) {
      switch scalar {
      case "\\": readEscape()
      case "`": readCode()
      case "<": readTag()
      case "!": readImage()
      case "[": readLink()
      case "*", "_", "~": readEmphasis(scalar)
      case "&": readEntity()
      default:
        output.append(scalar)
        place += 1
      }
    }
  }

  private mutating func readEscape() {
    let next = scalar(place + 1)
    guard let next, next.isASCII, next.properties.generalCategory != .spaceSeparator, next.value > 32,
      !next.properties.isAlphabetic, !("0"..."9").contains(next)
    else {
      output.append("\\")
      place += 1
      return
    }
    output.append(next)
    place += 2
  }

  private func run(of scalar: Unicode.Scalar, at start: Int) -> Int {
    var end = start
    while self.scalar(end) == scalar { end += 1 }
    return end - start
  }

  private mutating func readCode() {
    let length = run(of: "`", at: place)
    let start = place + length
    var end = start
    while end < input.count, end - start <= Self.maximumSpan {
      if input[end] == "\n", scalar(end + 1) == "\n" { break }
      guard input[end] == "`" else {
        end += 1
        continue
      }
      let closing = run(of: "`", at: end)
      if closing == length {
        output.append(contentsOf: input[start..<end].map { $0 == "\n" ? " " : $0 })
        place = end + closing
        return
      }
      end += closing
    }
    output.append(contentsOf: input[place..<start])
    place = start
  }

  private mutating func readImage() {
    guard scalar(place + 1) == "[", let bracket = bracketEnd(place + 1),
      let end = targetEnd(bracket + 1)
    else {
      output.append("!")
      place += 1
      return
    }
    place = end
  }

  private mutating func readLink() {
    guard let bracket = bracketEnd(place) else {
      output.append("[")
      place += 1
      return
    }
    let isAtLineStart = output.last == nil || output.last == "\n"
    if isAtLineStart, scalar(bracket + 1) == ":" {
      // The definition of a link or a footnote is left out.
      while let next = scalar(place), next != "\n" { place += 1 }
    } else if let end = targetEnd(bracket + 1), depth < Self.maximumDepth {
      let label = Self.stripped(Array(input[(place + 1)..<bracket]), depth: depth + 1)
      output.append(contentsOf: label.trimmingWhitespace().unicodeScalars)
      place = end
    } else {
      output.append("[")
      place += 1
    }
  }

  /// The index of the bracket that closes the one at an index.
  private func bracketEnd(_ start: Int) -> Int? {
    var (level, place) = (0, start)
    while let next = scalar(place), place - start <= Self.maximumSpan {
      switch next {
      case "\\": place += 1
      case "[":
        level += 1
        if level > Self.maximumNesting { return nil }
      case "]":
        level -= 1
        if level == 0 { return place }
      case "\n" where scalar(place + 1) == "\n": return nil
      default: break
      }
      place += 1
    }
    return nil
  }

  /// The index after the target of a link, `(address "title")` or `[name]`, that begins at an index; `nil` where none does.
  private func targetEnd(_ start: Int) -> Int? {
    if scalar(start) == "[" { return bracketEnd(start).map { $0 + 1 } }
    guard scalar(start) == "(" else { return nil }
    var (level, place) = (0, start)
    while let next = scalar(place), place - start <= Self.maximumTag {
      if next == "(" { level += 1 }
      if level > Self.maximumNesting { return nil }
      if next == ")" { level -= 1 }
      place += 1
      if level == 0 { return place }
      if next == "\n", scalar(place) == "\n" { return nil }
    }
    return nil
  }

  /// Removes marks that can begin or end emphasis; `snake_case` and `2 * 3` are kept.
  private mutating func readEmphasis(_ mark: Unicode.Scalar) {
    let length = run(of: mark, at: place)
    let (before, after) = (place == 0 ? nil : scalar(place - 1), scalar(place + length))
    func isSpace(_ scalar: Unicode.Scalar?) -> Bool { scalar?.properties.isWhitespace ?? true }
    func isWord(_ scalar: Unicode.Scalar?) -> Bool {
      guard let scalar else { return false }
      return scalar.properties.isAlphabetic || scalar.properties.numericType != nil
    }
    let canOpen = !isSpace(after) && !isWord(before)
    let canClose = !isSpace(before) && !isWord(after)
    // A single ~ means "about"; more than three marks are no emphasis.
    let isEmphasis = (canOpen || canClose) && length <= 3 && (mark != "~" || length == 2)
    if !isEmphasis { output.append(contentsOf: repeatElement(mark, count: length)) }
    place += length
  }

  private mutating func readTag() {
    if let found = MarkdownTag(input, at: place, limit: Self.maximumTag) {
      output.append(contentsOf: found.replacement.unicodeScalars)
      place = found.end
    } else {
      output.append("<")
      place += 1
    }
  }

  private mutating func readEntity() {
    let name = input[(place + 1)...].prefix(Self.maximumEntity).prefix { $0 != ";" }
    if scalar(name.endIndex) == ";",
      let text = HTMLText.character(String(String.UnicodeScalarView(name))[...])
    {
      output.append(contentsOf: text.unicodeScalars)
      place = name.endIndex + 1
    } else {
      output.append("&")
      place += 1
    }
  }
}
