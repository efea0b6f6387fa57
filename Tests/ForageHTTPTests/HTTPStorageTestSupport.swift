import ForageHTTP
import Foundation
import Synchronization

/// A time of day that moves only when told.
final class TestClock: Sendable {
  private let time = Mutex(Date(timeIntervalSince1970: 1_800_000_000))
  var now: Date { time.withLock { $0 } }
  func advance(_ seconds: Double) { time.withLock { $0 += seconds } }
  /// For what takes the time as a closure.
  var read: @Sendable () -> Date { { self.now } }
}

/// What storage throws that is broken.
struct BrokenStorage: Error, CustomStringConvertible {
  var description: String { "the disk is full" }
}

/// A cache in memory that counts what is done to it.
final class MemoryCache: HTTPCacheStorage {
  struct State {
    var entries: [String: HTTPCacheEntry] = [:]
    var loads = 0
    var stores = 0
    var validations = 0
    var isBroken = false
  }
  let state = Mutex(State())

  private func with<Value: Sendable>(_ body: (inout State) -> Value) throws -> Value {
    try state.withLock { state in
      if state.isBroken { throw BrokenStorage() }
      return body(&state)
    }
  }

  var counts: [Int] { state.withLock { [$0.loads, $0.stores, $0.validations] } }
  var entries: [String: HTTPCacheEntry] { state.withLock { $0.entries } }

  func response(_ key: String, now: Date) throws -> HTTPCacheEntry? {
    try with {
      $0.loads += 1
      return $0.entries[key]
    }
  }

  func store(_ key: String, _ response: HTTPCacheEntry, now: Date) throws -> Bool {
    try with {
      $0.stores += 1
      $0.entries[key] = response
      return true
    }
  }

  func touchValidated(_ key: String, at time: Date, headers: [(name: String, value: String)]) throws -> Bool {
    try with {
      $0.validations += 1
      $0.entries[key]?.validatedAt = time
      $0.entries[key]?.headers = headers
      return $0.entries[key] != nil
    }
  }

  func removeResponse(_ key: String) throws { try with { $0.entries[key] = nil } }

  func removeResponses(beginningWith beginning: String) throws {
    try with { $0.entries = $0.entries.filter { !$0.key.hasPrefix(beginning) } }
  }
}

/// Budgets in memory that count what is done to them.
final class MemoryBudgets: RateBudgetStorage {
  struct State {
    var budgets: [String: RateBudget] = [:]
    var loads = 0
    var records = 0
    var isBroken = false
  }
  let state = Mutex(State())

  func budget(scope: String) throws -> RateBudget? {
    try state.withLock { state in
      if state.isBroken { throw BrokenStorage() }
      state.loads += 1
      return state.budgets[scope]
    }
  }

  func record(scope: String, _ budget: RateBudget, now: Date) throws {
    try state.withLock { state in
      if state.isBroken { throw BrokenStorage() }
      state.records += 1
      state.budgets[scope] = budget
    }
  }
}

/// Circuits in memory that count what is done to them; one value stands for the store that processes share.
final class MemoryCircuits: CircuitStorage {
  struct State {
    var circuits: [String: Circuit] = [:]
    var loads = 0
    var changes = 0
    var isBroken = false
  }
  let state = Mutex(State())

  var all: [Circuit] { state.withLock { Array($0.circuits.values) } }
  var counts: [Int] { state.withLock { [$0.loads, $0.changes] } }

  func circuit(_ scope: String) throws -> Circuit? {
    try state.withLock { state in
      if state.isBroken { throw BrokenStorage() }
      state.loads += 1
      return state.circuits[scope]
    }
  }

  func change(_ scope: String, now: Date, _ change: (Circuit?) -> Circuit?) throws -> Circuit? {
    try state.withLock { state in
      if state.isBroken { throw BrokenStorage() }
      state.changes += 1
      state.circuits[scope] = change(state.circuits[scope])
      return state.circuits[scope]
    }
  }
}

/// A transport whose requests wait until they are released.
final class GatedTransport: Sendable {
  private struct State {
    var isOpen = false
    var sent = 0
    var cancelled = 0
  }
  private let state = Mutex(State())
  private let response: HTTPResponse

  init(_ response: HTTPResponse) { self.response = response }

  var sent: Int { state.withLock { $0.sent } }
  var cancelled: Int { state.withLock { $0.cancelled } }
  func open() { state.withLock { $0.isOpen = true } }

  /// Obeys cancellation and the request's deadline.
  var transport: HTTPTransport {
    HTTPTransport { [self] request in
      state.withLock { $0.sent += 1 }
      while !state.withLock({ $0.isOpen }) {
        do { try await Task.sleep(for: .milliseconds(2)) } catch {
          state.withLock { $0.cancelled += 1 }
          throw error
        }
        if ContinuousClock.now >= request.deadline { throw HTTPError(.timeout, "late") }
      }
      return response
    }
  }
}
