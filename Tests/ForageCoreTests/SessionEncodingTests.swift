import Foundation
import TestSupport
import Testing

@testable import ForageCore

/// A session survives being written and read, whichever way it is written.
struct SessionEncodingTests {
  private func session(_ random: inout SeededGenerator) -> SearchSession {
    let texts = [
      "", "a", "\"", "\\", "\n", "\u{0}", "\u{1F}", "é", "e\u{301}", "🚀", "/", "\u{2028}", "</script>",
    ]
    func text(_ random: inout SeededGenerator) -> String {
      (0..<Int.random(in: 0...4, using: &random)).map { _ in random.pick(texts) }.joined()
    }
    var session = SearchSession(fingerprint: "f" + text(&random), parts: [])
    session.base = Int.random(in: 0...10_000, using: &random)
    func value(_ random: inout SeededGenerator, depth: Int = 0) -> FieldValue {
      switch Int.random(in: 0..<(depth < 3 ? 8 : 6), using: &random) {
      case 0: return .text(text(&random))
      case 1: return .number(random.pick([0, -1, .max, .min]))
      case 2: return .fraction(random.pick([0.5, -1.25e-7, 1e300, .pi]))
      case 3: return .flag(random.chance(0.5))
      case 4: return .date(Date(timeIntervalSince1970: random.pick([0, 1.5, 1_700_000_000])))
      case 5: return .list((0..<Int.random(in: 0...3, using: &random)).map { _ in text(&random) })
      case 6:
        return .items(
          (0..<Int.random(in: 0...3, using: &random)).map { _ in value(&random, depth: depth + 1) })
      default: return .record([text(&random): value(&random, depth: depth + 1)])
      }
    }
    func merged(_ random: inout SeededGenerator) -> MergedItem {
      var result = repository("example.org/a/" + text(&random), [.stars: value(&random)])
      result.related = random.chance(0.5) ? [RelatedEntity(id: text(&random), why: .link)] : []
      result.fields[ResultField(rawValue: text(&random))] = value(&random)
      result.observedAt = random.chance(0.3) ? Date(timeIntervalSince1970: 1.25) : nil
      let source = MergedItem.Source(
        provider: text(&random), rank: 1, id: random.chance(0.5) ? text(&random) : nil,
        contribution: random.pick([0, .max]))
      return MergedItem(
        result: result, sources: [source], score: random.pick([0, 7, .max]),
        observedAt: random.chance(0.5) ? Date(timeIntervalSince1970: 0.1) : nil,
        fieldObservations: random.chance(0.5)
          ? [
            FieldObservation(
              provider: text(&random), alias: random.chance(0.5) ? text(&random) : nil,
              observedAt: random.chance(0.5) ? Date(timeIntervalSince1970: 2) : nil,
              fields: [.stars: value(&random)])
          ] : nil)
    }
    for _ in 0..<Int.random(in: 0...2, using: &random) { session.ready.append(merged(&random)) }
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
        part.exclusion = SearchError(
          random.chance(0.5) ? .nothingToAsk : .unsupportedQuery, text(&random), hint: text(&random))
      }
      if random.chance(0.3) {
        part.pending = [
          repository(
            "example.org/a/b",
            [.stars: .number(1), .topics: .list([text(&random)]), .createdAt: .date(Date())])
        ]
        part.pending[0].readAt = Date()
      }
      session.parts.append(part)
    }
    return session
  }

  /// Sets have no order, so sessions are compared with their members in one.
  private func plain(_ session: SearchSession) -> String {
    var copy = session
    for index in copy.parts.indices { (copy.parts[index].seen, copy.parts[index].pending) = ([], []) }
    copy.ready = []
    // Strings with combining characters have no order that is the same each time.
    let seen = session.parts.map { part in
      part.seen.map { Array($0.utf8) }.sorted { $0.lexicographicallyPrecedes($1) }
    }
    return String(reflecting: copy) + "\(seen)"
  }

  @Test func whatIsWrittenIsRead() throws {
    var random = SeededGenerator(seed: propertySeed())
    for _ in 0..<1_000 {
      let session = session(&random)
      let again = try SearchSession(encoded: session.encoded())
      let (read, written) = (plain(again), plain(session))
      #expect(read == written)
      #expect(again.parts.map(\.pending) == session.parts.map(\.pending))
      #expect(again.ready.map(\.result) == session.ready.map(\.result))
      #expect(again.ready.map(\.sources) == session.ready.map(\.sources))
      #expect(again.ready.map(\.score) == session.ready.map(\.score))
      #expect(again.ready.map(\.observedAt) == session.ready.map(\.observedAt))
      #expect(again.ready.map(\.fieldObservations) == session.ready.map(\.fieldObservations))
    }
  }

  /// A session that is too large is not written, and takes no more memory than that.
  @Test func largeOnesAreRefused() throws {
    var session = SearchSession(fingerprint: "f", parts: [])
    session.ready = (0..<100).map { number in
      MergedItem(
        repository(
          "example.org/a/\(number)", [.description: .text(String(repeating: "x", count: 1000))]))
    }
    let size = try session.encoded().count
    #expect(session.encoded(maximumBytes: size)?.count == size)
    #expect(session.encoded(maximumBytes: size - 1) == nil)
    // The names alone are smaller.
    session.drop(before: 100)
    #expect(session.encoded(maximumBytes: size / 10) != nil && session.firstOffset == 100)
  }

  @Test func damagedOnesAreRefused() throws {
    var random = SeededGenerator(seed: propertySeed())
    let bytes = try session(&random).encoded()
    for length in [0, 1, bytes.count / 2, bytes.count - 1] {
      #expect(throws: (any Error).self) { try SearchSession(encoded: Array(bytes.prefix(length))) }
    }
  }
}
