import CPCRE2
package import ForageCore

/// A text to look for in files, before it is compiled.
struct PatternSource: Hashable, Sendable {
  enum Kind: Hashable, Sendable {
    case literal
    /// A regular expression in the syntax of PCRE2.
    case expression
    /// An expression of the program itself, on bytes, in which white space does not count. It sees one line.
    case bytes
  }

  var text: String
  var kind: Kind
  var ignoresCase: Bool
}

/// A compiled pattern with the memory that matching needs; used by one thread.
final class CodePattern {
  /// Why matching ended without an answer.
  enum Failure: Error {
    /// A limit on matching or memory was reached, or the time is over.
    case limit
  }

  /// The steps of backtracking in one call, some tens of milliseconds: a catastrophic expression ends soon.
  private static let matchLimit: UInt32 = 2_000_000
  /// The same for a long text, over which each step of compiled code may go: steps times bytes.
  private static let longMatchWork = 8 << 20
  /// The longest line that is searched without backtracking (4 MiB), and the longest expression, in bytes.
  private static let longestLine = 4 << 20
  private static let longestWithoutBacktracking = 200
  /// Longer parts of a text are searched in steps. The limit on backtracking holds for each place at which a
  /// match may begin, so that one call for a line of 1 MiB can take longer than any search.
  private static let unsteppedBytes = 4 << 10
  /// The places at which a match may begin that the first step tries. A step that was quick doubles the next
  /// one.
  private static let firstStep = 16
  private static let quickStep = Duration.milliseconds(2)
  /// How long a part of a text may be searched.
  private static let timeLimit = Duration.milliseconds(500)
  /// The nesting of backtracking points of the interpreter.
  private static let depthLimit: UInt32 = 100_000
  /// The memory of the interpreter in KiB (16 MiB).
  private static let heapLimit: UInt32 = 16 << 10
  /// The bytes that the interpreter searches before compiled code, which takes a millisecond to make, pays.
  /// An expression of a user is compiled at its first use, because the limits count the interpreter's steps
  /// differently.
  private static let interpretedBytes = 16 << 10
  /// The stack of compiled code, initially and at most, in bytes.
  private static let stack = (initial: 32 << 10, maximum: 1 << 20)
  /// The longest text of a pattern in bytes.
  private static let lengthLimit = 10_000

  private let code: OpaquePointer
  private let data: OpaquePointer
  private let context: OpaquePointer
  private var jitStack: OpaquePointer?
  /// The bytes until compiled code is made; negative once that was tried.
  private var bytesToCode: Int
  private let isLate: () -> Bool
  /// The calls between two looks at the time, less one: a call for a text itself is short.
  private let uncheckedCalls: UInt
  private var calls: UInt = 0
  /// Whether a search was ended because the time is over.
  private(set) var wasLate = false
  /// Whether a match never extends beyond a line, so that it need not be repeated on the line alone.
  let isWithinLine: Bool
  /// Whether lines must be matched one at a time.
  let seesOneLine: Bool
  /// Whether the ends of lines may decide whether a line matches.
  let seesLineEnds: Bool
  /// Whether long texts are searched in steps.
  private let hasSteps: Bool
  /// The expression behind anything, to learn without backtracking whether a line has it; compiled at its
  /// first use.
  private var behindAnything: OpaquePointer?
  private let compiled: (text: String, options: UInt32)
  private let needsNoBacktracking: Bool
  /// The room for the states of such a match, in 32-bit words.
  private static let stateWords = 8_192

  /// Compiles a pattern.
  ///
  /// - Parameters:
  ///   - isOfText: Whether `^` and `$` of an expression are the ends of the text rather than of its lines, and
  ///     `\w` and its like have the characters of Unicode.
  ///   - isLate: Whether the time is over; asked while a text is searched.
  /// - Throws: `ExpressionProblem` with the position of the error.
  init(_ source: PatternSource, isOfText: Bool = false, isLate: @escaping () -> Bool = { false })
    throws(ExpressionProblem)
  {
    var error: Int32 = 0
    var offset = 0
    let isASCII = source.text.utf8.allSatisfy { $0 < 0x80 }
    var options: UInt32 = source.ignoresCase ? PCRE2_CASELESS : 0
    // Bytes decide where no character can be meant; invalid UTF-8 in a text matches nothing.
    if !isASCII || source.kind == .expression { options |= PCRE2_UTF | PCRE2_MATCH_INVALID_UTF }
    var text = source.text
    switch source.kind {
    case .literal where isASCII && source.ignoresCase: text = Self.bytes(ignoringCaseOf: text)
    case .literal: options |= PCRE2_LITERAL
    case .expression:
      options |= isOfText ? PCRE2_UCP : PCRE2_MULTILINE
      options |= PCRE2_NEVER_BACKSLASH_C | PCRE2_USE_OFFSET_LIMIT
    case .bytes: options = PCRE2_EXTENDED
    }
    let compile = pcre2_compile_context_create_8(nil)
    defer { pcre2_compile_context_free_8(compile) }
    pcre2_set_newline_8(compile, UInt32(PCRE2_NEWLINE_LF))
    if source.kind != .bytes {
      pcre2_set_max_pattern_length_8(compile, Self.lengthLimit + text.utf8.count - source.text.utf8.count)
    }
    let bytes = Array(text.utf8)
    let made = pcre2_compile_8(bytes, bytes.count, options, &error, &offset, compile)
    guard let made else {
      throw ExpressionProblem(
        message: Self.message(error), offset: Self.scalars(bytes.prefix(min(offset, bytes.count))))
    }
    guard let data = pcre2_match_data_create_from_pattern_8(made, nil),
      let context = pcre2_match_context_create_8(nil)
    else {
      pcre2_code_free_8(made)
      throw ExpressionProblem(message: "there is not enough memory", offset: 0)
    }
    pcre2_set_match_limit_8(context, Self.matchLimit)
    pcre2_set_depth_limit_8(context, Self.depthLimit)
    pcre2_set_heap_limit_8(context, Self.heapLimit)
    code = made
    bytesToCode = source.kind == .expression ? 0 : Self.interpretedBytes
    compiled = (text, options)
    needsNoBacktracking = source.kind == .expression && Self.needsNoBacktracking(source.text)
    self.isLate = isLate
    uncheckedCalls = source.kind == .literal ? 63 : 0
    self.data = data
    self.context = context
    isWithinLine = source.kind == .literal && !source.text.utf8.contains(UInt8(ascii: "\n"))
    seesOneLine = source.kind == .expression && Self.needsOneLine(source.text)
    seesLineEnds = source.kind == .expression && source.text.contains("$")
    // \G matches where a step begins, and verbs such as (*COMMIT) decide about later places.
    hasSteps = source.kind == .expression && !source.text.contains("\\G") && !source.text.contains("(*")
  }

  deinit {
    pcre2_match_data_free_8(data)
    pcre2_match_context_free_8(context)
    pcre2_jit_stack_free_8(jitStack)
    pcre2_code_free_8(behindAnything)
    pcre2_code_free_8(code)
  }

  /// The first match in one line.
  ///
  /// Where backtracking would take long it is asked first without it whether there is one.
  ///
  /// - Throws: `Failure` if a limit or the time ends the search.
  func match(inLine line: UnsafeRawBufferPointer) throws(Failure) -> Range<Int>? {
    do throws(Failure) {
      return try match(in: line, from: 0)
    } catch {
      if wasLate { throw error }
      if hasMatch(line) == false { return nil }
      // A shorter line would reach the same limit.
      guard hasSteps, line.count > Self.unsteppedBytes else { throw error }
      return try match(in: line, from: 0, limitsWork: false)
    }
  }

  /// Whether a line has a match, found without backtracking: for most expressions in a time that grows with
  /// the length of the line.
  ///
  /// - Returns: `nil` for an expression that this does not hold for, or that needs backtracking, and for a
  ///   line that is not UTF-8.
  private func hasMatch(_ line: UnsafeRawBufferPointer) -> Bool? {
    guard needsNoBacktracking, line.count <= Self.longestLine else { return nil }
    if behindAnything == nil { behindAnything = compileBehindAnything() }
    guard let behindAnything else { return nil }
    var states = [Int32](repeating: 0, count: Self.stateWords)
    let subject = line.baseAddress?.assumingMemoryBound(to: UInt8.self)
    let options = PCRE2_ANCHORED | PCRE2_DFA_SHORTEST
    let count = pcre2_dfa_match_8(
      behindAnything, subject, line.count, 0, options, data, nil, &states, states.count)
    // 0 is a match, too, with more ends than there is room for.
    return count >= 0 ? true : count == PCRE2_ERROR_NOMATCH ? false : nil
  }

  /// Whether an expression is short and has neither lookaround nor counted repetitions, of which the states
  /// would be too many.
  private static func needsNoBacktracking(_ expression: String) -> Bool {
    expression.utf8.count <= longestWithoutBacktracking
      && !["(?=", "(?!", "(?<", "(?>", "\\K"].contains(where: expression.contains)
      && !zip(expression, expression.dropFirst()).contains { $0 == "{" && $1.isNumber }
  }

  /// Limits matching so that the work for a text of a length stays the same.
  private func limit(_ work: Int, over length: Int) {
    pcre2_set_match_limit_8(context, min(Self.matchLimit, UInt32(max(1, work / max(1, length)))))
  }

  /// Matching without backtracking needs a text that is valid UTF-8 as a whole.
  private func compileBehindAnything() -> OpaquePointer? {
    let text = Array("(?s:.*?)(?:\(compiled.text))".utf8)
    let compile = pcre2_compile_context_create_8(nil)
    defer { pcre2_compile_context_free_8(compile) }
    pcre2_set_newline_8(compile, UInt32(PCRE2_NEWLINE_LF))
    var (error, offset): (Int32, Int) = (0, 0)
    let options = compiled.options & ~(PCRE2_MATCH_INVALID_UTF | PCRE2_USE_OFFSET_LIMIT)
    return pcre2_compile_8(text, text.count, options, &error, &offset, compile)
  }

  /// The first match at or after a position; `nil` if there is none.
  ///
  /// - Parameter limitsWork: Whether a long text may only take as long as a short one.
  /// - Throws: `Failure` if a limit or the time ends the search.
  func match(
    in text: UnsafeRawBufferPointer, from start: Int, limitsWork: Bool = true
  ) throws(Failure) -> Range<Int>? {
    guard start <= text.count else { return nil }
    guard hasSteps, text.count - start > Self.unsteppedBytes else { return try step(in: text, from: start) }
    // Of a whole file lines are not searched one by one.
    if limitsWork { limit(Self.longMatchWork, over: text.count - start) }
    defer {
      pcre2_set_offset_limit_8(context, .max)
      pcre2_set_match_limit_8(context, Self.matchLimit)
    }
    let begin = ContinuousClock.now
    var (position, step, last) = (start, Self.firstStep, begin)
    while position <= text.count {
      var next = position + step
      // The next step begins with a character.
      while next < text.count, text[next] & 0xC0 == 0x80 { next += 1 }
      pcre2_set_offset_limit_8(context, next > text.count ? .max : next - 1)
      if let found = try self.step(in: text, from: position) { return found }
      position = next
      let now = ContinuousClock.now
      if now - begin > Self.timeLimit { throw .limit }
      if now - last < Self.quickStep { step *= 2 }
      last = now
    }
    return nil
  }

  /// Makes machine code; where that is impossible the interpreter is used.
  private func makeCode() {
    guard pcre2_jit_compile_8(code, PCRE2_JIT_COMPLETE) == 0,
      let stack = pcre2_jit_stack_create_8(Self.stack.initial, Self.stack.maximum, nil)
    else { return }
    pcre2_jit_stack_assign_8(context, nil, UnsafeMutableRawPointer(stack))
    jitStack = stack
  }

  private func step(in text: UnsafeRawBufferPointer, from start: Int) throws(Failure) -> Range<Int>? {
    if bytesToCode >= 0 {
      bytesToCode -= text.count - start
      if bytesToCode <= 0 {
        bytesToCode = -1
        makeCode()
      }
    }
    calls &+= 1
    if !wasLate, calls & uncheckedCalls == 0 { wasLate = isLate() }
    if wasLate { throw .limit }
    var empty: UInt8 = 0
    let count = withUnsafePointer(to: &empty) { nothing in
      let subject = text.baseAddress?.assumingMemoryBound(to: UInt8.self) ?? nothing
      return pcre2_match_8(code, subject, text.count, start, 0, data, context)
    }
    if count == PCRE2_ERROR_NOMATCH { return nil }
    guard count > 0, let places = pcre2_get_ovector_pointer_8(data) else { throw .limit }
    // \K can set the start of a match after its end.
    return min(places[0], places[1])..<places[1]
  }

  /// An expression of bytes for an ASCII text in any case. It finds what the text finds as characters (also ſ
  /// for s and the Kelvin sign for k, the only others that differ from ASCII by case alone) in a third of the
  /// time.
  private static func bytes(ignoringCaseOf text: String) -> String {
    text.utf8.map { byte in
      switch byte | 0x20 {
      case UInt8(ascii: "k"): "(?:k|\\xE2\\x84\\xAA)"
      case UInt8(ascii: "s"): "(?:s|\\xC5\\xBF)"
      default: "\\x" + String(byte, radix: 16)
      }
    }.joined()
  }

  private static func message(_ error: Int32) -> String {
    // PCRE2's documentation: 120 code units are enough for every message.
    var buffer = [UInt8](repeating: 0, count: 256)
    let count = pcre2_get_error_message_8(error, &buffer, buffer.count)
    return count > 0 ? String(decoding: buffer.prefix(Int(count)), as: UTF8.self) : "error \(error)"
  }

  private static func scalars(_ bytes: ArraySlice<UInt8>) -> Int {
    String(decoding: bytes, as: UTF8.self).unicodeScalars.count
  }
}

/// A regular expression for texts that are no files, matched within the same limits.
package struct TextPattern {
  private let pattern: CodePattern

  /// Compiles an expression.
  ///
  /// - Throws: `ExpressionProblem` with the position of the error.
  package init(_ expression: String) throws(ExpressionProblem) {
    pattern = try CodePattern(
      PatternSource(text: expression, kind: .expression, ignoresCase: false), isOfText: true)
  }

  /// Whether a text has a match; `nil` where a limit has ended the search.
  package func matches(_ text: String) -> Bool? {
    var text = text
    return text.withUTF8 { bytes in
      do throws(CodePattern.Failure) {
        return try pattern.match(inLine: UnsafeRawBufferPointer(bytes)) != nil
      } catch {
        return nil
      }
    }
  }
}

extension ExpressionProblem {
  /// Checks a regular expression of a query; returns `nil` if it is valid.
  @Sendable package static func check(_ expression: String) -> ExpressionProblem? {
    do throws(ExpressionProblem) {
      _ = try CodePattern(PatternSource(text: expression, kind: .expression, ignoresCase: true))
      return nil
    } catch {
      return error
    }
  }
}
