import ForageCore
import ForageHTTP
import Testing

/// What statuses mean, whoever answers with them.
struct RefusalTests {
  @Test(
    arguments: [
      (300, .redirect, "redirects without a target"), (304, .redirect, "redirects without a target"),
      (399, .redirect, "redirects without a target"),
      (400, .invalidQuery, "rejected the query"), (414, .invalidQuery, "rejected the query"),
      (422, .invalidQuery, "rejected the query"),
      (401, .unauthorized, "valid token"), (403, .forbidden, "denied access"), (404, .notFound, "nothing at"),
      (405, .invalidQuery, "rejected the request"), (406, .invalidQuery, "rejected the request"),
      (415, .invalidQuery, "rejected the request"),
      (409, .unavailable, "does not provide it"), (410, .unavailable, "does not provide it"),
      (451, .unavailable, "does not provide it"),
      (429, .rateLimited, "rate limit of Acme"),
      (402, .invalidResponse, "status 402"), (408, .invalidResponse, "status 408"),
      (418, .invalidResponse, "status 418"), (499, .invalidResponse, "status 499"),
      (500, .serverError, "failed (status 500)"), (501, .serverError, "failed (status 501)"),
      (502, .serverError, "failed (status 502)"), (503, .serverError, "failed (status 503)"),
      (504, .serverError, "failed (status 504)"), (599, .serverError, "failed (status 599)"),
      (200, .invalidResponse, "status 200"), (199, .invalidResponse, "status 199"),
    ] as [(Int, SearchError.Code, String)])
  func codes(_ status: Int, _ code: SearchError.Code, _ sentence: String) {
    let error = SearchError(
      refusal: HTTPResponse(status: status), of: "Acme", said: "\u{1B}]0;no", check: "check the address")
    #expect(error.code == code && error.message.contains(sentence), "\(error)")
    #expect(!error.message.contains("\u{1B}") && !error.hint.isEmpty, "\(error)")
    // A provider's own words of one code are said of no other.
    let words: [SearchError.Code: RefusalWords] = [code: RefusalWords("says so", hint: "do so")]
    let own = SearchError(refusal: HTTPResponse(status: status), of: "Acme", check: "", words: words)
    #expect(own.code == code && (own.message == "Acme says so" || code == .rateLimited), "\(own)")
    let others = SearchError.Code.redirect == code ? SearchError.Code.notFound : .redirect
    let other = SearchError(
      refusal: HTTPResponse(status: status), of: "Acme", check: "", words: [others: RefusalWords("says so")])
    #expect(other.code == code && other.message.contains(sentence), "\(other)")
  }

  /// What is tried again or bridged by an older answer is also what a person is told to try again.
  @Test(arguments: [500, 501, 502, 503, 504, 505, 507, 510, 511, 520, 522, 529, 530])
  func whatMayRecover(_ status: Int) {
    let error = SearchError(refusal: HTTPResponse(status: status), of: "Acme", check: "check the address")
    let isLasting = [501, 505, 510, 511].contains(status)
    #expect(error.hint == (isLasting ? "check the address" : "try again in a moment"), "\(error)")
  }
}
