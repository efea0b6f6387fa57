/// One request as a loopback server received it.
public struct RecordedRequest: Sendable, Hashable {
  /// A name and a value of the query, decoded.
  public struct QueryItem: Sendable, Hashable {
    /// The decoded name.
    public var name: String
    /// The decoded value; empty when there was no `=`.
    public var value: String
  }

  /// The method, as sent.
  public var method: String
  /// The request target exactly as it was sent, still encoded.
  public var target: String
  /// The target's path, still encoded, without the query.
  public var path: String
  /// The query items in their order, decoded; `+` means space.
  public var queryItems: [QueryItem]
  /// All values of every header, in their order, under lower-case names.
  public var headers: [String: [String]]
  /// The body, without its transfer coding.
  public var body: [UInt8]
  /// Counts the server's connections from 1: requests with the same number came over one connection.
  public var connectionID: Int
  /// True when it came over TLS.
  public var isTLS: Bool
  /// When its last byte was received.
  public var receivedAt: ContinuousClock.Instant

  /// Takes a target apart.
  public init(
    method: String, target: String, headers: [String: [String]], body: [UInt8] = [], connectionID: Int = 0,
    isTLS: Bool = false
  ) {
    self.method = method
    self.target = target
    self.headers = headers
    self.body = body
    self.connectionID = connectionID
    self.isTLS = isTLS
    receivedAt = .now
    let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    path = String(parts[0])
    let query = parts.count > 1 ? parts[1] : ""
    queryItems = query.split(separator: "&").map { pair in
      let sides = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      return QueryItem(
        name: percentDecoded(sides[0], plusIsSpace: true),
        value: sides.count > 1 ? percentDecoded(sides[1], plusIsSpace: true) : "")
    }
  }

  /// The first value of a header, whatever the case of the name.
  public func header(_ name: String) -> String? { headers[name.lowercased()]?.first }

  /// The first value of a query item.
  public func query(_ name: String) -> String? { queryItems.first { $0.name == name }?.value }

  /// The path's parts between slashes, decoded; an empty part is kept.
  public var pathParts: [String] {
    path.split(separator: "/", omittingEmptySubsequences: false).dropFirst().map {
      percentDecoded($0, plusIsSpace: false)
    }
  }

  /// The body as text, with invalid UTF-8 repaired.
  public var bodyText: String { String(decoding: body, as: UTF8.self) }

  /// The server's address as this client named it, for example `http://127.0.0.1:4711`.
  public var origin: String { "\(isTLS ? "https" : "http")://\(header("host") ?? "127.0.0.1")" }
}

/// Undoes percent-encoding (RFC 3986, section 2.1); a `%` without two hexadecimal digits stays as it is.
func percentDecoded(_ text: Substring, plusIsSpace: Bool) -> String {
  let bytes = Array(text.utf8)
  var decoded: [UInt8] = []
  var index = 0
  while index < bytes.count {
    let byte = bytes[index]
    if byte == UInt8(ascii: "%"), index + 2 < bytes.count,
      let value = UInt8(String(decoding: bytes[(index + 1)...(index + 2)], as: UTF8.self), radix: 16),
      bytes[index + 1] != UInt8(ascii: "+"), bytes[index + 1] != UInt8(ascii: "-")
    {
      decoded.append(value)
      index += 3
    } else {
      decoded.append(plusIsSpace && byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
      index += 1
    }
  }
  return String(decoding: decoded, as: UTF8.self)
}
