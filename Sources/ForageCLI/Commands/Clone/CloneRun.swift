import Forage
import ForageCore
import ForageGit
import ForageLocal
import ForageStore

/// Clones several repositories concurrently, writes the result of each, and adds the clones to the catalogue.
struct CloneRun: Sendable {
  /// How many are cloned at once.
  private static let width = 4

  let context: Context
  let git: GitClone
  let places: ClonePlaces
  /// The registered folder of the clones and the catalogue; `nil` where it cannot be written.
  let catalogue: CloneCommand.Catalogue?
  let report: CloneReport
  let progress: CloneProgress

  /// Carries out plans.
  ///
  /// - Returns: The results in the order of the plans; after an interruption those that are there.
  /// - Throws: What writing throws.
  func run(_ plans: [(source: CloneSource, plan: ClonePlaces.Plan)]) async throws -> [CloneResult] {
    defer { progress.finish() }
    return try await withThrowingTaskGroup(of: (Int, CloneResult)?.self) { group in
      var results: [Int: CloneResult] = [:]
      var next = 0
      func start() {
        guard next < plans.count, !Task.isCancelled else { return }
        let (index, (source, plan)) = (next, plans[next])
        next += 1
        group.addTask { await carryOut(plan, source).map { (index, $0) } }
      }
      for _ in 0..<Self.width { start() }
      while let ended = try await group.next() {
        start()
        guard let (index, result) = ended else { continue }
        results[index] = result
        progress.end(result.source.title)
        try report.write(result)
      }
      return results.sorted { $0.key < $1.key }.map(\.value)
    }
  }

  /// - Returns: `nil` after an interruption.
  private func carryOut(_ plan: ClonePlaces.Plan, _ source: CloneSource) async -> CloneResult? {
    switch plan {
    case .blocked(let path, let error):
      return CloneResult(source: source, state: .failed, path: path, error: error)
    case .present(let path, let isKnown):
      if !isKnown { await add(path) }
      return CloneResult(source: source, state: .present, path: path)
    case .missing(let path):
      do {
        try await git.run(source, into: path) { progress.begin(source.title, messages: $0) }
      } catch let error as ForageError {
        // Another process may have made the clone meanwhile.
        if case .present? = try? await places.plan(source, path) {
          return CloneResult(source: source, state: .present, path: path)
        }
        return CloneResult(source: source, state: .failed, path: path, error: error)
      } catch {
        return nil
      }
      await add(path)
      return CloneResult(source: source, state: .cloned, path: path)
    }
  }

  /// Adds a clone to the catalogue; a scan finds one that cannot be added now.
  private func add(_ path: String) async {
    guard let catalogue else { return }
    do {
      try await catalogue.add(path)
    } catch let error as StoreError {
      context.services.warnOnce(
        "clones could not be added to the catalogue: " + error.message, hint: error.hint)
    } catch {
      // Interrupted: the next scan finds the clone.
    }
  }
}
