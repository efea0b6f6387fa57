/// Traits of files that follow from their paths alone, as in GitHub's language statistics.
///
/// The names are from `vendor.yml`, `documentation.yml` and `generated.rb` of github-linguist at
/// b45dbe9b2825a43285bcd035861be91cc0a7299e. Nearly all are case-sensitive.
package enum PathTraits {
  /// Returns the traits that follow from a path alone, without attributes.
  ///
  /// - Parameter path: relative to the root of the repository.
  package static func of(_ path: String) -> FileTraits {
    var path = path
    return path.withUTF8 { text in
      let bytes = UnsafeRawBufferPointer(text)
      let nameStart = bytes.lastIndex(of: UInt8(ascii: "/")).map { $0 + 1 } ?? 0
      let folder = UnsafeRawBufferPointer(rebasing: bytes[..<nameStart])
      let name = UnsafeRawBufferPointer(rebasing: bytes[nameStart...])
      return directory(folder).union(file(name, in: folder))
    }
  }

  /// Returns the traits that the folders of a path give their contents.
  ///
  /// - Parameter directory: the path of the folder with a trailing slash; empty for the root.
  static func directory(_ directory: UnsafeRawBufferPointer) -> FileTraits {
    var traits: FileTraits = []
    var folders = FolderContext()
    var (parent, start) = (0, 0)
    for at in directory.indices where directory[at] == UInt8(ascii: "/") {
      let name = UnsafeRawBufferPointer(rebasing: directory[start..<at])
      let pair = UnsafeRawBufferPointer(rebasing: directory[parent..<at])
      traits.formUnion(folders.enter(name, pair: pair))
      (parent, start) = (start, at + 1)
    }
    return traits
  }

  /// Returns the traits that follow from a file's name, alone or together with its folders.
  ///
  /// - Parameters:
  ///   - name: the last component of the path.
  ///   - directory: the path of the folder with a trailing slash; empty for the root.
  static func file(
    _ name: UnsafeRawBufferPointer, in directory: UnsafeRawBufferPointer
  ) -> FileTraits {
    var traits: FileTraits = []
    if isDocument(name) { traits.insert(.documentation) }
    if isVendored(name, in: directory) { traits.insert(.vendored) }
    if isGenerated(name, in: directory) { traits.insert(.generated) }
    return traits
  }

  /// Whether a name is like `README` or `LICENSE.txt`: a known name, alone or before a dot.
  static func isDocument(_ name: UnsafeRawBufferPointer) -> Bool {
    switch name.first {
    case UInt8(ascii: "R"), UInt8(ascii: "r"), UInt8(ascii: "L"), UInt8(ascii: "l"), UInt8(ascii: "C"),
      UInt8(ascii: "I"):
      break
    default: return false
    }
    let stem = UnsafeRawBufferPointer(rebasing: name.prefix { $0 != UInt8(ascii: ".") })
    return documents.contains(stem) || citations.contains(name)
  }

  private static let documents = WordTable(
    words: """
      README Readme readme LICENSE LICENCE License Licence license licence COPYING INSTALL CONTRIBUTING
      CHANGELOG CHANGES CHANGE
      """)
  private static let citations = WordTable(
    words: """
      CITATION CITATION.cff CITATIONS CITATION.bib CITATIONS.bib CITATION.md CITATIONS.md
      """)
}

extension UnsafeRawBufferPointer {
  @inline(__always) func equals(_ text: StaticString) -> Bool {
    count == text.count && hasPrefix(text)
  }

  @inline(__always) func hasPrefix(_ text: StaticString) -> Bool {
    guard count >= text.count else { return false }
    return text.withUTF8Buffer { text in
      for at in text.indices where self[at] != text[at] { return false }
      return true
    }
  }

  @inline(__always) func hasSuffix(_ text: StaticString) -> Bool {
    guard count >= text.count else { return false }
    return UnsafeRawBufferPointer(rebasing: self[(count - text.count)...]).hasPrefix(text)
  }

  /// Whether the bytes end with a lowercase ASCII text, in any case.
  @inline(__always) func hasSuffix(anyCase text: StaticString) -> Bool {
    let start = count - text.count
    guard start >= 0 else { return false }
    return text.withUTF8Buffer { text in
      for at in text.indices {
        let byte = self[start + at]
        if (byte &- 0x41 < 26 ? byte | 0x20 : byte) != text[at] { return false }
      }
      return true
    }
  }

  /// Returns the bytes from an offset on; empty if there are fewer.
  @inline(__always) func from(_ offset: Int) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(rebasing: self[Swift.min(offset, count)...])
  }
}
