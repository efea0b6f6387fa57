import ForageCore
import ForagePluginProtocol

/// Collects the end of a plugin's standard error, and splits it into lines.
struct ErrorLog {
  /// The number of bytes that are kept, enough for a traceback.
  static let capacity = 256 << 10
  /// The maximum length of a reported line in bytes; the rest of a longer line is dropped.
  static let lineLimit = 4 << 10

  /// The last bytes; up to twice the capacity, so that they are rarely moved.
  private var kept: [UInt8] = []
  private var lines = LineReader(limit: lineLimit, cutsLongLines: true)
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
    try? lines.append(bytes) { line in
      report(String(decoding: line.last == UInt8(ascii: "\r") ? line.dropLast() : line[...], as: UTF8.self))
    }
  }

  /// Reports a last line without a line feed.
  mutating func finish(report: (String) -> Void) {
    redacting.finish().withUnsafeBytes { add($0, report) }
    guard let last = kept.last, last != UInt8(ascii: "\n") else { return }
    withUnsafeBytes(of: UInt8(ascii: "\n")) { add($0, report) }
  }

  var tail: ArraySlice<UInt8> { kept.suffix(Self.capacity) }

  /// The last non-empty line, truncated to a number of characters.
  func lastLine(limit: Int) -> String? {
    let lines = tail.suffix(Self.lineLimit).split { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }
    let texts = lines.reversed().lazy.map { String(decoding: $0, as: UTF8.self).trimmingWhitespace() }
    guard let last = texts.first(where: { !$0.isEmpty }) else { return nil }
    return last.count > limit ? String(last.prefix(limit)) + "…" : last
  }
}
