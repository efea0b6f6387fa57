/// The text and location of a `.gitattributes` file.
package struct GitAttributesFile: Sendable, Equatable {
  /// The directory of the file relative to the root, with `/` between components; "" is the root.
  package let directory: String
  /// The contents of the file.
  package let text: String

  /// Creates a file; slashes around `directory` are ignored.
  package init(directory: String, text: String) {
    self.directory = directory
    self.text = text
  }
}
