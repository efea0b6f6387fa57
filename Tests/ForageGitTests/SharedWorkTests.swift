import Synchronization
import TestSupport
import Testing

@testable import ForageGit

@Suite struct SharedWorkTests {
  private func never() -> Bool { false }

  /// Each job is done once, by one thread or the other.
  @Test func everyJobOnce() async throws {
    let seed = propertySeed()
    var random = SeededGenerator(seed: seed)
    let repository = try await TemporaryRepository.make().open()
    for _ in 0..<50 {
      let count = Int.random(in: 0...300, using: &random)
      let portion = Int.random(in: 1...40, using: &random)
      let from = Int.random(in: 0...400, using: &random)
      let parts = try SharedWork.run(count, by: portion, from: from, in: repository, isCancelled: never) {
        (_, next, _) throws(GitError) -> [Int] in
        var done: [Int] = []
        while let range = next() { done += range }
        return done
      }
      #expect(parts.count == (count >= from ? 2 : 1), "seed \(seed)")
      #expect(parts.joined().sorted() == Array(0..<count), "seed \(seed)")
    }
  }

  /// The error of one thread stops both and is thrown, whichever it is.
  @Test(arguments: [0, 50, 99]) func errorOfOneThread(job: Int) async throws {
    let repository = try await TemporaryRepository.make().open()
    let found = code {
      _ = try SharedWork.run(100, by: 1, from: 0, in: repository, isCancelled: never) {
        (_, next, isCancelled) throws(GitError) -> Int in
        while let range = next() {
          if range.contains(job) { throw GitError(.corrupt, "job \(job)") }
          if isCancelled() { throw .cancelled }
        }
        return 0
      }
    }
    #expect(found == .corrupt)
  }

  /// A cancellation reaches the other thread, also while this one has nothing left to do.
  @Test func cancellation() async throws {
    let repository = try await TemporaryRepository.make().open()
    final class Counter: Sendable { let value = Atomic(0) }
    let taken = Counter()
    let found = code {
      func areBothTaken() -> Bool { taken.value.load(ordering: .relaxed) == 2 }
      _ = try SharedWork.run(2, by: 1, from: 0, in: repository, isCancelled: areBothTaken) {
        (_, next, isCancelled) throws(GitError) -> Int in
        while next() != nil {
          taken.value.add(1, ordering: .relaxed)
          while !isCancelled() {}
          throw .cancelled
        }
        return 0
      }
    }
    #expect(found == .cancelled)
  }
}
