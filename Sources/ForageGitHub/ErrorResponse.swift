import ForageCore

/// The body of an error response.
struct ErrorResponse {
  var message: String?
  var error: String?
  /// The reasons: `{"message": …}`, `{"resource", "field", "code"}` or plain strings.
  var details: [String]

  /// The maximum number of details to read.
  private static let maximumDetails = 20

  /// Reads a body; `nil` if it is not a JSON object.
  init?(_ body: [UInt8]) {
    guard let object = AnswerObject(try? JSONTree(parsing: body)) else { return nil }
    message = object.text("message")
    error = object.text("error")
    details = (object.values("errors", upTo: Self.maximumDetails) ?? []).compactMap { tree in
      guard let detail = AnswerObject(tree) else { return tree.string }
      return detail.text("message")
        ?? ["resource", "field", "code"].compactMap { detail.text($0) }.joined(separator: " ")
    }
  }
}
