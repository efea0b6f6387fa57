/// Checks the bytes of a YAML file before parsing, for input that would make a parser recurse or expand
/// without bound.
enum YAMLGuard {
  /// The maximum nesting of flow collections, which can continue on further lines.
  private static let maximumFlowDepth = 32
  /// The maximum columns of indentation and dashes; each level of nesting takes at least one.
  private static let maximumIndentation = 160

  static let noAnchors = "anchors, aliases and tags (&, * and ! before a value) are not supported"
  static let writeOut = "write the value out, or put it in quotes on one line"

  private static let (space, tab, lineFeed, carriageReturn) = (
    UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\n"), UInt8(ascii: "\r")
  )

  static func problem(in bytes: [UInt8]) -> YAMLProblem? {
    var (line, column, depth) = (1, 0, 0)
    // Whether a value may begin here, and whether only indentation has been seen on the line.
    var (isStart, isLeading) = (true, true)
    var last = lineFeed
    for byte in bytes {
      defer { last = byte }
      switch byte {
      case lineFeed, carriageReturn:
        if byte == lineFeed { line += 1 }
        (column, isStart, isLeading) = (0, true, true)
        continue
      case space, tab:
        // After one of these indicators a space begins a value.
        if [UInt8(ascii: "-"), UInt8(ascii: "?"), UInt8(ascii: ":")].contains(last) { isStart = true }
      // Elsewhere, as in a comment or a quoted text, a bracket begins no collection.
      case UInt8(ascii: "["), UInt8(ascii: "{"):
        guard isStart || last == UInt8(ascii: ":") || last == UInt8(ascii: "?") else {
          isLeading = false
          break
        }
        depth += 1
        if depth > maximumFlowDepth { return tooDeep(line) }
        isStart = true
      case UInt8(ascii: "]"), UInt8(ascii: "}"):
        depth = max(0, depth - 1)
        isStart = false
      case UInt8(ascii: ","): isStart = true
      case UInt8(ascii: "-"), UInt8(ascii: "?"), UInt8(ascii: ":"): if !isLeading { isStart = false }
      case UInt8(ascii: "&"), UInt8(ascii: "!"):
        if isStart { return YAMLProblem(line: line, noAnchors, hint: writeOut) }
        isLeading = false
      default: (isStart, isLeading) = (false, false)
      }
      column += 1
      if isLeading, column > maximumIndentation { return tooDeep(line) }
    }
    return nil
  }

  private static func tooDeep(_ line: Int) -> YAMLProblem {
    YAMLProblem(
      line: line, "the values are nested too deeply", hint: "use less nesting"
    )
  }
}
