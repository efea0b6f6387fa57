/// Where facts that depend on nothing but `HEAD`'s commit are kept between runs.
///
/// The inspector decides what is kept under which key; what comes back is checked before it is used.
package struct InspectionMemory: Sendable {
  /// What was kept under a key; nil when there is nothing.
  package var recall: @Sendable (_ key: String) -> [UInt8]?
  /// Keeps facts under a key; a failure costs the next run its time and nothing else.
  package var keep: @Sendable (_ key: String, _ facts: [UInt8]) -> Void

  /// Makes a memory of two functions that may be called from several threads.
  package init(
    recall: @escaping @Sendable (_ key: String) -> [UInt8]?,
    keep: @escaping @Sendable (_ key: String, _ facts: [UInt8]) -> Void
  ) {
    self.recall = recall
    self.keep = keep
  }
}
