import ForageCore
import ForagePlatform

/// Collects the end of a plugin's standard error, and splits it into lines.
struct ErrorLog {
  /// The number of bytes that are kept.
  static let capacity = 256 << 10
  /// The maximum length of a reported line in bytes; the rest of a longer line is dropped.
  static let lineLimit = 4 << 10

  /// The last bytes; up to twice the capacity, so that they are rarely moved.
  private var kept: [UInt8] = []
  private var line: [UInt8] = []
  private var redacting: SecretRedaction.Stream

  /// Creates an empty log.
  ///
  /// - Parameter redaction: Masks secrets in everything that is kept or passed on.
  init(_ redaction: SecretRedaction = SecretRedaction([])) {
    redacting = SecretRedaction.Stream(redaction)
  }

  /// Adds bytes.
  ///
  /// - Parameters:
  ///   - bytes: The bytes.
  ///   - report: Called with each complete line, without its line feed.
  mutating func take(_ bytes: UnsafeRawBufferPointer, report: (String) -> Void) {
    redacting.append(bytes).withUnsafeBytes { add($0, report) }
  }

  private mutating func add(_ bytes: UnsafeRawBufferPointer, _ report: (String) -> Void) {
    kept.append(contentsOf: bytes)
    if kept.count > 2 * Self.capacity { kept.removeFirst(kept.count - Self.capacity) }
    var rest = bytes[...]
    while let start = UnsafeRawBufferPointer(rebasing: rest).baseAddress {
      guard let end = memchr(start, Int32(UInt8(ascii: "\n")), rest.count) else {
        line.append(contentsOf: rest.prefix(Self.lineLimit - line.count))
        return
      }
      let length = UnsafeRawPointer(end) - start
      line.append(contentsOf: rest.prefix(min(length, Self.lineLimit - line.count)))
      endLine(report)
      rest = rest.dropFirst(length + 1)
    }
  }

  /// Reports a last line without a line feed.
  mutating func finish(report: (String) -> Void) {
    redacting.finish().withUnsafeBytes { add($0, report) }
    if !line.isEmpty { endLine(report) }
  }

  private mutating func endLine(_ report: (String) -> Void) {
    if line.last == UInt8(ascii: "\r") { line.removeLast() }
    report(String(decoding: line, as: UTF8.self))
    line.removeAll(keepingCapacity: true)
  }

  /// The bytes that are kept.
  var tail: ArraySlice<UInt8> { kept.suffix(Self.capacity) }

  /// The last non-empty line, truncated to a number of characters.
  func lastLine(limit: Int) -> String? {
    let lines = tail.suffix(Self.lineLimit).split { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }
    let texts = lines.reversed().lazy.map { String(decoding: $0, as: UTF8.self).trimmingWhitespace() }
    guard let last = texts.first(where: { !$0.isEmpty }) else { return nil }
    return last.count > limit ? String(last.prefix(limit)) + "…" : last
  }
}
