/// What a loopback server does in answer to one request, byte for byte.
///
/// After the last step the connection is kept for the next request, unless the client asked to close it.
public struct ScriptedResponse: Sendable {
  /// One step of an answer.
  public enum Step: Sendable {
    /// Write these bytes and wait until the socket took them.
    case bytes([UInt8])
    /// Write nothing for so long.
    case delay(milliseconds: Int)
    /// Write nothing until the condition holds, for a minute at most.
    case wait(until: @Sendable () -> Bool)
    /// Write these bytes so many times, as fast as the client reads, without holding them all in memory.
    case `repeat`([UInt8], times: Int)
    /// Close the connection now, in the middle of whatever was promised.
    case closeConnection
    /// Do nothing until the client closes the connection or the server stops.
    case hang
  }

  /// Name and value of a header, in the order in which they are written.
  public typealias Header = (name: String, value: String)

  /// The steps in their order.
  public var steps: [Step]

  /// Makes an answer of any steps.
  public init(_ steps: [Step]) { self.steps = steps }

  /// Head and body with a correct `Content-Length`; no length where HTTP forbids it (1xx, 204, 304).
  ///
  /// - Parameters:
  ///   - status: any status code.
  ///   - headers: written as they are, before the length; a `Content-Length` among them replaces it.
  ///   - body: the body's bytes.
  public static func response(status: Int, headers: [Header] = [], body: [UInt8] = []) -> Self {
    Self([.bytes(head(status: status, headers: headers, length: body.count) + body)])
  }

  /// A JSON text.
  public static func json(status: Int = 200, headers: [Header] = [], body: String) -> Self {
    response(
      status: status, headers: [("Content-Type", "application/json; charset=utf-8")] + headers,
      body: Array(body.utf8))
  }

  /// A plain text.
  public static func text(status: Int = 200, headers: [Header] = [], _ body: String) -> Self {
    response(
      status: status, headers: [("Content-Type", "text/plain; charset=utf-8")] + headers,
      body: Array(body.utf8))
  }

  /// An HTML page.
  public static func html(status: Int = 200, headers: [Header] = [], _ body: String) -> Self {
    response(
      status: status, headers: [("Content-Type", "text/html; charset=utf-8")] + headers,
      body: Array(body.utf8))
  }

  /// The full length is promised, only the first bytes come, then the connection closes.
  public static func truncated(_ json: String, keep count: Int, headers: [Header] = []) -> Self {
    let body = Array(json.utf8)
    let start = head(
      status: 200, headers: [("Content-Type", "application/json; charset=utf-8")] + headers,
      length: body.count)
    return Self([.bytes(start + body.prefix(count)), .closeConnection])
  }

  /// Head at once, then the body one byte at a time.
  public static func drip(
    _ body: String, everyMilliseconds pause: Int = 50, status: Int = 200, headers: [Header] = []
  ) -> Self {
    let bytes = Array(body.utf8)
    let start = head(
      status: status, headers: [("Content-Type", "application/json; charset=utf-8")] + headers,
      length: bytes.count)
    return Self([.bytes(start)] + bytes.flatMap { [.delay(milliseconds: pause), .bytes([$0])] })
  }

  /// Close without a byte.
  public static var empty: Self { Self([.closeConnection]) }

  /// Never answer.
  public static var hang: Self { Self([.hang]) }

  /// A redirect with an empty body.
  public static func redirect(to location: String, status: Int = 302) -> Self {
    response(status: status, headers: [("Location", location)])
  }

  /// A status without a body.
  public static func status(_ code: Int, headers: [Header] = []) -> Self {
    response(status: code, headers: headers)
  }

  /// Status line, headers, length and the empty line.
  ///
  /// - Parameter length: the promised length; nil: none is written (the body must then be chunked or end with
  ///   the connection).
  public static func head(status: Int, headers: [Header], length: Int?) -> [UInt8] {
    var text = "HTTP/1.1 \(status) \(reason(status))\r\n"
    for header in headers { text += "\(header.name): \(header.value)\r\n" }
    let given = headers.contains { $0.name.lowercased() == "content-length" }
    if let length, !given, status >= 200, status != 204, status != 304 {
      text += "Content-Length: \(length)\r\n"
    }
    return Array((text + "\r\n").utf8)
  }

  /// The same answer after a pause.
  public func delayed(milliseconds: Int) -> Self { Self([.delay(milliseconds: milliseconds)] + steps) }

  /// The same answer, after which the connection closes.
  public func thenClose() -> Self { Self(steps + [.closeConnection]) }

  /// The usual words for a status (RFC 9110, section 15).
  private static func reason(_ status: Int) -> String {
    let words = [
      200: "OK", 201: "Created", 202: "Accepted", 204: "No Content", 206: "Partial Content",
      301: "Moved Permanently", 302: "Found", 303: "See Other", 304: "Not Modified",
      307: "Temporary Redirect",
      308: "Permanent Redirect", 400: "Bad Request", 401: "Unauthorized", 403: "Forbidden", 404: "Not Found",
      405: "Method Not Allowed", 406: "Not Acceptable", 408: "Request Timeout", 409: "Conflict", 410: "Gone",
      413: "Content Too Large", 415: "Unsupported Media Type", 422: "Unprocessable Entity",
      429: "Too Many Requests", 451: "Unavailable For Legal Reasons", 500: "Internal Server Error",
      501: "Not Implemented", 502: "Bad Gateway", 503: "Service Unavailable", 504: "Gateway Timeout",
    ]
    return words[status] ?? "Status \(status)"
  }
}
