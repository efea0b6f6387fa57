import Foundation
import TestSupport
import Testing

@testable import ForageCore

/// A session survives being written and read, whichever way it is written.
struct SessionEncodingTests {
  private func session(_ random: inout SeededGenerator) -> SearchSession {
    let texts = ["", "a", "\"", "\\", "\n", "\u{0}", "\u{1F}", "é", "🚀", "/", "\u{2028}", "</script>"]
    func text(_ random: inout SeededGenerator) -> String {
      (0..<Int.random(in: 0...4, using: &random)).map { _ in random.pick(texts) }.joined()
    }
    var session = SearchSession(fingerprint: text(&random), parts: [])
    session.base = Int.random(in: 0...10_000, using: &random)
    for _ in 0..<Int.random(in: 0...3, using: &random) {
      session.emitted.append(
        EntityName(
          kind: ResultKind(rawValue: text(&random)), id: text(&random),
          forgeID: random.chance(0.5) ? text(&random) : nil,
          aliases: random.chance(0.3) ? [text(&random), text(&random)] : nil,
          related: random.chance(0.3) ? [RelatedEntity(id: text(&random), why: .mirror)] : nil,
          roots: random.chance(0.3) ? [text(&random)] : nil))
      var part = SearchSession.Part(
        provider: text(&random), kind: .repo, pageSize: Int.random(in: 0...100, using: &random))
      part.used = Int.random(in: 0...100, using: &random)
      part.seen = Set((0..<3).map { _ in text(&random) })
      part.cursor = random.chance(0.5) ? text(&random) : nil
      part.isEnded = random.chance(0.5)
      part.failures = Int.random(in: 0...3, using: &random)
      part.total = random.chance(0.5) ? ResultTotal(5, random.chance(0.5) ? .equal : .atLeast) : nil
      if random.chance(0.3) {
        part.exclusion = SearchSession.Exclusion(
          isSkipped: random.chance(0.5), reason: text(&random), hint: text(&random))
      }
      if random.chance(0.3) {
        part.pending = [
          repository(
            "example.org/a/b",
            [.stars: .number(1), .topics: .list([text(&random)]), .createdAt: .date(Date())])
        ]
        part.observed = [ObservedSpan(count: 1, time: Date())]
      }
      session.parts.append(part)
    }
    return session
  }

  /// Sets have no order, so sessions are compared with their members in one.
  private func plain(_ session: SearchSession) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    var copy = session
    for index in copy.parts.indices { (copy.parts[index].seen, copy.parts[index].pending) = ([], []) }
    let seen = session.parts.map { $0.seen.sorted() }
    return String(decoding: try encoder.encode(copy), as: UTF8.self) + "\(seen)"
  }

  @Test func whatIsWrittenIsRead() throws {
    var random = SeededGenerator(seed: propertySeed())
    for _ in 0..<1_000 {
      let session = session(&random)
      let again = try SearchSession(encoded: session.encoded())
      #expect(try plain(again) == plain(session))
      #expect(again.parts.map(\.pending) == session.parts.map(\.pending))
    }
  }

  @Test func damagedOnesAreRefused() throws {
    var random = SeededGenerator(seed: propertySeed())
    let bytes = try session(&random).encoded()
    for length in [0, 1, bytes.count / 2, bytes.count - 1] {
      #expect(throws: (any Error).self) { try SearchSession(encoded: Array(bytes.prefix(length))) }
    }
  }
}
