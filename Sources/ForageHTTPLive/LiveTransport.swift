import AsyncHTTPClient
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
    let remaining = request.deadline - ContinuousClock.now
    guard remaining > .zero else {
      throw HTTPError(.timeout, "the deadline passed before the request was sent")
    }
    do {
      return try await Self.within(request) {
        let response = try await client.execute(outgoing, deadline: .now() + TimeAmount(remaining))
        return HTTPResponse(
          status: Int(response.status.code), headers: response.headers.map { ($0.name, $0.value) },
          body: try await Self.body(of: response, upTo: request.maximumBodyBytes))
      }
    } catch let error as HTTPError {
      throw error
    } catch {
      if Task.isCancelled || error is CancellationError { throw CancellationError() }
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

  /// Ends the exchange at the deadline. The client's own deadline covers only the response head, not the
  /// body.
  private static func within(
    _ request: HTTPRequest, _ exchange: @escaping @Sendable () async throws -> HTTPResponse
  ) async throws -> HTTPResponse {
    let work = Task { try await exchange() }
    let hasExpired = Mutex(false)
    let remaining = request.deadline - ContinuousClock.now
    let timer = ClientCache.group.next().scheduleTask(in: TimeAmount(max(.zero, remaining))) {
      hasExpired.withLock { $0 = true }
      work.cancel()
    }
    defer { timer.cancel() }
    do {
      return try await withTaskCancellationHandler {
        try await work.value
      } onCancel: {
        work.cancel()
      }
    } catch  where hasExpired.withLock(\.self) && !Task.isCancelled {
      throw HTTPError(.timeout, "\(request.url.authority) did not answer in time")
    }
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
