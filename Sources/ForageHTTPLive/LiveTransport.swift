import AsyncHTTPClient
import ForageCore
package import ForageHTTP
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import Synchronization

/// The transport that opens network connections.
///
/// All requests of the process share its kept-alive connections. Redirects and retries are added by
/// decorators.
package final class LiveTransport: Sendable {
  private let settings: NetworkSettings
  /// One client for direct requests and one for each proxy, created on first use.
  private let clients: ClientCache

  /// Creates a transport; connections are opened on first use.
  package init(_ settings: NetworkSettings) {
    self.settings = settings
    clients = ClientCache(settings: settings)
  }

  /// The transport for providers.
  package var transport: HTTPTransport { HTTPTransport { try await self.send($0) } }

  /// Closes all connections. The transport cannot be used afterwards.
  package func shutdown() async {
    await clients.shutdown()
  }

  @concurrent
  private func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    // A request that is cancelled before it begins must not reach the server; some cannot be repeated.
    try Task.checkCancellation()
    let client = try clients.client(proxy: settings.proxy(for: request.url))
    let outgoing = Self.outgoing(request)
    guard ContinuousClock.now < request.deadline else {
      throw HTTPError(.timeout, "the deadline passed before the request was sent")
    }
    do {
      let response = try await Deadline.ensure(request.deadline) {
        // The owner of the deadline cancels the task then; the client's own would not cover the body.
        let response = try await client.execute(outgoing, deadline: .distantFuture)
        return HTTPResponse(
          status: Int(response.status.code), headers: response.headers.map { ($0.name, $0.value) },
          body: try await Self.body(of: response, upTo: request.maximumBodyBytes))
      }
      guard let response else { throw Self.late(request) }
      return response
    } catch let error as HTTPError {
      throw error
    } catch {
      if Task.isCancelled || error is CancellationError {
        throw ContinuousClock.now < request.deadline ? CancellationError() : Self.late(request)
      }
      throw FailureTranslation.error(error, for: request.url)
    }
  }

  private static func outgoing(_ request: HTTPRequest) -> HTTPClientRequest {
    var outgoing = HTTPClientRequest(url: request.url.text)
    outgoing.method = HTTPMethod(rawValue: request.method)
    outgoing.headers = HTTPHeaders(request.headers.map { ($0.name, $0.value) })
    outgoing.headers.replaceOrAdd(name: "Accept-Encoding", value: "gzip")
    if !request.body.isEmpty { outgoing.body = .bytes(request.body) }
    return outgoing
  }

  private static func late(_ request: HTTPRequest) -> HTTPError {
    HTTPError(.timeout, "\(request.url.authority) did not answer in time")
  }

  @concurrent
  private static func body(of response: HTTPClientResponse, upTo limit: Int) async throws -> [UInt8] {
    let announced = response.headers.first(name: "content-length").flatMap { Int($0) } ?? 0
    guard announced <= limit else {
      throw HTTPError(.tooLarge, "the answer is larger than \(limit >> 20) MiB")
    }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(min(max(0, announced), HTTPLimits.reservedBytes))
    for try await part in response.body {
      guard bytes.count + part.readableBytes <= limit else {
        throw HTTPError(.tooLarge, "the answer is larger than \(limit >> 20) MiB")
      }
      part.withUnsafeReadableBytes { bytes.append(contentsOf: $0) }
    }
    return bytes
  }
}
