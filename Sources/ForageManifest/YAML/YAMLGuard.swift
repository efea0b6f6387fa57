/// Looks at the bytes of a YAML file before a parser sees them, for what would make one recurse or multiply without end.
enum YAMLGuard {
  /// Lists within each other on one line: more than any API's body has.
  private static let maximumFlowDepth = 32
  /// Columns of indentation and of the dashes behind it: each level of depth takes at least one.
  private static let maximumIndentation = 160

  static let noAnchors = "anchors, aliases and tags (&, * and ! before a value) are not taken"
  static let writeOut = "write the value out, or put it in quotes with a letter before the sign"

  private static let (space, tab, lineFeed, carriageReturn) = (
    UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\n"), UInt8(ascii: "\r")
  )

  /// The first thing that is refused.
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
        // Behind one of these marks a space makes a value begin.
        if [UInt8(ascii: "-"), UInt8(ascii: "?"), UInt8(ascii: ":")].contains(last) { isStart = true }
      case UInt8(ascii: "["), UInt8(ascii: "{"):
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
      line: line, "the values are too deep within each other", hint: "no file of this kind needs such a depth"
    )
  }
}
