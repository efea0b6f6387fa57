/// The maximum lengths of the texts of a result, in bytes of UTF-8.
package enum ItemLimits {
  /// An id, a title, a description, a name: all are shorter than a screen.
  package static let title = 4 << 10
  /// An address: browsers and servers accept no longer ones.
  package static let address = 8 << 10
  /// Any other text: the text of an issue has at most 64 KiB on the forges.
  package static let text = 64 << 10

  /// The text of a field: only a few hold what a person wrote at length, and a list has thousands of items.
  package static func length(of field: ResultField) -> Int {
    ["text", "body", "message", "readme"].contains(field.rawValue) ? text : title
  }

  /// A text cut to a length in bytes, with an ellipsis; `nil` if it is short enough.
  package static func cut(_ text: String, to limit: Int) -> String? {
    guard text.utf8.count > limit else { return nil }
    var end = text.utf8.index(text.startIndex, offsetBy: limit)
    while end.samePosition(in: text.unicodeScalars) == nil { end = text.utf8.index(before: end) }
    return String(text[..<end]) + "…"
  }
}
