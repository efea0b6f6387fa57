import CPCRE2

/// A regular expression of the tables, in the syntax of PCRE2, for bytes.
///
/// `^` and `$` match at the ends of lines, whose ends are LF, CR or CR LF. Letters are those of ASCII.
///
/// The only stored properties are PCRE2's code and match context. Both are complete after the initialiser, and PCRE2
/// documents that matching only reads them, so threads can share them.
final class Pattern: @unchecked Sendable {
  /// The backtracking steps of one match; the tables need a few thousand. A text that needs more does not match.
  private static let stepLimit: UInt32 = 1_000_000

  private let code: OpaquePointer
  private let context: OpaquePointer?

  /// Compiles an expression, which must be valid.
  init(_ expression: String) {
    let settings = pcre2_compile_context_create_8(nil)
    defer { pcre2_compile_context_free_8(settings) }
    pcre2_set_newline_8(settings, UInt32(PCRE2_NEWLINE_ANYCRLF))
    pcre2_set_bsr_8(settings, UInt32(PCRE2_BSR_ANYCRLF))
    let bytes = Array(expression.utf8)
    var (error, offset): (Int32, Int) = (0, 0)
    let made = pcre2_compile_8(bytes, bytes.count, PCRE2_MULTILINE, &error, &offset, settings)
    guard let made else { preconditionFailure("error \(error) at \(offset) in \(expression)") }
    // Where this is not supported, PCRE2 interprets the expression.
    _ = pcre2_jit_compile_8(made, PCRE2_JIT_COMPLETE)
    code = made
    context = pcre2_match_context_create_8(nil)
    if let context { pcre2_set_match_limit_8(context, Self.stepLimit) }
  }

  deinit {
    pcre2_match_context_free_8(context)
    pcre2_code_free_8(code)
  }

  /// Whether the expression matches somewhere in a text.
  func matches(_ text: UnsafeRawBufferPointer) -> Bool { match(text) { _ in true } ?? false }

  /// Whether the expression matches somewhere in a text.
  func matches(_ text: some StringProtocol) -> Bool {
    var text = String(text)
    return text.withUTF8 { matches(UnsafeRawBufferPointer($0)) }
  }

  /// Returns what the first group of the first match contains; nil if there is no match.
  func group(in text: UnsafeRawBufferPointer) -> String? {
    match(text) { places in
      guard places[2] <= places[3], places[3] <= text.count else { return nil }
      return String(decoding: text[places[2]..<places[3]], as: UTF8.self)
    }
  }

  private func match<Result>(
    _ text: UnsafeRawBufferPointer, _ body: (UnsafeMutablePointer<Int>) -> Result?
  ) -> Result? {
    guard let data = pcre2_match_data_create_from_pattern_8(code, nil) else { return nil }
    defer { pcre2_match_data_free_8(data) }
    var nothing: UInt8 = 0
    let count = withUnsafePointer(to: &nothing) { nothing in
      let subject = text.baseAddress?.assumingMemoryBound(to: UInt8.self) ?? nothing
      return pcre2_match_8(code, subject, text.count, 0, 0, data, context)
    }
    guard count > 0, let places = pcre2_get_ovector_pointer_8(data) else { return nil }
    return body(places)
  }
}
