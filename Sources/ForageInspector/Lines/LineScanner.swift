import ForagePlatform

/// A state machine over the bytes of a file that classifies each line.
///
/// All pointers outlive it: ``LineCounter`` passes them for one call. Every index of `bytes` is compared with
/// `count` before it is read; the tables have an entry for every byte.
struct LineScanner {
  /// The depth of nested interpolations that is tracked; deeper ones count as part of the string.
  static let frameLimit = 16
  /// The most heredocs that may begin on one line.
  static let heredocLimit = 4
  /// After this many unterminated heredocs in a file `<<` counts as an operator, because each costs a search
  /// to the end of the file.
  static let lostHeredocLimit = 8
  /// The length limit of a regular expression in bytes; a longer one is a misread division.
  static let regexLimit = 1000
  /// After this many unterminated regular expressions in a file none is recognised, because each costs a
  /// search.
  static let lostRegexLimit = 256
  /// The most bytes between the quotes of a character literal; `'\u{10FFFF}'` has ten.
  static let characterLimit = 12

  let bytes: UnsafePointer<UInt8>
  let count: Int
  let classes: UnsafePointer<UInt8>
  let tokens: UnsafeBufferPointer<SyntaxRule>
  let groups: UnsafePointer<UInt16>
  let isLineOnly: Bool
  let hasIndicator: Bool
  let leaving: StaticString

  var at = 0
  var lineStart = 0
  /// The index of the line's first byte of code; undefined without code.
  var codeStart = 0
  var hasCode = false
  var hasComment = false
  var counts = LineCounts()
  /// The index of the current grammar.
  var grammar = 0
  /// The number of open brackets, if the grammar counts them.
  var brackets = 0
  /// The open interpolations: the tokens of their strings, and the brackets open in each.
  var frames = 0
  var frameTokens = SIMD16<UInt8>()
  var frameDepths = SIMD16<UInt32>()
  /// The delimiter words of heredocs that begin on this line.
  var heredocs = 0
  var heredocStarts = SIMD4<Int>()
  var heredocCounts = SIMD4<Int>()
  var heredocIndents = SIMD4<Int>()
  var lostHeredocs = 0
  var lostRegexes = 0

  /// Counts all lines.
  mutating func run() -> LineCounts {
    if count >= 3, bytes[0] == 0xEF, bytes[1] == 0xBB, bytes[2] == 0xBF {
      at = 3
      // A construct that must begin its line may follow the byte order mark.
      lineStart = 3
      if count == 3 { return LineCounts(blank: 1) }
    }
    while at < count {
      let table = classes + grammar * CommentSyntax.tableSize + (frames > 0 ? 256 : 0)
      if hasCode {
        if isLineOnly {
          skipLine()
        } else {
          // Local copies stay in registers.
          var place = at
          let end = count
          while place < end, table[Int(bytes[place])] <= CommentSyntax.ByteClass.space { place += 1 }
          at = place
        }
      } else {
        if hasIndicator, at == lineStart { skipSequence() }
        at = afterSpace(at)
      }
      guard at < count else { break }
      let byteClass = table[Int(bytes[at])]
      switch byteClass {
      case CommentSyntax.ByteClass.plain, CommentSyntax.ByteClass.space:
        code()
        at += 1
      case CommentSyntax.ByteClass.newline:
        endLine()
        if frames > 0 { abandonShortStrings() }
        if heredocs > 0 { skipHeredocs() }
      case CommentSyntax.ByteClass.bracket:
        bracket()
      default:
        apply(group: Int(byteClass - CommentSyntax.ByteClass.firstGroup))
      }
    }
    if lineStart < count { account() }
    return counts
  }

  /// Records that this line has code, from the current index on.
  @inline(__always) mutating func code() {
    if !hasCode {
      hasCode = true
      codeStart = at
    }
  }

  /// Counts the current line.
  @inline(__always) private mutating func account() {
    if hasCode {
      counts.code += 1
    } else if hasComment {
      counts.comment += 1
    } else {
      counts.blank += 1
    }
  }

  /// Counts the current line, whose end is at the current index, and moves to the next.
  @inline(__always) mutating func endLine() {
    account()
    hasCode = false
    hasComment = false
    at += 1
    lineStart = at
  }

  mutating func skipLine() {
    at = lineEnd(from: at)
  }

  /// Returns the index where a line ends: its line feed, or the end of the text.
  func lineEnd(from place: Int) -> Int {
    guard place < count, let found = memchr(bytes + place, 0x0A, count - place) else { return count }
    return UnsafeRawPointer(found) - UnsafeRawPointer(bytes)
  }

  /// Applies the first matching token of a group; without one the byte is code.
  private mutating func apply(group: Int) {
    var number = Int(groups[group])
    let end = Int(groups[group + 1])
    while number < end {
      if matches(tokens[number]), start(number) { return }
      number += 1
    }
    if frames > 0 {
      bracket()
    } else {
      code()
      at += 1
    }
  }

  /// Whether a token matches here.
  @inline(__always) private func matches(_ token: SyntaxRule) -> Bool {
    let length = token.open.count
    guard length <= count - at else { return false }
    if token.condition.isEmpty {
      var k = 1
      while k < length {
        if bytes[at + k] != token.open[k] { return false }
        k += 1
      }
      return true
    }
    return matchesConditions(token)
  }

  /// Whether a text is at an index.
  @inline(__always) func stands(_ text: StaticString, at place: Int) -> Bool {
    let length = text.count
    guard length <= count - place else { return false }
    var k = 0
    while k < length {
      if bytes[place + k] != text[k] { return false }
      k += 1
    }
    return true
  }

  /// Starts a construct; false, without any change, if it is none.
  private mutating func start(_ number: Int) -> Bool {
    let token = tokens[number]
    let length = token.open.count
    switch token.kind {
    case .lineComment: lineComment(from: at + length)
    case .blockComment: blockComment(token, isNested: false)
    case .nestedComment: blockComment(token, isNested: true)
    case .commentLines: commentLines(token)
    case .string: return openString(number)
    case .character: return character(token, takesSeveral: false)
    case .characters: return character(token, takesSeveral: true)
    case .rustRaw: return rustRaw()
    case .swiftRaw: return swiftRaw()
    case .cppRaw: return cppRaw(token)
    case .quoteRun: return quoteRun()
    case .longComment: longComment(token)
    case .longString: return longBracket(from: at, isComment: false)
    case .heredoc: return heredoc(token)
    case .regex: return regex()
    case .skip:
      code()
      at += length
      var rest = token.close.count
      while rest > 0, at < count, bytes[at] != 0x0A {
        at += 1
        rest -= 1
      }
    case .skipLine:
      code()
      skipLine()
    case .enter:
      code()
      at += length
      grammar = token.grammar
    case .leave:
      code()
      at += length
      grammar = 0
      frames = 0
    case .openBracket:
      code()
      at += 1
      brackets += 1
    case .closeBracket:
      code()
      at += 1
      brackets = max(0, brackets - 1)
    }
    return true
  }
}
