/// Reads JSON (RFC 8259) in one pass straight into values, for messages of which there are many.
///
/// It is strict: one value, nothing behind it, UTF-8 throughout, no control characters in texts. Half a surrogate pair, which programs that
/// escape broken text do write, becomes U+FFFD.
package struct JSONReader {
  let bytes: UnsafeBufferPointer<UInt8>
  /// The place of the next byte, from 0.
  package internal(set) var position = 0
  private var depth = 0
  private let maximumDepth: Int
  private let maximumValues: Int
  /// The number of values read or skipped so far.
  package private(set) var values = 0

  private init(_ bytes: UnsafeBufferPointer<UInt8>, maximumDepth: Int, maximumValues: Int) {
    self.bytes = bytes
    self.maximumDepth = maximumDepth
    self.maximumValues = maximumValues
    if bytes.starts(with: Self.byteOrderMark) { position = Self.byteOrderMark.count }
  }

  /// U+FEFF in UTF-8, which some programs write before a text (RFC 8259, section 8.1, allows to ignore it).
  private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

  /// Reads a whole text.
  ///
  /// - Parameters:
  ///   - bytes: The text in UTF-8; it must hold one value and nothing else but white space and a byte order mark.
  ///   - maximumValues: The number of values, those within others included, beyond which reading fails.
  ///   - body: Reads the value; the reader must not be kept.
  /// - Throws: `JSONTree.Failure`.
  package static func read<Value>(
    _ bytes: some Sequence<UInt8>, maximumDepth: Int = JSONTree.maximumDepth, maximumValues: Int = .max,
    _ body: (inout JSONReader) throws(JSONTree.Failure) -> Value
  ) throws(JSONTree.Failure) -> Value {
    let result = bytes.withContiguousStorageIfAvailable { buffer in
      whole(buffer, maximumDepth: maximumDepth, maximumValues: maximumValues, body)
    }
    if let result { return try result.get() }
    return try Array(bytes).withUnsafeBufferPointer { buffer in
      whole(buffer, maximumDepth: maximumDepth, maximumValues: maximumValues, body)
    }.get()
  }

  private static func whole<Value>(
    _ buffer: UnsafeBufferPointer<UInt8>, maximumDepth: Int, maximumValues: Int,
    _ body: (inout JSONReader) throws(JSONTree.Failure) -> Value
  ) -> Result<Value, JSONTree.Failure> {
    var reader = JSONReader(buffer, maximumDepth: maximumDepth, maximumValues: maximumValues)
    do throws(JSONTree.Failure) {
      let value = try body(&reader)
      reader.skipSpace()
      return reader.position == buffer.count ? .success(value) : .failure(.malformed)
    } catch {
      return .failure(error)
    }
  }

  /// Members of most objects: room for them is made at once.
  private static let usualMembers = 12
  /// Values up to which that room is made: an honest page has fewer, and a million small objects would take a gigabyte.
  private static let roomyValues = 20_000

  // MARK: Values

  /// Reads any value.
  package mutating func tree() throws(JSONTree.Failure) -> JSONTree {
    let first = try peek()
    try count()
    switch first {
    case UInt8(ascii: "\""): return .string(try text())
    case UInt8(ascii: "{"):
      var members: [String: JSONTree] = [:]
      let isRoomy = values < Self.roomyValues
      try object { name, reader throws(JSONTree.Failure) in
        if isRoomy, members.isEmpty { members.reserveCapacity(Self.usualMembers) }
        members[name] = try reader.tree()
      }
      return .object(members)
    case UInt8(ascii: "["):
      var values: [JSONTree] = []
      try array { reader throws(JSONTree.Failure) in values.append(try reader.tree()) }
      return .array(values)
    case UInt8(ascii: "t"):
      try word("true")
      return .bool(true)
    case UInt8(ascii: "f"):
      try word("false")
      return .bool(false)
    case UInt8(ascii: "n"):
      try word("null")
      return .null
    default: return try number()
    }
  }

  /// Reads an object.
  ///
  /// - Parameter member: Told each name in order; it must read or skip the value.
  /// - Throws: `malformed` also for any other value.
  package mutating func object(
    _ member: (_ name: String, inout JSONReader) throws(JSONTree.Failure) -> Void
  ) throws(JSONTree.Failure) {
    try open(UInt8(ascii: "{"))
    if try peek() == UInt8(ascii: "}") { return close() }
    while true {
      guard try peek() == UInt8(ascii: "\"") else { throw .malformed }
      let name = try text()
      guard try peek() == UInt8(ascii: ":") else { throw .malformed }
      position += 1
      try member(name, &self)
      if try isLast(UInt8(ascii: "}")) { return }
    }
  }

  /// Reads an array.
  ///
  /// - Parameter element: Must read or skip one value.
  /// - Throws: `malformed` also for any other value.
  package mutating func array(
    _ element: (inout JSONReader) throws(JSONTree.Failure) -> Void
  ) throws(JSONTree.Failure) {
    try open(UInt8(ascii: "["))
    if try peek() == UInt8(ascii: "]") { return close() }
    repeat { try element(&self) } while try !isLast(UInt8(ascii: "]"))
  }

  /// Reads a text, `nil` for any other value, which is skipped.
  package mutating func textOrSkip() throws(JSONTree.Failure) -> String? {
    if try peek() == UInt8(ascii: "\"") { return try text() }
    try skip()
    return nil
  }

  /// Reads a value and throws it away.
  ///
  /// - Returns: Where it stands in the bytes.
  @discardableResult
  package mutating func skip() throws(JSONTree.Failure) -> Range<Int> {
    let first = try peek()
    try count()
    let start = position
    switch first {
    case UInt8(ascii: "\""): try skipText()
    case UInt8(ascii: "{"):
      try open(first)
      if try peek() == UInt8(ascii: "}") {
        close()
        break
      }
      repeat {
        guard try peek() == UInt8(ascii: "\"") else { throw .malformed }
        try skipText()
        guard try peek() == UInt8(ascii: ":") else { throw .malformed }
        position += 1
        try skip()
      } while try !isLast(UInt8(ascii: "}"))
    case UInt8(ascii: "["): try array { reader throws(JSONTree.Failure) in try reader.skip() }
    case UInt8(ascii: "t"): try word("true")
    case UInt8(ascii: "f"): try word("false")
    case UInt8(ascii: "n"): try word("null")
    default: _ = try number()
    }
    return start..<position
  }

  /// The next byte that is not white space, which is not passed.
  package mutating func peek() throws(JSONTree.Failure) -> UInt8 {
    skipSpace()
    guard position < bytes.count else { throw .malformed }
    return bytes[position]
  }

  // MARK: Parts

  private mutating func count() throws(JSONTree.Failure) {
    guard values < maximumValues else { throw .tooMany }
    values += 1
  }

  private mutating func skipSpace() {
    while position < bytes.count {
      switch bytes[position] {
      case UInt8(ascii: " "), UInt8(ascii: "\n"), UInt8(ascii: "\r"), UInt8(ascii: "\t"): position += 1
      default: return
      }
    }
  }

  private mutating func open(_ bracket: UInt8) throws(JSONTree.Failure) {
    guard try peek() == bracket else { throw .malformed }
    guard depth < maximumDepth else { throw .tooDeep }
    depth += 1
    position += 1
  }

  private mutating func close() {
    depth -= 1
    position += 1
  }

  /// Passes the comma or the closing bracket behind an element.
  private mutating func isLast(_ bracket: UInt8) throws(JSONTree.Failure) -> Bool {
    let byte = try peek()
    if byte == bracket {
      close()
      return true
    }
    guard byte == UInt8(ascii: ",") else { throw .malformed }
    position += 1
    return false
  }

  private mutating func word(_ word: StaticString) throws(JSONTree.Failure) {
    guard bytes.count - position >= word.utf8CodeUnitCount else { throw .malformed }
    for place in 0..<word.utf8CodeUnitCount where bytes[position + place] != word.utf8Start[place] {
      throw .malformed
    }
    position += word.utf8CodeUnitCount
  }

  private mutating func number() throws(JSONTree.Failure) -> JSONTree {
    let start = position
    let isNegative = bytes[position] == UInt8(ascii: "-")
    if isNegative { position += 1 }
    var (value, isWhole) = (0, true)
    let digits = position
    while let digit = digit() {
      let (product, overflow) = value.multipliedReportingOverflow(by: 10)
      let (sum, carry) = product.subtractingReportingOverflow(digit)
      // Counted downwards, because there is one more negative number than there are positive ones.
      (value, isWhole) = (sum, isWhole && !overflow && !carry)
    }
    guard position > digits, bytes[digits] != UInt8(ascii: "0") || position == digits + 1 else {
      throw .malformed
    }
    if !isNegative, value == .min { isWhole = false }
    if next(UInt8(ascii: "."), or: UInt8(ascii: ".")) {
      isWhole = false
      guard skipDigits() else { throw .malformed }
    }
    if next(UInt8(ascii: "e"), or: UInt8(ascii: "E")) {
      isWhole = false
      _ = next(UInt8(ascii: "+"), or: UInt8(ascii: "-"))
      guard skipDigits() else { throw .malformed }
    }
    if isWhole { return .integer(isNegative ? value : -value) }
    let text = String(decoding: bytes[start..<position], as: UTF8.self)
    // A number that no double holds is read as absent, so that it costs its field alone.
    guard let number = Double(text), number.isFinite else { return .null }
    return Int(exactly: number).map { .integer($0) } ?? .double(number)
  }

  /// Passes a digit.
  private mutating func digit() -> Int? {
    guard position < bytes.count else { return nil }
    let digit = bytes[position] &- UInt8(ascii: "0")
    guard digit < 10 else { return nil }
    position += 1
    return Int(digit)
  }

  private mutating func skipDigits() -> Bool {
    let start = position
    while digit() != nil {}
    return position > start
  }

  private mutating func next(_ first: UInt8, or second: UInt8) -> Bool {
    guard position < bytes.count, bytes[position] == first || bytes[position] == second else { return false }
    position += 1
    return true
  }
}
