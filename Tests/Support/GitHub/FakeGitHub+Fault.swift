import Foundation
import Synchronization

extension FakeGitHub {
  /// Something that goes wrong between a client and the service.
  public enum Fault: Sendable {
    /// 401 "Bad credentials".
    case badCredentials
    /// 403 with nothing remaining and a reset so many seconds from now.
    case primaryLimit(resetIn: Int = 60)
    /// 403 about a secondary limit, with `Retry-After` unless nil, and without any limit header.
    case secondaryLimit(retryAfter: Int? = 60)
    /// 403 because the token may not.
    case permission
    /// 404.
    case notFound
    /// 422 with an `errors` list.
    case validation
    /// 429 with `Retry-After` unless nil.
    case tooManyRequests(retryAfter: Int? = 60)
    /// 500 with an empty body.
    case serverError
    /// 502 whose JSON has no `message`.
    case badGatewayJSON
    /// 503 with HTML that calls itself JSON.
    case unavailableHTML
    /// 200 with an HTML page, as a captive portal gives.
    case pageHTML
    /// The healthy body cut in half, with a length that fits the half: well-formed HTTP, broken JSON.
    case truncatedJSON
    /// The healthy body with bytes that are no UTF-8 in its first description (else its first string).
    case invalidUTF8
    /// 200 with JSON of so many MB (of 1,048,576 bytes); its length declared or chunked.
    case hugeBody(megabytes: Int = 200, declared: Bool = true)
    /// Close without a byte.
    case nothing
    /// The healthy answer's body one byte at a time.
    case drip(everyMilliseconds: Int = 50)
    /// 302 to the very same URL.
    case redirectLoop
    /// A redirect to another address, kept as it is given.
    case redirect(to: String, status: Int = 302)
    /// The healthy head and half of the body, then the connection is closed.
    case droppedMidBody
    /// Never answer.
    case hang
    /// The healthy answer after so long.
    case slow(milliseconds: Int)
    /// The healthy answer once the condition holds.
    case held(until: @Sendable () -> Bool)
    /// Anything else.
    case custom(ScriptedResponse)
  }

  struct Rule {
    var fault: Fault
    var path: String
    var page: Int?
    var method: String?
    var skip: Int
    var remaining: Int?

    func concerns(_ call: Call) -> Bool {
      call.path.hasPrefix(path) && (page == nil || page == FakeGitHub.paging(call.request).page)
        && (method == nil || method == call.request.method)
    }
  }

  /// Lets requests go wrong; the first rule that concerns a request and is not used up decides.
  ///
  /// - Parameters:
  ///   - fault: what happens.
  ///   - path: how the path begins, below the API's root; "/" for all.
  ///   - page: only this page of a list.
  ///   - method: only this method.
  ///   - skip: how many such requests are answered properly before.
  ///   - times: how many go wrong; nil: all from then on.
  public func fail(
    _ fault: Fault, path: String = "/", page: Int? = nil, method: String? = nil, skip: Int = 0,
    times: Int? = nil
  ) {
    let rule = Rule(fault: fault, path: path, page: page, method: method, skip: skip, remaining: times)
    state.withLock { $0.rules.append(rule) }
  }

  /// Removes all faults.
  public func heal() { state.withLock { $0.rules = [] } }

  func takeFault(for call: Call) -> Fault? {
    state.withLock { state in
      for index in state.rules.indices where state.rules[index].concerns(call) {
        if state.rules[index].skip > 0 {
          state.rules[index].skip -= 1
          continue
        }
        if let remaining = state.rules[index].remaining {
          guard remaining > 0 else { continue }
          state.rules[index].remaining = remaining - 1
        }
        return state.rules[index].fault
      }
      return nil
    }
  }
}

extension FakeGitHub.Fault {
  /// The bytes of the fault.
  ///
  /// - Parameter healthy: Makes the answer, and does what was asked; a fault that stands in its place leaves
  ///   that undone.
  func script(healthy: @autoclosure () -> FakeAnswer, call: FakeGitHub.Call) -> ScriptedResponse {
    switch self {
    case .badCredentials: return error(401, "Bad credentials")
    case .primaryLimit(let seconds): return primaryLimit(seconds, call)
    case .secondaryLimit(let seconds):
      return error(
        403, "You have exceeded a secondary rate limit. Please wait a few minutes before you try again.",
        Self.retryAfter(seconds))
    case .permission: return error(403, "Resource not accessible by personal access token")
    case .notFound: return error(404, "Not Found")
    case .validation:
      let problem: FakeJSON = ["resource": "Search", "field": "q", "code": "invalid"]
      return FakeAnswer.error(422, "Validation Failed", errors: [problem]).with(FakeGitHub.common())
        .scripted()
    case .tooManyRequests(let seconds):
      return error(429, "You have exceeded a secondary rate limit.", Self.retryAfter(seconds))
    case .serverError: return .status(500)
    case .badGatewayJSON: return .json(status: 502, body: #"{"error":"Server Error"}"#)
    case .unavailableHTML:
      return .json(status: 503, body: "<html><body><h1>503 Service Unavailable</h1></body></html>")
    case .pageHTML: return .html("<!DOCTYPE html><html><title>Sign in to the network</title></html>")
    case .truncatedJSON:
      var half = healthy()
      half.body = Array(half.body.prefix(half.body.count / 2))
      return half.scripted()
    case .invalidUTF8: return invalid(healthy()).scripted()
    case .hugeBody(let megabytes, let declared): return Self.huge(megabytes, declared: declared)
    case .nothing: return .empty
    case .drip(let pause):
      let healthy = healthy()
      let head = ScriptedResponse.head(
        status: healthy.status, headers: healthy.headers, length: healthy.body.count)
      return ScriptedResponse(
        [.bytes(head)] + healthy.body.flatMap { [.delay(milliseconds: pause), .bytes([$0])] })
    case .redirectLoop: return .redirect(to: call.request.origin + call.request.target)
    case .redirect(let location, let status): return .redirect(to: location, status: status)
    case .droppedMidBody:
      let healthy = healthy()
      let head = ScriptedResponse.head(
        status: healthy.status, headers: healthy.headers, length: healthy.body.count)
      return ScriptedResponse([.bytes(head + healthy.body.prefix(healthy.body.count / 2)), .closeConnection])
    case .hang: return .hang
    case .slow(let milliseconds): return healthy().scripted().delayed(milliseconds: milliseconds)
    case .held(let condition): return ScriptedResponse([.wait(until: condition)] + healthy().scripted().steps)
    case .custom(let response): return response
    }
  }

  private func error(
    _ status: Int, _ message: String, _ headers: [ScriptedResponse.Header] = []
  ) -> ScriptedResponse {
    FakeAnswer.error(status, message).with(FakeGitHub.common() + headers).scripted()
  }

  private func primaryLimit(_ seconds: Int, _ call: FakeGitHub.Call) -> ScriptedResponse {
    let reset = Int(Date().timeIntervalSince1970.rounded(.up)) + seconds
    let limit = call.resource == "core" ? "60" : "10"
    return FakeGitHub.limitExceeded.with(
      FakeGitHub.common() + [
        ("X-RateLimit-Limit", limit), ("X-RateLimit-Remaining", "0"), ("X-RateLimit-Used", limit),
        ("X-RateLimit-Reset", String(reset)), ("X-RateLimit-Resource", call.resource),
      ]
    ).scripted()
  }

  private static func retryAfter(_ seconds: Int?) -> [ScriptedResponse.Header] {
    seconds.map { [("Retry-After", String($0))] } ?? []
  }

  private func invalid(_ healthy: FakeAnswer) -> FakeAnswer {
    var damaged = healthy
    // Inside the first description; else inside the first string value; else at the start.
    let marks = ["\"description\":\"", ":\""].map { Array($0.utf8) }
    let place = marks.lazy.compactMap { damaged.body.firstRange(of: $0)?.upperBound }.first ?? 0
    damaged.body.insert(contentsOf: [0xC3, 0x28, 0xFF], at: place)
    return damaged
  }

  private static func huge(_ megabytes: Int, declared: Bool) -> ScriptedResponse {
    let open = Array(#"{"total_count":1,"incomplete_results":false,"items":[],"padding":""#.utf8)
    let close = Array("\"}".utf8)
    // Sixteen pieces of 64 KiB make a MB.
    let piece = [UInt8](repeating: UInt8(ascii: "a"), count: 65_536)
    let times = megabytes * 16
    var headers = FakeGitHub.common()
    if declared {
      let length = open.count + piece.count * times + close.count
      let head = ScriptedResponse.head(status: 200, headers: headers, length: length)
      return ScriptedResponse([.bytes(head + open), .repeat(piece, times: times), .bytes(close)])
    }
    headers.append(("Transfer-Encoding", "chunked"))
    let head = ScriptedResponse.head(status: 200, headers: headers, length: nil)
    return ScriptedResponse([
      .bytes(head + chunk(open)), .repeat(chunk(piece), times: times), .bytes(chunk(close) + chunk([])),
    ])
  }

  /// One chunk of a chunked body (RFC 9112, section 7.1); of no bytes: the end.
  private static func chunk(_ bytes: [UInt8]) -> [UInt8] {
    Array("\(String(bytes.count, radix: 16))\r\n".utf8) + bytes + Array("\r\n".utf8)
  }
}
