/// Runs work on elements concurrently and passes on the results as they come; after a cancellation, none is
/// begun.
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

/// Runs the same work on every element concurrently.
///
/// - Returns: The results in the order of the elements.
@concurrent
package func concurrently<Element: Sendable, Result: Sendable>(
  _ elements: [Element], _ work: @escaping @Sendable (Element) async -> Result
) async -> [Result] {
  await withTaskGroup(of: (Int, Result).self) { group in
    for (index, element) in elements.enumerated() {
      group.addTask { (index, await work(element)) }
    }
    var results = [Result?](repeating: nil, count: elements.count)
    for await (index, result) in group { results[index] = result }
    return results.compactMap(\.self)
  }
}

/// Runs work on elements concurrently and passes on the results in the order of the elements, each as soon as
/// those before it are there.
///
/// - Parameters:
///   - elements: The elements.
///   - width: The number of elements that are worked on at once.
///   - work: The work on one element; it runs concurrently and sees the cancellation of the task.
///   - each: Receives the index of an element and its result; an error that it throws cancels the rest.
/// - Throws: What `each` throws; `CancellationError`.
package func inOrder<Element: Sendable, Value: Sendable>(
  _ elements: [Element], width: Int, work: @escaping @Sendable (Element) async -> Value,
  each: (Int, Value) throws -> Void
) async throws {
  // A single element needs no other task, which might wait for a thread.
  if elements.count == 1 {
    let value = await work(elements[0])
    try Task.checkCancellation()
    return try each(0, value)
  }
  var ready: [Int: Value] = [:]
  var next = 0
  try await asCompleted(elements, width: width, work: work) { index, value in
    try Task.checkCancellation()
    ready[index] = value
    while let value = ready.removeValue(forKey: next) {
      try each(next, value)
      next += 1
    }
  }
  if next < elements.count { try Task.checkCancellation() }
}
