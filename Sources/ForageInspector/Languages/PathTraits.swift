/// What a path alone says about whether its file is the project's own work, as GitHub's language bar judges.
///
/// The names are facts read off github-linguist's `vendor.yml`, `documentation.yml` and `generated.rb` at
/// b45dbe9b2825a43285bcd035861be91cc0a7299e. All but a few are compared with case.
enum PathTraits {
  /// What a whole path says.
  static func of(_ path: String) -> FileTraits {
    var path = path
    return path.withUTF8 { text in
      let bytes = UnsafeRawBufferPointer(text)
      let nameStart = bytes.lastIndex(of: UInt8(ascii: "/")).map { $0 + 1 } ?? 0
      let folder = UnsafeRawBufferPointer(rebasing: bytes[..<nameStart])
      let name = UnsafeRawBufferPointer(rebasing: bytes[nameStart...])
      return directory(folder).union(file(name, in: folder))
    }
  }

  /// What the folders of a path say of all that is inside.
  ///
  /// - Parameter directory: the path of the folder, with a slash at the end; empty for the root.
  static func directory(_ directory: UnsafeRawBufferPointer) -> FileTraits {
    var traits: FileTraits = []
    var folders = FolderContext()
    var start = 0
    for at in directory.indices where directory[at] == UInt8(ascii: "/") {
      if at > start {
        traits.formUnion(
          folders.enter(UnsafeRawBufferPointer(rebasing: directory[start..<at]), isAtRoot: start == 0))
      }
      start = at + 1
    }
    return traits
  }

  /// What the last name of a path says, and the folders that matter together with the name.
  ///
  /// - Parameters:
  ///   - name: the last name.
  ///   - directory: the path of the folder, with a slash at the end; empty for the root.
  static func file(
    _ name: UnsafeRawBufferPointer, in directory: UnsafeRawBufferPointer
  ) -> FileTraits {
    var traits: FileTraits = []
    if isDocument(name) { traits.insert(.documentation) }
    if isVendored(name, in: directory) { traits.insert(.vendored) }
    if isGenerated(name, in: directory) { traits.insert(.generated) }
    return traits
  }

  /// `README`, `LICENSE.txt` and the like: a known name at the end or before a dot.
  static func isDocument(_ name: UnsafeRawBufferPointer) -> Bool {
    switch name.first {
    case UInt8(ascii: "R"), UInt8(ascii: "r"), UInt8(ascii: "L"), UInt8(ascii: "l"), UInt8(ascii: "C"),
      UInt8(ascii: "I"):
      break
    default: return false
    }
    let stem = UnsafeRawBufferPointer(rebasing: name.prefix { $0 != UInt8(ascii: ".") })
    return documents.entry(stem) != nil || stem.count != name.count && citations.entry(name) != nil
      || stem.count == name.count && citations.entry(stem) != nil
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
  /// Whether the bytes are those of a text in ASCII.
  @inline(__always)
  func equals(_ text: StaticString) -> Bool {
    count == text.utf8CodeUnitCount && hasPrefix(text)
  }

  /// Whether the bytes begin with a text in ASCII.
  @inline(__always)
  func hasPrefix(_ text: StaticString) -> Bool {
    guard count >= text.utf8CodeUnitCount else { return false }
    return text.withUTF8Buffer { text in
      for at in text.indices where self[at] != text[at] { return false }
      return true
    }
  }

  /// Whether the bytes end with a text in ASCII.
  @inline(__always)
  func hasSuffix(_ text: StaticString) -> Bool {
    guard count >= text.utf8CodeUnitCount else { return false }
    return UnsafeRawBufferPointer(rebasing: self[(count - text.utf8CodeUnitCount)...]).hasPrefix(text)
  }

  /// Whether the bytes end with a text in lowercase ASCII, their own case not heeded.
  @inline(__always)
  func hasSuffix(anyCase text: StaticString) -> Bool {
    let start = count - text.utf8CodeUnitCount
    guard start >= 0 else { return false }
    return text.withUTF8Buffer { text in
      for at in text.indices {
        let byte = self[start + at]
        if (byte &- 0x41 < 26 ? byte | 0x20 : byte) != text[at] { return false }
      }
      return true
    }
  }

  /// The bytes from an offset on; none if there are fewer.
  @inline(__always)
  func from(_ offset: Int) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(rebasing: self[Swift.min(offset, count)...])
  }

  /// Whether a text in ASCII is somewhere in the bytes.
  func contains(_ text: StaticString) -> Bool {
    let length = text.utf8CodeUnitCount
    guard length > 0, count >= length else { return length == 0 }
    return (0...(count - length)).contains { from($0).hasPrefix(text) }
  }
}
