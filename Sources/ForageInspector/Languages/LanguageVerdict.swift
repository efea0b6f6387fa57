/// What language a file is in.
package struct LanguageVerdict: Sendable, Equatable {
  /// The name under which the file's bytes are counted: the language's group, or else the language.
  package let name: String
  /// Whether the file counts in the languages of its repository.
  package let counts: Bool

  /// Makes a verdict.
  package init(name: String, counts: Bool) {
    self.name = name
    self.counts = counts
  }
}
