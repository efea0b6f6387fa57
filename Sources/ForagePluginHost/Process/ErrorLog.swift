import ForageCore
import ForagePluginProtocol

/// Splits a plugin's standard error into lines, and keeps the last one.
struct ErrorLog {
  /// The maximum length of a reported line in bytes; the rest of a longer line is dropped.
  static let lineLimit = 4 << 10

  private let redaction: SecretRedaction
  /// Reads more of a line than is reported, so that a secret at the limit is masked whole.
  private var lines = LineReader(limit: 2 * lineLimit, cutsLongLines: true)
  private var isInLine = false
  /// The last line that is not blank, without white space around it.
  private var last = ""

  /// Creates an empty log.
  ///
  /// - Parameter redaction: Masks secrets in every line that is kept or reported.
  init(_ redaction: SecretRedaction = SecretRedaction([])) { self.redaction = redaction }

  /// Adds bytes.
  ///
  /// - Parameters:
  ///   - bytes: The bytes.
  ///   - report: Called with each complete line, without its line feed.
  mutating func take(_ bytes: UnsafeRawBufferPointer, report: (String) -> Void) {
    guard let end = bytes.last else { return }
    isInLine = end != UInt8(ascii: "\n")
    let redaction = redaction
    var last = last
    try? lines.append(bytes) { line in
      let line = line.last == UInt8(ascii: "\r") ? line.dropLast() : line[...]
      let masked = redaction.redacted(Array(line)).prefix(Self.lineLimit)
      // A program that shows its progress writes over a line.
      let parts = masked.split(separator: UInt8(ascii: "\r")).reversed().lazy.map {
        String(decoding: $0, as: UTF8.self).trimmingWhitespace()
      }
      if let part = parts.first(where: { !$0.isEmpty }) { last = part }
      report(String(decoding: masked, as: UTF8.self))
    }
    self.last = last
  }

  /// Reports a last line without a line feed.
  mutating func finish(report: (String) -> Void) {
    guard isInLine else { return }
    withUnsafeBytes(of: UInt8(ascii: "\n")) { take($0, report: report) }
  }

  /// The last line that is not blank, truncated to a number of characters.
  func lastLine(limit: Int) -> String? {
    if last.isEmpty { return nil }
    return last.count > limit ? String(last.prefix(limit)) + "…" : last
  }
}
