import ForageFoundation

/// Base64 (RFC 4648).
enum Base64 {
  /// Decodes a text in the standard (section 4) or URL-safe alphabet (section 5), with or without padding;
  /// `nil` if it is invalid.
  static func decode(_ text: String) -> [UInt8]? {
    var digits = text.replacing("-", with: "+").replacing("_", with: "/")
    while digits.hasSuffix("=") { digits.removeLast() }
    digits += String(repeating: "=", count: (4 - digits.utf8.count % 4) % 4)
    return Data(base64Encoded: digits).map(Array.init)
  }

  /// Encodes bytes in the URL-safe alphabet (section 5), without padding.
  static func encode(_ bytes: [UInt8]) -> String {
    Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing(
      "=", with: "")
  }
}
