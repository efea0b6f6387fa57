/// The path of a file as text: itself, or, if it is not UTF-8, the address `file:///...` with its bytes in
/// percent-encodings.
package enum FilePathText {
  private static let scheme = "file://"

  /// The text of an absolute path.
  package static func text(_ path: [UInt8]) -> String {
    let text = String(decoding: path, as: UTF8.self)
    return text.utf8.elementsEqual(path) ? text : scheme + PercentEncoding.encodePath(bytes: path)
  }

  /// The address of the file that a text stands for.
  package static func address(_ text: String) -> String {
    text.hasPrefix(scheme) ? text : scheme + PercentEncoding.encodePath(text)
  }

  /// The bytes of a path that is not UTF-8; `nil` for any other text.
  package static func bytes(_ text: String) -> [UInt8]? {
    text.hasPrefix(scheme) ? PercentEncoding.decodedBytes(text.dropFirst(scheme.count)) : nil
  }
}
