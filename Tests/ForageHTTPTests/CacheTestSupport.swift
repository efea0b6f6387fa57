import ForageCore
import ForageHTTP
import Foundation
import Synchronization
import TestSupport

/// A time of day that moves only when told.
final class TestClock: Sendable {
  private let time = Mutex(Date(timeIntervalSince1970: 1_800_000_000))
  var now: Date { time.withLock { $0 } }
  func advance(_ seconds: Double) { time.withLock { $0 += seconds } }
  /// For what takes the time as a closure.
  var read: @Sendable () -> Date { { self.now } }
}

/// A time that only moves when told, for what does not depend on the time of day.
final class TestInstant: Sendable {
  private let time = Mutex(ContinuousClock.now)
  var now: ContinuousClock.Instant { time.withLock { $0 } }
  func advance(_ seconds: Double) { time.withLock { $0 += .seconds(seconds) } }
}

/// A cache in a folder of its own.
struct CacheBox {
  /// What is stored in one file.
  struct File {
    var scope: String?
    var headers: [String]
    var body: [UInt8]
  }

  let directory: TemporaryDirectory
  let clock = TestClock()
  let reports = Notes<String>()

  init() throws { directory = try TemporaryDirectory(prefix: "forage-answers") }

  var folder: String { directory.path("cache/answers") }

  /// The cache as a process sees it, whose clock is not that of the files.
  func cache() -> HTTPCache {
    HTTPCache(
      folder: folder, now: clock.read, isTrimDue: { false }, report: { [reports] in reports.add($0) })
  }

  /// The paths of all files, in the order of their names.
  var paths: [String] {
    let names = (try? FileManager.default.subpathsOfDirectory(atPath: folder)) ?? []
    return names.filter { $0.contains("/") }.sorted().map { folder + "/" + $0 }
  }

  var files: [File] {
    var files: [File] = []
    for path in paths {
      let parts = FileManager.default.contents(atPath: path)?.split(
        separator: UInt8(ascii: "\n"), maxSplits: 1, omittingEmptySubsequences: false)
      guard let parts, parts.count == 2, let head = try? JSONTree(parsing: parts[0]) else { continue }
      let headers = head["headers"]?.array ?? []
      files.append(
        File(
          scope: head["scope"]?.string, headers: headers.compactMap { $0.array?.first?.string },
          body: [UInt8](parts[1])))
    }
    return files
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
