/// Splits a source text into tokens, and finds its comments and strings. Takes time in proportion to the
/// text, whatever it is.
struct SourceLexer {
  /// A `#define` of a preprocessor.
  struct Macro {
    var name: Range<Int>
    var extent: Range<Int>
  }

  /// A line `#if`, `#else` or `#endif`, and how many tokens are before it.
  struct Conditional {
    enum Kind { case begin, alternative, end }
    var kind: Kind
    var tokenCount: Int
  }

  let text: UnsafeRawBufferPointer
  let grammar: Grammar
  let features: Grammar.Features
  let words = WordTable.shared
  var position = 0
  var tokens: [Token] = []
  var notCode: [Range<Int>] = []
  var macros: [Macro] = []
  var conditionals: [Conditional] = []

  /// The strings in whose interpolations the position is.
  var frames: [StringFrame] = []
  /// Of a shell: the `case` commands that are open in interpolations.
  var openCases: [OpenCase] = []
  var isFirstOnLine = true
  /// The preprocessor's line that the position is in.
  var isInDirective = false
  /// For each open `#if`: whether its first branch is left out, as for `#if 0`.
  var openConditionals: [Bool] = []
  /// How many of the open conditionals there were when text began to be left out, if it is.
  var skippedConditional: Int?
  var pendingHeredocs: [StringForm] = []
  /// The heredocs that follow one which is being read, and how many strings were open before it.
  var laterHeredocs: [StringForm] = []
  var laterFrameCount = 0
  /// Behind `delimiter $$` of MySQL `$$` ends statements and opens no string.
  var dollarsEndStatements = false
  /// Up to here no end of a regular expression was found.
  var noExpressionBefore = 0

  init(_ text: UnsafeRawBufferPointer, _ grammar: Grammar) {
    self.text = text
    self.grammar = grammar
    features = grammar.features
    tokens.reserveCapacity(text.count / 5)
  }

  /// The byte at a place, 0 behind the end.
  @inline(__always)
  func byte(_ place: Int) -> UInt8 { place >= 0 && place < text.count ? text[place] : 0 }

  /// Whether tokens are kept: neither in an interpolation, nor in a directive, nor behind `#if 0`.
  @inline(__always)
  var isKeeping: Bool { frames.isEmpty && !isInDirective && skippedConditional == nil }

  mutating func run() {
    if byte(0) == 0xEF, byte(1) == 0xBB, byte(2) == 0xBF { position = 3 }
    if features.contains(.insideHTML) { skipHTML() }
    if byte(0) == Mark.hash && byte(1) == Mark.exclamation {
      skipLine()
      addNotCode(0, position)
    }
    grammar.actions.withUnsafeBufferPointer { actions in
      while position < text.count {
        let byte = text[position]
        switch actions[Int(byte)] {
        case .blank: position += 1
        case .newline: readNewline()
        case .word: readWord(actions)
        case .digit: readNumber(actions)
        case .punctuation: readMark(byte)
        case .bracket: readBracket(byte)
        case .special:
          if !readSpecial(byte) { readMark(byte) }
        }
      }
    }
    closeAll()
  }

  /// What is still open at the text's end ends there.
  private mutating func closeAll() {
    isInDirective = false
    if let first = frames.first {
      frames.removeAll()
      add(.string, first.start, text.count)
    }
  }

  mutating func addNotCode(_ start: Int, _ end: Int) {
    guard start < end else { return }
    if let last = notCode.last, last.upperBound >= start, last.upperBound < end, last.lowerBound <= start {
      notCode[notCode.count - 1] = last.lowerBound..<end
    } else {
      notCode.append(start..<end)
    }
  }

  @inline(__always)
  mutating func add(_ kind: Token.Kind, _ start: Int, _ end: Int, mark: UInt8 = 0, word: Word = .none) {
    guard isKeeping else { return }
    tokens.append(
      Token(
        kind: kind, mark: mark, word: word, isFirstOnLine: isFirstOnLine,
        start: Int32(truncatingIfNeeded: start),
        end: Int32(truncatingIfNeeded: end)))
    isFirstOnLine = false
  }

  mutating func readNewline() {
    position += 1
    isFirstOnLine = true
    if isInDirective { isInDirective = false }
    while let top = frames.last, !top.form.spansLines {
      frames.removeLast()
      add(.string, top.start, position - 1)
    }
    if pendingHeredocs.isEmpty, !laterHeredocs.isEmpty, frames.count == laterFrameCount {
      swap(&pendingHeredocs, &laterHeredocs)
    }
    if !pendingHeredocs.isEmpty { readHeredocs() }
  }

  @inline(__always)
  private mutating func readMark(_ byte: UInt8) {
    add(.punctuation, position, position + 1, mark: byte)
    position += 1
  }

  private mutating func readBracket(_ byte: UInt8) {
    if byte == Mark.openBracket, features.contains(.longBrackets), readLongBracket(from: position) { return }
    if !frames.isEmpty, !isInDirective {
      let last = frames.count - 1
      if byte == frames[last].opener {
        frames[last].depth += 1
      } else if byte == frames[last].closer, !endsPattern {
        if frames[last].depth == 0 { return endInterpolation() }
        frames[last].depth -= 1
      }
    }
    readMark(byte)
  }

  @inline(__always)
  private mutating func readWord(_ actions: UnsafeBufferPointer<ByteAction>) {
    let start = position
    var hash = WordTable.seed
    let ignoresCase = features.contains(.ignoresCase)
    while position < text.count {
      let byte = text[position]
      let action = actions[Int(byte)]
      guard action == .word || action == .digit else { break }
      hash = WordTable.step(hash, ignoresCase && byte &- 65 < 26 ? byte | 32 : byte)
      position += 1
    }
    if position < text.count, actions[Int(text[position])] != .blank, features.hasWordEndings {
      if finishWord(from: start) { return }
      if position - start != 0, let word = lengthenedWord(from: start) {
        add(.word, start, position, word: word)
        return
      }
    }
    if features.contains(.quoteOperators), readQuoteOperator(from: start) { return }
    if features.contains(.equalsBlocks), isFirstOnLine, readEndMark(from: start) { return }
    let word = words.word(forHash: hash)
    if word == .case || word == .esac, !frames.isEmpty { noteCase(word, from: start) }
    add(.word, start, position, word: word)
  }

  private mutating func readNumber(_ actions: UnsafeBufferPointer<ByteAction>) {
    let start = position
    position += 1
    while position < text.count {
      let byte = text[position]
      switch actions[Int(byte)] {
      case .word, .digit: break
      default:
        let next = self.byte(position + 1)
        let isDigit = next &- 48 < 10
        let isFraction = byte == Mark.dot && isDigit
        let isSeparator =
          byte == Mark.apostrophe && features.contains(.apostropheInNumbers)
          && (isDigit || (next | 32) &- 97 < 6)
        let isExponent =
          (byte == Mark.plus || byte == Mark.minus) && isDigit && text[position - 1] | 32 == 101
          && !(text[start] == 48 && self.byte(start + 1) | 32 == 120)
        guard isFraction || isSeparator || isExponent else {
          add(.number, start, position)
          return
        }
      }
      position += 1
    }
    add(.number, start, position)
  }
}
