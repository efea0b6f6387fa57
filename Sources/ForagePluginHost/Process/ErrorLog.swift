import ForageCore

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The end of what a plugin wrote to its standard error, and the lines of it as they come.
struct ErrorLog {
  /// Bytes that are kept: what a plugin says of itself, not what floods.
  static let capacity = 256 << 10
  /// Bytes of one line that are told; the rest of a longer one is left out.
  static let lineLimit = 4 << 10

  /// The last bytes; up to twice the capacity, so that they are moved seldom.
  private var kept: [UInt8] = []
  private var line: [UInt8] = []
  private var redacting: SecretRedaction.Stream

  /// Creates a log without lines.
  ///
  /// - Parameter redaction: Replaces secrets before anything is kept, cut or passed on.
  init(_ redaction: SecretRedaction = SecretRedaction([])) {
    redacting = SecretRedaction.Stream(redaction)
  }

  /// Takes bytes as they come.
  ///
  /// - Parameter tell: Told of every line that is whole, without its end.
  mutating func take(_ bytes: UnsafeRawBufferPointer, tell: (String) -> Void) {
    redacting.append(bytes).withUnsafeBytes { add($0, tell) }
  }

  private mutating func add(_ bytes: UnsafeRawBufferPointer, _ tell: (String) -> Void) {
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
      endLine(tell)
      rest = rest.dropFirst(length + 1)
    }
  }

  /// Tells of a last line without an end.
  mutating func finish(tell: (String) -> Void) {
    redacting.finish().withUnsafeBytes { add($0, tell) }
    if !line.isEmpty { endLine(tell) }
  }

  private mutating func endLine(_ tell: (String) -> Void) {
    if line.last == UInt8(ascii: "\r") { line.removeLast() }
    tell(String(decoding: line, as: UTF8.self))
    line.removeAll(keepingCapacity: true)
  }

  /// What is kept of it.
  var tail: ArraySlice<UInt8> { kept.suffix(Self.capacity) }

  /// The last line that is not empty, cut to so many characters: what most programs say when they fail.
  func lastLine(limit: Int) -> String? {
    let lines = tail.suffix(Self.lineLimit).split { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }
    let texts = lines.reversed().lazy.map { String(decoding: $0, as: UTF8.self).trimmingWhitespace() }
    guard let last = texts.first(where: { !$0.isEmpty }) else { return nil }
    return last.count > limit ? String(last.prefix(limit)) + "…" : last
  }
}
