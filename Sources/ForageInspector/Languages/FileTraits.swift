/// Why a file may be not the project's own work.
package struct FileTraits: OptionSet, Sendable, Hashable {
  package let rawValue: UInt8

  /// Makes traits of bits.
  package init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  /// Others wrote it.
  package static let vendored = FileTraits(rawValue: 1)
  /// A program wrote it.
  package static let generated = FileTraits(rawValue: 2)
  /// It is about the project.
  package static let documentation = FileTraits(rawValue: 4)
}
