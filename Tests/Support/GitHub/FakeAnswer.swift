/// An answer with its parts apart, so that a fault can damage one of them.
struct FakeAnswer {
  var status: Int
  var headers: [ScriptedResponse.Header]
  var body: [UInt8]

  init(status: Int, headers: [ScriptedResponse.Header] = [], json: FakeJSON?) {
    self.status = status
    self.headers = headers
    body = json?.bytes ?? []
  }

  /// GitHub's usual error body.
  static func error(
    _ status: Int, _ message: String, headers: [ScriptedResponse.Header] = [], errors: [FakeJSON] = [],
    documentation: String = "https://docs.github.com/rest"
  ) -> FakeAnswer {
    var members: [FakeJSON.Member] = [.init(name: "message", value: .string(message))]
    if !errors.isEmpty { members.append(.init(name: "errors", value: .array(errors))) }
    members.append(.init(name: "documentation_url", value: .string(documentation)))
    members.append(.init(name: "status", value: .string(String(status))))
    return FakeAnswer(status: status, headers: headers, json: .object(members))
  }

  static var notFound: FakeAnswer { error(404, "Not Found") }

  /// Puts further headers before the answer's own.
  func with(_ more: [ScriptedResponse.Header]) -> FakeAnswer {
    var copy = self
    copy.headers = more + headers
    return copy
  }

  /// The whole answer with a correct length; the length only, when only the head was asked for.
  func scripted(headOnly: Bool = false) -> ScriptedResponse {
    let head = ScriptedResponse.head(status: status, headers: headers, length: body.count)
    return ScriptedResponse([.bytes(headOnly ? head : head + body)])
  }
}
