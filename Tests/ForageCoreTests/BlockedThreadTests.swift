import Dispatch
import ForageCore
import Foundation
import Synchronization
import Testing

/// Calls that block their threads, as on a locked database.
@Suite(.serialized) struct BlockedThreadTests {
  /// More than any pool has threads.
  private static let crowd = ProcessInfo.processInfo.activeProcessorCount * 2 + 2
  /// Ends what nothing else ends; a search that works does not wait for it.
  private static let patience = DispatchTimeInterval.seconds(20)

  /// Blocks threads until it is opened.
  private final class Barrier: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)

    func block() {
      if semaphore.wait(timeout: .now() + BlockedThreadTests.patience) == .success { semaphore.signal() }
    }

    func open() { semaphore.signal() }
  }

  @Test func blockedProvidersDelayNobody() async throws {
    let barrier = Barrier()
    defer { barrier.open() }
    let blocked = (0..<Self.crowd).map { number in
      ScriptedProvider.named("B\(number)", timeout: .milliseconds(200)) { _, _ in
        barrier.block()
        return SearchPage(items: repositories("late\(number)", 1))
      }
    }
    let good = ScriptedProvider.listing("Good", repositories("g", 3))
    let found = try await federated("swift", blocked + [good])
    #expect(found.items.map(\.result.id) == repositories("g", 3).map(\.id))
    #expect(
      found.outcomes.dropLast().allSatisfy { $0.state == .timeout } && found.outcomes.last?.state == .ok)
  }

  @Test func workThatIsLateIsNotWaitedFor() async throws {
    let barrier = Barrier()
    defer { barrier.open() }
    let late = try await Deadline.run(until: .now + .milliseconds(20)) {
      barrier.block()
      return 1
    }
    #expect(late == nil)
    #expect(try await Deadline.run(until: .now + .seconds(300)) { 2 } == 2)
    await #expect(throws: SearchError.self) {
      _ = try await Deadline.run(until: .now + .seconds(300)) { () throws -> Int in
        throw SearchError(.local, "broken", hint: "none")
      }
    }
  }

  @Test func cancelledWorkIsNotWaitedFor() async throws {
    let (barrier, entered) = (Barrier(), Gate())
    defer { barrier.open() }
    let task = Task {
      try await Deadline.run(until: .now + .seconds(300)) {
        entered.open()
        barrier.block()
        return 1
      }
    }
    await entered.wait()
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
  }
}
