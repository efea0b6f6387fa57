import Foundation

/// Lets only a few programs run at once, so that time limits mean the same on a small machine.
actor Gate {
  /// As many as there are processors, at least two.
  static let shared = Gate(ProcessInfo.processInfo.activeProcessorCount)

  private var free: Int
  private var waiting: [CheckedContinuation<Void, Never>] = []

  init(_ places: Int) { free = max(2, places) }

  /// Runs a body when there is a place.
  nonisolated func run<Result>(_ body: () async throws -> Result) async rethrows -> Result {
    await enter()
    do {
      let result = try await body()
      await leave()
      return result
    } catch {
      await leave()
      throw error
    }
  }

  private func enter() async {
    if free > 0 {
      free -= 1
    } else {
      await withCheckedContinuation { waiting.append($0) }
    }
  }

  private func leave() {
    if waiting.isEmpty { free += 1 } else { waiting.removeFirst().resume() }
  }
}
