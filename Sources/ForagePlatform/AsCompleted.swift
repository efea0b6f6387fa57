/// Runs work on elements concurrently and passes on the results as they come; after a cancellation, none is begun.
///
/// - Parameters:
///   - elements: The elements.
///   - width: The number of elements that are worked on at once.
///   - work: The work on one element; it runs concurrently and sees the cancellation of the task.
///   - each: Receives the index of an element and its result.
/// - Throws: What `work` and `each` throw, which cancels the rest.
package func asCompleted<Element: Sendable, Value: Sendable>(
  _ elements: [Element], width: Int, work: @escaping @Sendable (Element) async throws -> Value,
  each: (Int, Value) throws -> Void
) async throws {
  try await withThrowingTaskGroup(of: (Int, Value).self) { group in
    var started = 0
    func start() {
      guard started < elements.count, !Task.isCancelled else { return }
      let (index, element) = (started, elements[started])
      group.addTask { (index, try await work(element)) }
      started += 1
    }
    for _ in 0..<max(1, width) { start() }
    while let (index, value) = try await group.next() {
      start()
      try each(index, value)
    }
  }
}
