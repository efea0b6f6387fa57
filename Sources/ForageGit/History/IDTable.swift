/// Dense numbers of object ids, in the order in which they are added.
struct IDTable: Sendable {
  /// The ids by number.
  private(set) var ids: [ObjectID] = []
  private var numbers: [ObjectID: Int32] = [:]

  /// Returns the number of an id; nil if it was not inserted.
  func number(of id: ObjectID) -> Int32? { numbers[id] }

  /// Returns the number of an id, and adds it if it is new.
  @inline(__always)
  mutating func insert(_ id: ObjectID) -> (number: Int32, isNew: Bool) {
    if let known = numbers[id] { return (known, false) }
    let number = append(id)
    numbers[id] = number
    return (number, true)
  }

  /// Assigns a number to a new id that ``number(of:)`` need not find.
  @inline(__always)
  mutating func append(_ id: ObjectID) -> Int32 {
    ids.append(id)
    return Int32(truncatingIfNeeded: ids.count - 1)
  }
}
