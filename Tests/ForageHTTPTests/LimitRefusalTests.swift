import ForageCore
import ForageHTTP
import Foundation
import TestSupport
import Testing

/// What a refusal says, and by which clock.
@Suite struct LimitRefusalTests {
  /// An answer, and what it is read as; `nil` for no limit.
  struct Case: Sendable, CustomTestStringConvertible {
    var status = 403
    var headers: [String: String] = [:]
    var message = ""
    /// Whether it is a secondary limit; nil: no limit at all.
    var isSecondary: Bool?
    /// Seconds from now to its end; nil: no time is told.
    var end: Double?

    var testDescription: String { "\(status) \(headers.sorted { $0.key < $1.key }) \(message)" }
  }

  /// 2026-01-01 00:00:00 UTC.
  static let now = Date(timeIntervalSince1970: 1_767_225_600)
  private static let secondary = "You have exceeded a secondary rate limit."

  /// A spent window that ends so many seconds from now.
  private static func spent(_ seconds: Int, adding more: [String: String] = [:]) -> [String: String] {
    let reset = String(1_767_225_600 + seconds)
    return ["X-RateLimit-Remaining": "0", "X-RateLimit-Reset": reset].merging(more) { $1 }
  }

  static let cases = [
    Case(status: 200, headers: spent(60)),
    Case(status: 503, headers: ["Retry-After": "5"]),
    Case(message: "Resource not accessible by personal access token"),
    Case(headers: ["X-RateLimit-Remaining": "7"], message: "Must have admin rights"),
    Case(headers: spent(60), isSecondary: false, end: 60),
    Case(status: 429, headers: spent(60), isSecondary: false, end: 60),
    Case(headers: spent(60), message: secondary, isSecondary: true, end: 60),
    Case(headers: spent(60, adding: ["Retry-After": "5"]), isSecondary: false, end: 5),
    // A window that is over, or never ends, is none; so is no number at all.
    Case(headers: spent(0), isSecondary: false),
    Case(headers: spent(-3600), isSecondary: false),
    Case(headers: spent(86_401), isSecondary: false),
    Case(headers: ["X-RateLimit-Remaining": "0"], isSecondary: false),
    Case(headers: ["X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "soon"], isSecondary: false),
    Case(message: "API rate limit exceeded for 192.0.2.1.", isSecondary: false),
    Case(message: secondary, isSecondary: true),
    Case(message: "You have triggered an abuse detection mechanism.", isSecondary: true),
    Case(status: 429, isSecondary: true),
    Case(status: 429, headers: ["Retry-After": "soon"], isSecondary: true),
    Case(status: 429, headers: ["Retry-After": "-1"], isSecondary: true),
    Case(status: 429, headers: ["Retry-After": "30"], isSecondary: true, end: 30),
    Case(headers: ["Retry-After": "30"], isSecondary: true, end: 30),
    Case(headers: ["Retry-After": "999999999"], isSecondary: true, end: 86_400),
    // A moment instead of seconds.
    Case(headers: ["Retry-After": "Thu, 01 Jan 2026 00:02:00 GMT"], isSecondary: true, end: 120),
    Case(headers: ["Retry-After": "Wed, 31 Dec 2025 00:02:00 GMT"], isSecondary: true, end: 0),
    Case(status: 429, headers: ["Retry-After": "Thu, 01 Foo 2026 00:02:00 GMT"], isSecondary: true),
    Case(status: 429, headers: ["Retry-After": "Thu, 31 Feb 2026 00:02:00 GMT"], isSecondary: true),
    Case(status: 429, headers: ["Retry-After": "Thursday, 01-Jan-26 00:02:00 GMT"], isSecondary: true),
    // The server's clock is ten minutes behind, or an hour ahead: what counts is the time that it has left.
    Case(
      headers: spent(-570, adding: ["Date": "Wed, 31 Dec 2025 23:50:00 GMT"]), isSecondary: false, end: 30),
    Case(
      headers: spent(3630, adding: ["Date": "Thu, 01 Jan 2026 01:00:00 GMT"]), isSecondary: false, end: 30),
    Case(
      headers: ["Retry-After": "Thu, 01 Jan 2026 01:02:00 GMT", "Date": "Thu, 01 Jan 2026 01:00:00 GMT"],
      isSecondary: true, end: 120),
    // A second or two are the way of the answer.
    Case(headers: spent(30, adding: ["Date": "Wed, 31 Dec 2025 23:59:58 GMT"]), isSecondary: false, end: 30),
    Case(headers: spent(30, adding: ["Date": "yesterday"]), isSecondary: false, end: 30),
  ]

  @Test(arguments: cases)
  func reading(_ example: Case) {
    let body = #"{"message": "\#(example.message)"}"#
    let response = HTTPResponse(
      status: example.status, headers: example.headers.map { ($0.key, $0.value) }, body: Array(body.utf8))
    let refusal = LimitRefusal(response, at: Self.now)
    #expect(refusal?.isSecondary == example.isSecondary)
    #expect(refusal?.end == example.end.map { Self.now.addingTimeInterval($0) })
  }

  /// Any number in a header field: the wait is at most a day.
  @Test(arguments: ["Retry-After", "X-RateLimit-Remaining", "X-RateLimit-Limit", "X-RateLimit-Reset"])
  func hostileNumbers(_ name: String) async throws {
    let usual = ["X-RateLimit-Limit": "9", "X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "1767225660"]
    for value in HostileNumbers.values + ["99999999999999999999999"] {
      let fields = usual.merging([name: value]) { $1 }.map { (name: $0.key, value: $0.value) }
      let response = HTTPResponse(status: 429, headers: fields, body: [])
      let refusal = try #require(LimitRefusal(response, at: Self.now))
      let error = SearchError(limited: refusal, at: Self.now, limit: "the limit")
      #expect((0...86_400_000).contains(error.retryAfterMilliseconds ?? 0), "\(name): \(value)")
      let budgets = RateBudgets(now: { Self.now }, jitter: { 1 }, pause: { _ in })
      for status in [200, 429] {
        let transport = HTTPTransport { _ in HTTPResponse(status: status, headers: fields, body: []) }
        let limited = transport.budgeted(
          by: budgets, host: "h", credential: nil, onWait: { _ in }, resource: "r")
        let url = try #require(HTTPURL("https://h/x"))
        _ = try? await limited.send(HTTPRequest(url: url, deadline: .now + .seconds(60)))
      }
    }
  }

  @Test(arguments: [(-5, 0), (0, 0), (0.0005, 0), (0.01, 1), (1, 1), (1.5, 2), (60.0000001, 60)])
  func wholeSeconds(seconds: Double, whole: Int) {
    #expect(Self.now.addingTimeInterval(seconds).wholeSeconds(after: Self.now) == whole)
  }
}
