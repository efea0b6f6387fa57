import Dispatch
import Forage
import ForageCore
import Synchronization

/// Writes results as they arrive, one JSON object a line.
final class ArrivalStream: Sendable {
  private struct State {
    var seen: Set<String> = []
    var left: Int
    var failure: (any Error)?
    var cancel: (@Sendable () -> Void)?
  }

  private let annotation: ResultAnnotation
  private let output: Output
  private let state: Mutex<State>
  /// Writes the lines, in order; a reader that does not read stops no provider.
  private let writer = DispatchQueue(label: "forage.arrivals")

  /// - Parameter limit: How many results are written at most.
  init(limit: Int, annotation: ResultAnnotation, output: Output) {
    self.annotation = annotation
    self.output = output
    state = Mutex(State(left: limit))
  }

  /// Why writing has ended early, a closed pipe for example.
  var failure: (any Error)? { state.withLock { $0.failure } }

  /// Follows the events of a search.
  var observer: @Sendable (SearchEvent) -> Void {
    { [self] event in
      if case .found(let outcome, let items) = event { write(items, from: outcome.id) }
    }
  }

  /// Sets what is called when results can no longer be written.
  func onFailure(_ cancel: @escaping @Sendable () -> Void) {
    let hasFailed = state.withLock { state in
      state.cancel = cancel
      return state.failure != nil
    }
    if hasFailed { cancel() }
  }

  /// Waits until everything is written.
  func flush() { writer.sync {} }

  private func write(_ items: [SearchResult], from provider: String) {
    var items = items
    annotation.annotate(&items)
    // The queue takes the lines in the order in which they count.
    state.withLock { state in
      for item in items where state.left > 0 && state.failure == nil {
        // An entity is written once, whatever its name.
        let names =
          [item.kind.rawValue + " " + item.id] + (item.forgeID.map { [item.kind.rawValue + " #" + $0] } ?? [])
        guard names.allSatisfy({ !state.seen.contains($0) }) else { continue }
        state.seen.formUnion(names)
        state.left -= 1
        writer.async { [self] in write(item, from: provider) }
      }
    }
  }

  /// Writes a line, unless writing has ended early.
  private func write(_ item: SearchResult, from provider: String) {
    guard failure == nil else { return }
    do {
      try output.result(verbatim: SearchJSON.arrival(item, from: provider).text())
    } catch {
      let cancel = state.withLock { state in
        state.failure = error
        return state.cancel
      }
      // There is no reader any more, so the search can end.
      cancel?()
    }
  }
}

extension ArrivalStream? {
  /// Does some work, which is cancelled when the results can no longer be written.
  func cancelling<Value: Sendable>(_ work: @escaping @Sendable () async throws -> Value) async throws -> Value
  {
    guard let self else { return try await work() }
    let task = OwnThreadExecutor.task { try await work() }
    self.onFailure { task.cancel() }
    return try await withTaskCancellationHandler {
      try await task.value
    } onCancel: {
      task.cancel()
    }
  }
}
