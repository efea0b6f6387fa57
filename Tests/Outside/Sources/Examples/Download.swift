import ForageHTTP
import ForageHTTPLive

/// The text of a web page, within ten seconds.
func text(of address: HTTPURL) async throws -> String {
  let transport = try HTTPTransport.live().followingRedirects().retryingReads()
  let request = HTTPRequest(
    url: address, headers: [("User-Agent", "example/1.0")], deadline: .now + .seconds(10))
  let response = try await transport.send(request)
  guard response.status == 200 else {
    throw HTTPError(.malformed, "\(address.authority) answered with status \(response.status)")
  }
  return String(decoding: response.body, as: UTF8.self)
}
