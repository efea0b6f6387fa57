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
