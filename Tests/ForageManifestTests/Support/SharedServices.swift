import ForageCore
import ForageHTTP
import Foundation
import Synchronization
import TestSupport

/// What requests share, with a cache in a folder of its own.
final class SharedServices: Sendable {
  private let directory: TemporaryDirectory
  private let budgets = RateBudgets()
  private let breaker = CircuitBreaker()
  /// Seconds by which the cache's clock is ahead.
  private let offset = Mutex(0.0)

  init() throws { directory = try TemporaryDirectory(prefix: "forage-answers") }

  func services(_ mode: CacheMode = .normal) -> HTTPServices {
    let cache = HTTPCache(
      folder: directory.path("answers"), now: { Date().addingTimeInterval(self.offset.withLock { $0 }) },
      isTrimDue: { false })
    return HTTPServices(cache: cache, mode: mode, budgets: budgets, breaker: breaker)
  }

  /// Makes every answer of the cache older.
  func age(seconds: Double) { offset.withLock { $0 += seconds } }

  /// The texts of the stored files.
  var stored: [String] {
    let names = (try? FileManager.default.subpathsOfDirectory(atPath: directory.path)) ?? []
    return names.compactMap { FileManager.default.contents(atPath: directory.path($0)) }.map {
      String(decoding: $0, as: UTF8.self)
    }
  }
}

/// A value that several share.
final class Mutexed<Value: Sendable>: Sendable {
  let value: Mutex<Value>

  init(_ value: sending Value) { self.value = Mutex(value) }
}
