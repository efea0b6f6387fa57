import ForageFoundation

/// Facts about a repository that forges tell in documents of their own.
package enum RepositoryFacts {
  /// The maximum number of languages to read, above that of any repository.
  private static let maximumLanguages = 500
  /// The maximum size of a text, in bytes.
  package static let maximumText = 1 << 20

  /// The languages with their shares, the largest first, from an object of numbers by name.
  ///
  /// - Parameter areBytes: Whether the numbers are bytes; otherwise only shares, for example per cent.
  /// - Returns: Empty for a repository without languages; `nil` for another document.
  package static func languages(_ tree: JSONTree, areBytes: Bool = true) -> [FieldValue]? {
    guard let numbers = tree.object?.compactMapValues({ $0.number.flatMap { $0 > 0 ? $0 : nil } }) else {
      return nil
    }
    let sorted = numbers.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(maximumLanguages)
    let total = sorted.reduce(0) { $0 + $1.value }
    return sorted.map { name, number in
      var members: [String: FieldValue] = ["name": .text(name), "share": .fraction(number / total)]
      if areBytes { members["bytes"] = Int(exactly: number).map(FieldValue.number) }
      return .record(members)
    }
  }

  /// The bytes of a text in Base64, which forges break into lines; `nil` for any other text.
  package static func bytes(base64 text: String) -> [UInt8]? {
    Data(base64Encoded: text, options: .ignoreUnknownCharacters).map([UInt8].init)
  }

  /// The text of a file, cut after its last complete line above the limit; `nil` if it is not UTF-8 text.
  package static func text(_ bytes: [UInt8]) -> String? {
    var bytes = bytes
    if bytes.count > maximumText {
      bytes = Array(bytes.prefix(maximumText))
      if let end = bytes.lastIndex(of: UInt8(ascii: "\n")) { bytes.removeSubrange((end + 1)...) }
    }
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes.removeFirst(3) }
    return bytes.contains(0) ? nil : String(validating: bytes, as: UTF8.self)
  }
}
