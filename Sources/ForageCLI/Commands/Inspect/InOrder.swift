/// Does the same with every element, a few at a time, and hands on the results in the order of the elements, each as soon as those
/// before it are there.
///
/// - Parameters:
///   - elements: What to work on.
///   - width: How many are in work at once.
///   - work: Runs at the same time as others; sees the cancellation of the task.
///   - each: Gets the place of an element and its result; what it throws ends everything.
/// - Throws: What `each` throws; `CancellationError`.
func inOrder<Element: Sendable, Value: Sendable>(
  _ elements: [Element], width: Int, work: @escaping @Sendable (Element) async -> Value,
  each: (Int, Value) throws -> Void
) async throws {
  // Alone it needs no task of its own, which may wait for another thread.
  if elements.count == 1 {
    let value = await work(elements[0])
    try Task.checkCancellation()
    return try each(0, value)
  }
  try await withThrowingTaskGroup(of: (Int, Value).self) { group in
    var ready: [Int: Value] = [:]
    var next = 0
    var started = 0
    func start() {
      guard started < elements.count else { return }
      let (index, element) = (started, elements[started])
      group.addTask { (index, await work(element)) }
      started += 1
    }
    for _ in 0..<max(1, width) { start() }
    while let (index, value) = try await group.next() {
      try Task.checkCancellation()
      start()
      guard index == next else {
        ready[index] = value
        continue
      }
      try each(next, value)
      next += 1
      while !ready.isEmpty, let value = ready.removeValue(forKey: next) {
        try each(next, value)
        next += 1
      }
    }
  }
}
