/// A cache for facts that depend only on `HEAD`'s commit.
///
/// The inspector chooses keys and values, and validates what the cache returns.
package struct InspectionMemory: Sendable {
  /// Returns the value for a key; nil if there is none.
  package var recall: @Sendable (_ key: String) -> [UInt8]?
  /// Stores a value; a failure only means that the next inspection computes it again.
  package var keep: @Sendable (_ key: String, _ facts: [UInt8]) -> Void

  /// Creates a cache from two functions, which may be called from several threads.
  package init(
    recall: @escaping @Sendable (_ key: String) -> [UInt8]?,
    keep: @escaping @Sendable (_ key: String, _ facts: [UInt8]) -> Void
  ) {
    self.recall = recall
    self.keep = keep
  }
}
