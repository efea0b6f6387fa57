/// The text of one `.gitattributes` file and where in the repository it lies.
package struct GitAttributesFile: Sendable, Equatable {
  /// The directory of the file relative to the root, with `/` between names; "" is the root.
  package let directory: String
  /// The contents of the file.
  package let text: String

  /// Makes a file; slashes around `directory` are ignored.
  package init(directory: String, text: String) {
    self.directory = directory
    self.text = text
  }
}
