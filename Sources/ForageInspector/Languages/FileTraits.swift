/// Reasons why a file may not be the project's own work, as in github-linguist.
package struct FileTraits: OptionSet, Sendable, Hashable {
  package let rawValue: UInt8

  /// Creates traits from a raw value.
  package init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  /// Third-party code (`linguist-vendored`).
  package static let vendored = FileTraits(rawValue: 1)
  /// Written by a program (`linguist-generated`).
  package static let generated = FileTraits(rawValue: 2)
  /// About the project (`linguist-documentation`).
  package static let documentation = FileTraits(rawValue: 4)
}
