/// A priority queue of commits, newest first; equal dates keep their order of insertion, as in git's sorted
/// list.
struct DateQueue<Date: Comparable> {
  private struct Item {
    let date: Date
    let order: Int
    let number: Int
  }

  private var heap: [Item] = []
  private var pushed = 0

  var isEmpty: Bool { heap.isEmpty }

  func allSatisfy(_ predicate: (Int) -> Bool) -> Bool {
    heap.allSatisfy { predicate($0.number) }
  }

  var nextDate: Date? { heap.first?.date }

  mutating func push(_ number: Int, date: Date) {
    heap.append(Item(date: date, order: pushed, number: number))
    pushed += 1
    var child = heap.count - 1
    while child > 0 {
      let parent = (child - 1) / 2
      guard precedes(child, parent) else { break }
      heap.swapAt(child, parent)
      child = parent
    }
  }

  mutating func pop() -> Int? {
    guard let first = heap.first else { return nil }
    let last = heap.removeLast()
    guard !heap.isEmpty else { return first.number }
    heap[0] = last
    var parent = 0
    while true {
      var child = 2 * parent + 1
      guard child < heap.count else { break }
      if child + 1 < heap.count, precedes(child + 1, child) { child += 1 }
      guard precedes(child, parent) else { break }
      heap.swapAt(child, parent)
      parent = child
    }
    return first.number
  }

  private func precedes(_ left: Int, _ right: Int) -> Bool {
    let (a, b) = (heap[left], heap[right])
    return a.date != b.date ? a.date > b.date : a.order < b.order
  }
}
