import ForageHTTP
import ForageHTTPLive
import Foundation
import Synchronization
import TestSupport
import Testing

/// Long enough for a busy machine; only tests of deadlines wait for one.
let patience: Duration = .seconds(30)

/// A request to an address that must be readable.
func request(
  _ address: String, method: String = "GET", headers: [(name: String, value: String)] = [],
  within time: Duration = patience, maximumBodyBytes: Int = HTTPLimits.maximumBodyBytes
) throws -> HTTPRequest {
  HTTPRequest(
    method: method, url: try #require(HTTPURL(address)), headers: headers, deadline: .now + time,
    maximumBodyBytes: maximumBodyBytes)
}

/// Runs a body with a live transport that is shut down afterwards, whatever happens.
func withLive<Result>(
  _ environment: [String: String] = [:], _ body: (HTTPTransport) async throws -> Result
) async throws -> Result {
  let live = LiveTransport(try NetworkSettings(environment: environment))
  do {
    let result = try await body(live.transport)
    await live.shutdown()
    return result
  } catch {
    await live.shutdown()
    throw error
  }
}

/// The `HTTPError` that sending fails with; anything else is recorded as an issue.
func failure(
  of transport: HTTPTransport, _ request: HTTPRequest, _ location: SourceLocation = #_sourceLocation
) async -> HTTPError? {
  await #expect(throws: HTTPError.self, sourceLocation: location) { _ = try await transport.send(request) }
}

/// Waits until a condition holds; records an issue when it does not within a while.
func expectEventually(
  within time: Duration = .seconds(60), _ location: SourceLocation = #_sourceLocation, _ condition: () -> Bool
) async throws {
  let end = ContinuousClock.now + time
  while ContinuousClock.now < end {
    if condition() { return }
    try await Task.sleep(for: .milliseconds(10))
  }
  #expect(condition(), "not within \(time)", sourceLocation: location)
}

/// A transport whose answers are scripted and whose requests are recorded.
final class StubTransport: Sendable {
  private let sent = Mutex<[HTTPRequest]>([])
  private let answer: @Sendable (Int, HTTPRequest) throws -> HTTPResponse

  /// - Parameter answer: Gets the request's number, from 1, and the request.
  init(_ answer: @escaping @Sendable (Int, HTTPRequest) throws -> HTTPResponse) { self.answer = answer }

  var requests: [HTTPRequest] { sent.withLock { $0 } }

  var transport: HTTPTransport {
    HTTPTransport { [self] request in
      let number = sent.withLock { sent in
        sent.append(request)
        return sent.count
      }
      return try answer(number, request)
    }
  }
}

/// What a closure that may run anywhere has noted.
final class Notes<Value: Sendable>: Sendable {
  private let list = Mutex<[Value]>([])
  func add(_ value: Value) { list.withLock { $0.append(value) } }
  var all: [Value] { list.withLock { $0 } }
}

/// Texts that try to break out of where they are put, and random ones.
func hostileTexts(count: Int, seed: UInt64) -> [String] {
  var random = SeededGenerator(seed: seed)
  var texts = (0...255).map { String(Unicode.Scalar(UInt8($0))) }
  texts += [
    "", "a/b", "/", "//evil.example", "../../x", "a?b=c", "a#b", "a&b=c", "%2F", "%", "%zz", "a+b", "a b",
    "@evil.example",
    "https://evil.example/", "\r\nHost: evil.example", "C++", "日本語", "👩‍👩‍👧", "e\u{301}", "é", "\u{202E}x",
    "\u{0}", "a;b", "[::1]",
  ]
  let ranges: [ClosedRange<UInt32>] = [
    0x20...0x7E, 0...0x1F, 0x80...0x7FF, 0x800...0xD7FF, 0x1F300...0x1F6FF,
  ]
  while texts.count < count {
    let length = Int.random(in: 1...24, using: &random)
    var text = String.UnicodeScalarView()
    for _ in 0..<length {
      if let scalar = Unicode.Scalar(UInt32.random(in: random.pick(ranges), using: &random)) {
        text.append(scalar)
      }
    }
    texts.append(String(text))
  }
  return texts
}

/// Runs a body with a server that answers every request alike.
func withServer<Result>(
  tls: TLSFiles? = nil, answering response: ScriptedResponse,
  _ body: (LoopbackServer) async throws -> Result
) async throws -> Result {
  try await withServer(tls: tls, handler: { _ in response }, body)
}
