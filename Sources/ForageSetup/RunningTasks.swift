import Synchronization

/// The tasks that run, so that they can be ended together.
package final class RunningTasks: Sendable {
  private let running = Mutex<(count: Int, tasks: [Int: Task<Void, Never>])>((0, [:]))

  /// Starts some work.
  package func start(_ work: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
    running.withLock { running in
      running.count += 1
      let number = running.count
      let task = Task { [self] in
        await work()
        self.running.withLock { $0.tasks[number] = nil }
      }
      running.tasks[number] = task
      return task
    }
  }

  /// Cancels all, and waits for their ends.
  func end() async {
    let tasks = running.withLock { $0.tasks.values.map(\.self) }
    for task in tasks { task.cancel() }
    for task in tasks { await task.value }
  }
}
