#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A state machine over the bytes of one file that tells of each line what it is.
///
/// All pointers outlive it: ``LineCounter`` lends them for one call. Every read of `bytes` is at an index that was
/// compared with `count` before; the tables are complete for every byte, and spans were made with their pool.
struct LineScanner {
  /// Codes inside strings inside codes are followed so far; deeper ones are taken as part of the string.
  static let frameLimit = 16
  /// Heredocs that begin on one line; more are not waited for.
  static let heredocLimit = 4
  /// After so many heredocs without an end in a file, `<<` is taken as an operator: each costs a search to the
  /// end of the file.
  static let lostHeredocLimit = 8
  /// The longest regular expression believed, in bytes: a longer one is a misread division.
  static let regexLimit = 1000
  /// After so many slashes in a file that looked like the beginning of one and had no end, none is believed: each
  /// costs a search.
  static let lostRegexLimit = 256
  /// The most bytes between the quotes of something like a character: `'\u{10FFFF}'` has ten.
  static let characterLimit = 12

  let bytes: UnsafePointer<UInt8>
  let count: Int
  let classes: UnsafePointer<UInt8>
  let tokens: UnsafeBufferPointer<CommentSyntax.Token>
  let groups: UnsafePointer<UInt16>
  let pool: UnsafeBufferPointer<UInt8>
  let isLineOnly: Bool
  let hasIndicator: Bool
  let leaving: CommentSyntax.Span

  var at = 0
  var lineStart = 0
  /// Where the first byte of code of this line is; only meaningful if there is one.
  var codeStart = 0
  var hasCode = false
  var hasComment = false
  var counts = LineCounts()
  /// The number of the grammar that holds.
  var grammar = 0
  /// Open brackets, where the grammar counts them.
  var brackets = 0
  /// The strings in whose code we are: the numbers of their tokens, and the brackets open in each code.
  var frames = 0
  var frameTokens = SIMD16<UInt8>()
  var frameDepths = SIMD16<UInt32>()
  /// Where the words of heredocs that begin on this line are.
  var heredocs = 0
  var heredocStarts = SIMD4<Int>()
  var heredocCounts = SIMD4<Int>()
  var heredocIndents = SIMD4<Int>()
  var lostHeredocs = 0
  var lostRegexes = 0

  init(
    bytes: UnsafePointer<UInt8>, count: Int, classes: UnsafePointer<UInt8>,
    tokens: UnsafeBufferPointer<CommentSyntax.Token>, groups: UnsafePointer<UInt16>,
    pool: UnsafeBufferPointer<UInt8>, isLineOnly: Bool, hasIndicator: Bool,
    leaving: CommentSyntax.Span
  ) {
    self.bytes = bytes
    self.count = count
    self.classes = classes
    self.tokens = tokens
    self.groups = groups
    self.pool = pool
    self.isLineOnly = isLineOnly
    self.hasIndicator = hasIndicator
    self.leaving = leaving
  }

  /// Counts all lines.
  mutating func run() -> LineCounts {
    if count >= 3, bytes[0] == 0xEF, bytes[1] == 0xBB, bytes[2] == 0xBF {
      at = 3
      // What must begin its line may follow the mark; the file's only line is still one.
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

  /// Notes that this line has code, at the present place if it is the first.
  @inline(__always)
  mutating func code() {
    if !hasCode {
      hasCode = true
      codeStart = at
    }
  }

  /// Counts the present line.
  @inline(__always)
  private mutating func account() {
    if hasCode {
      counts.code += 1
    } else if hasComment {
      counts.comment += 1
    } else {
      counts.blank += 1
    }
  }

  /// Counts the present line, at whose end we are, and goes on to the next.
  @inline(__always)
  mutating func endLine() {
    account()
    hasCode = false
    hasComment = false
    at += 1
    lineStart = at
  }

  /// Goes to the end of the line.
  mutating func skipLine() {
    at = lineEnd(from: at)
  }

  /// Where the line ends that this place is on: its line feed, or the end of the text.
  func lineEnd(from place: Int) -> Int {
    guard place < count, let found = memchr(bytes + place, 0x0A, count - place) else { return count }
    return UnsafeRawPointer(found) - UnsafeRawPointer(bytes)
  }

  /// Does what the first fitting token of a group says; without one the byte is code.
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

  /// Whether a token stands here.
  @inline(__always)
  private func matches(_ token: CommentSyntax.Token) -> Bool {
    let length = Int(token.open.count)
    guard length <= count - at else { return false }
    if token.condition.isEmpty {
      var k = 1
      while k < length {
        if bytes[at + k] != pool[Int(token.open.start) + k] { return false }
        k += 1
      }
      return true
    }
    return matchesConditions(token)
  }

  /// Whether the bytes of a span stand at a place.
  @inline(__always)
  func stands(_ span: CommentSyntax.Span, at place: Int) -> Bool {
    let length = Int(span.count)
    guard length <= count - place else { return false }
    var k = 0
    while k < length {
      if bytes[place + k] != pool[Int(span.start) + k] { return false }
      k += 1
    }
    return true
  }

  /// Starts a construct; false if it turns out to be none, and nothing was changed then.
  private mutating func start(_ number: Int) -> Bool {
    let token = tokens[number]
    let length = Int(token.open.count)
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
      var rest = Int(token.close.count)
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
      grammar = Int(token.grammar)
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
