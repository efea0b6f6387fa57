/// The body of an error response.
struct ErrorResponse: Decodable {
  struct Detail: Decodable {
    var text: String

    /// Decodes `{"message": …}`, `{"resource", "field", "code"}` or a plain string.
    init(from decoder: any Decoder) throws {
      if let plain = try? decoder.singleValueContainer().decode(String.self) {
        text = plain
        return
      }
      let object = try AnswerObject(from: decoder)
      text =
        object.text("message")
        ?? ["resource", "field", "code"].compactMap { object.text($0) }.joined(separator: " ")
    }
  }

  var message: String?
  var error: String?
  var errors: [Lenient<Detail>]?

  init(from decoder: any Decoder) throws {
    let object = try AnswerObject(from: decoder)
    message = object.text("message")
    error = object.text("error")
    errors = try? object.list("errors", upTo: Self.maximumDetails)
  }

  /// The maximum number of details to decode.
  private static let maximumDetails = 20
}
