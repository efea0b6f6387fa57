/// Splits the text of ``LanguageTable`` into lines, fields and words, as byte ranges.
struct FieldReader {
  /// The number of fields of a line.
  private static let fieldCount = 9

  private let bytes: UnsafeRawBufferPointer
  private var at = 0
  /// The fields of the current line; missing ones are empty ranges.
  private(set) var fields = [Range<Int>](repeating: 0..<0, count: Self.fieldCount)

  /// Starts at the beginning of the text, which must outlive the reader.
  init(_ bytes: UnsafeRawBufferPointer) {
    self.bytes = bytes
  }

  /// Advances to the next line that is not empty; false at the end.
  mutating func nextLine() -> Bool {
    while at < bytes.count, bytes[at] == UInt8(ascii: "\n") { at += 1 }
    guard at < bytes.count else { return false }
    for field in 0..<Self.fieldCount { fields[field] = 0..<0 }
    var field = 0
    var start = at
    while true {
      let isEnd = at == bytes.count || bytes[at] == UInt8(ascii: "\n")
      if isEnd || bytes[at] == UInt8(ascii: "\t") {
        if field < Self.fieldCount { fields[field] = start..<at }
        field += 1
        start = at + 1
      }
      if isEnd { return true }
      at += 1
    }
  }

  /// Calls `body` with each word of a field.
  @inline(__always)
  static func words(
    _ bytes: UnsafeRawBufferPointer, _ field: Range<Int>, _ separator: UInt8, _ body: (Range<Int>) -> Void
  ) {
    var start = field.lowerBound
    for at in field.lowerBound...field.upperBound where at == field.upperBound || bytes[at] == separator {
      if at > start { body(start..<at) }
      start = at + 1
    }
  }
}
