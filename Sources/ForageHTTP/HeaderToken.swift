import ForageCore

/// The form of a text that may be sent as a token, of every forge and API.
package enum HeaderToken {
  /// The token in a text, trimmed; `nil` for an empty text, and for one that a field of a header cannot hold
  /// as one word.
  ///
  /// - Parameter hasWords: Whether spaces may stand within it.
  package static func usable(_ text: String?, hasWords: Bool = false) -> String? {
    let token = text?.trimmingWhitespace() ?? ""
    let isValid = token.utf8.allSatisfy { $0 > 32 && $0 < 127 || hasWords && $0 == 32 }
    return !token.isEmpty && isValid ? token : nil
  }

  /// The words about a source whose text is none.
  package static let fault = "is not a token: it has spaces or characters that are not ASCII"

  /// The advice about such a source.
  package static func advice(_ source: String) -> String {
    "set \(source) to the token alone, without a word such as Bearer"
  }
}
