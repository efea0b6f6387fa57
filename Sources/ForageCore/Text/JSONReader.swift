/// Reads JSON (RFC 8259) in one pass, faster than `JSONDecoder` for large numbers of messages.
///
/// `tree` reads a whole value; `object` reads one in parts, for callers that need what precedes a failure.
///
/// It is strict: it accepts one value, nothing after it, valid UTF-8 only, and no control characters in
/// strings. An unpaired surrogate, which some programs write, becomes U+FFFD.
package struct JSONReader {
  let bytes: UnsafeBufferPointer<UInt8>
  var position = 0
  private var depth = 0
  private let maximumDepth: Int
  private let maximumValues: Int
  /// The number of values read so far.
  private var values = 0

  private init(_ bytes: UnsafeBufferPointer<UInt8>, maximumDepth: Int, maximumValues: Int) {
    self.bytes = bytes
    self.maximumDepth = maximumDepth
    self.maximumValues = maximumValues
    if bytes.starts(with: Self.byteOrderMark) { position = Self.byteOrderMark.count }
  }

  /// U+FEFF in UTF-8, which some programs write first; RFC 8259, section 8.1, allows ignoring it.
  private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

  /// Parses a complete text.
  ///
  /// - Parameters:
  ///   - bytes: The text in UTF-8. It must contain one value and nothing else but white space and a byte
  ///     order mark.
  ///   - maximumDepth: The maximum nesting of arrays and objects.
  ///   - maximumValues: The maximum number of values, including nested ones.
  ///   - body: Reads the value. The reader must not escape.
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

  /// The initial capacity of an object's members.
  private static let usualMembers = 12
  /// The number of values, and the nesting, after which no capacity is reserved: it is for the rows of a list
  /// and the fields of an item, and a hundred thousand small objects would take 50 MB.
  private static let roomy = (values: 20_000, depth: 5)

  // MARK: Values

  /// Reads one value.
  package mutating func tree() throws(JSONTree.Failure) -> JSONTree {
    let first = try peek()
    guard values < maximumValues else { throw .tooMany }
    values += 1
    switch first {
    case UInt8(ascii: "\""): return .string(try text())
    case UInt8(ascii: "{"):
      var members: [(String, JSONTree)] = []
      let isRoomy = values < Self.roomy.values && depth < Self.roomy.depth
      try object { name, reader throws(JSONTree.Failure) in
        if isRoomy, members.isEmpty { members.reserveCapacity(Self.usualMembers) }
        members.append((name, try reader.tree()))
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
  /// - Parameter member: Called with each name in order; it must read the value.
  /// - Throws: `malformed` if the next value is not an object or is invalid.
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
  /// - Parameter element: Called at each element; it must read it.
  /// - Throws: `malformed` if the next value is not an array or is invalid.
  package mutating func array(
    _ element: (inout JSONReader) throws(JSONTree.Failure) -> Void
  ) throws(JSONTree.Failure) {
    try open(UInt8(ascii: "["))
    if try peek() == UInt8(ascii: "]") { return close() }
    repeat { try element(&self) } while try !isLast(UInt8(ascii: "]"))
  }

  /// Skips white space and returns the next byte without consuming it.
  package mutating func peek() throws(JSONTree.Failure) -> UInt8 {
    skipSpace()
    guard position < bytes.count else { throw .malformed }
    return bytes[position]
  }

  // MARK: Parts

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

  /// Consumes the comma or closing bracket after an element; returns whether it was the bracket.
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
      // Accumulated as a negative number, because Int.min has no positive counterpart.
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
    guard let number = Double(text) else { throw .malformed }
    // A number outside the range of Double is infinite, which JSON does not have.
    let largest = Double.greatestFiniteMagnitude
    return Int(exactly: number).map { .integer($0) } ?? .double(min(max(number, -largest), largest))
  }

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
