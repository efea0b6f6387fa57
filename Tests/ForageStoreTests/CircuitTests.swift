import ForageHTTP
import ForageStore
import Foundation
import TestSupport
import Testing

@Suite struct CircuitTests {
  private let box: CacheBox
  private var cache: CacheStore { box.cache }

  init() throws { box = try CacheBox() }

  @Test func changes() throws {
    #expect(try cache.circuit("h") == nil)
    #expect(try cache.change("h") { old in old } == nil)
    let open = Circuit(
      failures: 3, openUntil: noon + 5, probeUntil: noon + 1, reason: "it did not answer")
    #expect(try cache.change("h") { _ in open } == open)
    #expect(try box.other().circuit("h") == open)
    try box.other().change("h") { old in
      #expect(old == open)
      var new = old
      new?.openUntil = nil
      return new
    }
    #expect(try cache.circuit("h") == Circuit(failures: 3, probeUntil: noon + 1, reason: "it did not answer"))
    #expect(try cache.change("h") { _ in nil } == nil)
    #expect(try cache.circuit("h") == nil)
  }

  @Test func list() throws {
    #expect(try cache.circuits().isEmpty)
    for (scope, failures) in [("b", 2), ("a", 1)] {
      try cache.change(scope) { _ in Circuit(failures: failures, reason: "r") }
    }
    let all = try box.other().circuits()
    #expect(all.map(\.scope) == ["a", "b"] && all.map(\.circuit.failures) == [1, 2])
  }

  /// Of twenty that find the circuit open at the same moment one may try.
  @Test func oneProbeAtATime() throws {
    let path = box.path
    try cache.change("h") { _ in Circuit(failures: 1, openUntil: noon, reason: "r") }
    concurrently(20) { _ in
      let cache = CacheStore(path: path, waitsForWriters: true)
      var isMine = false
      try cache.change("h") { old in
        isMine = false
        guard var circuit = old, circuit.probeUntil == nil else { return old }
        circuit.probeUntil = noon + 10
        isMine = true
        return circuit
      }
      if isMine { try cache.change("winners") { Circuit(failures: ($0?.failures ?? 0) + 1, reason: "") } }
    }
    #expect(try cache.circuit("winners")?.failures == 1)
  }

  @Test func forgottenAfterLong() throws {
    let state = Circuit(failures: 1, reason: "r")
    try cache.change("old", now: noon) { _ in state }
    try cache.change("b", now: noon + 30 * 86_400) { _ in state }
    #expect(try cache.circuit("old") == state)
    try cache.change("b", now: noon + 30 * 86_400 + 1) { _ in state }
    #expect(try cache.circuit("old") == nil)
  }
}
