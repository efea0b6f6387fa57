package import ForageCore

/// The definitions of one file.
package struct FileOutline: Sendable {
  /// The language; `nil` if it is not known.
  package let language: String?
  /// Whether it is known what files of the language define.
  package let isKnown: Bool
  /// The definitions in their order, as values of ``ResultField/symbols``; empty where nothing is known of
  /// the language.
  package let symbols: [FieldValue]

  /// Reads the definitions of a file.
  ///
  /// - Parameters:
  ///   - path: The path or name, by which the language is told, with the text where the name does not decide.
  ///   - text: The whole text.
  package init(path: String, text: String) {
    var text = text
    (language, isKnown, symbols) = text.withUTF8 { bytes in
      var classifier = FileClassifier()
      let prefix = bytes.prefix(Self.prefixLimit)
      let language = classifier.classify(path, size: bytes.count, content: { Array(prefix) }).language
      let names = CodeNames(of: language, in: UnsafeRawBufferPointer(bytes), Definitions())
      return (language, names != nil, names?.symbols.map(\.value) ?? [])
    }
  }

  /// The languages of which it is known what is code, in the order of their names.
  package static var languages: [String] {
    Outline.languages.sorted { $0.lowercased() < $1.lowercased() }
  }

  /// The bytes of a file that may decide its language.
  private static let prefixLimit = 64 << 10
}
