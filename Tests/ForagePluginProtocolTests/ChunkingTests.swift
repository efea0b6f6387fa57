import ForagePluginProtocol
import TestSupport
import Testing

/// What comes of a stream does not depend on the pieces in which it arrives.
struct ChunkingTests {
  /// Lines that were delivered, and how the stream ended.
  struct Outcome: Equatable {
    var lines: [[UInt8]] = []
    var error: FrameError?
  }

  /// Reads a stream in pieces; `size` tells the length of the next.
  static func read(_ bytes: [UInt8], limit: Int, cuts: Bool = false, size: () -> Int) -> Outcome {
    var reader = LineReader(limit: limit, cutsLongLines: cuts)
    var outcome = Outcome()
    do throws(FrameError) {
      var rest = bytes[...]
      while !rest.isEmpty {
        let piece = Array(rest.prefix(max(1, size())))
        rest = rest.dropFirst(piece.count)
        try piece.withUnsafeBufferPointer { buffer throws(FrameError) in
          try reader.append(UnsafeRawBufferPointer(buffer)) { outcome.lines.append(Array($0)) }
        }
      }
    } catch {
      outcome.error = error
    }
    return outcome
  }

  @Test func anyChunkingGivesTheSame() {
    var random = SeededGenerator(seed: propertySeed())
    for _ in 0..<5_000 {
      let limit = Int.random(in: 0...20, using: &random)
      let bytes = (0..<Int.random(in: 0...80, using: &random)).map { _ in
        random.chance(0.12) ? UInt8(ascii: "\n") : UInt8.random(in: 0...255, using: &random)
      }
      let whole = Self.read(bytes, limit: limit) { bytes.count }
      #expect(whole == Self.expected(bytes, limit: limit))
      #expect(Self.read(bytes, limit: limit) { 1 } == whole)
      #expect(Self.read(bytes, limit: limit) { Int.random(in: 1...30, using: &random) } == whole)
      let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).dropLast()
      let cut = Outcome(lines: lines.map { Array($0.prefix(limit)) })
      #expect(Self.read(bytes, limit: limit, cuts: true) { bytes.count } == cut)
      #expect(Self.read(bytes, limit: limit, cuts: true) { 1 } == cut)
      #expect(
        Self.read(bytes, limit: limit, cuts: true) { Int.random(in: 1...30, using: &random) } == cut)
    }
  }

  /// The same by the plainest of means.
  static func expected(_ bytes: [UInt8], limit: Int) -> Outcome {
    let parts = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    var outcome = Outcome()
    for part in parts.dropLast() {
      if part.count > limit { return Outcome(lines: outcome.lines, error: .lineTooLong(limit: limit)) }
      outcome.lines.append(Array(part))
    }
    if parts.last?.count ?? 0 > limit { outcome.error = .lineTooLong(limit: limit) }
    return outcome
  }

  @Test(arguments: [(19, nil), (20, nil), (21, FrameError.lineTooLong(limit: 20))])
  func theLimitCountsBytes(_ length: Int, _ error: FrameError?) {
    // A letter of two bytes and nothing of the line's end.
    let bytes = Array("é".utf8) + [UInt8](repeating: 0x61, count: length - 2) + [0x0A]
    #expect(Self.read(bytes, limit: 20) { 7 }.error == error)
    #expect(Self.read(bytes, limit: 20) { 100 }.error == error)
  }

  @Test func anErrorStays() {
    var reader = LineReader(limit: 3)
    for piece in ["abcd", "\nok\n", ""] {
      #expect(throws: FrameError.lineTooLong(limit: 3)) {
        try Array(piece.utf8).withUnsafeBufferPointer { buffer throws(FrameError) in
          try reader.append(UnsafeRawBufferPointer(buffer)) { _ in }
        }
      }
    }
  }
}
