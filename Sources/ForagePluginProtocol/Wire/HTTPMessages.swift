/// The parameters of `http`: a request that the host sends for the plugin.
public struct HTTPParams: Codable, Hashable, Sendable {
  /// The id of the pending request of the host for which it is.
  public var id: RequestID
  /// The address, on one of the `hosts` of `plugin.json`.
  public var url: String
  /// `GET`, `HEAD` or `POST`; absent for `GET`.
  public var method: String?
  /// Header fields by name.
  public var headers: [String: String]?
  /// The body of a `POST`.
  public var body: String?
  /// How long an answer may be used again, in seconds; absent for an answer that is asked for each time.
  public var cacheSeconds: Double?

  /// Creates parameters.
  public init(
    id: RequestID, url: String, method: String? = nil, headers: [String: String]? = nil,
    body: String? = nil, cacheSeconds: Double? = nil
  ) {
    self.id = id
    self.url = url
    self.method = method
    self.headers = headers
    self.body = body
    self.cacheSeconds = cacheSeconds
  }
}

/// The result of `http`: the server's answer, whatever its status.
public struct HTTPResult: Codable, Hashable, Sendable {
  /// The status code.
  public var status: Int
  /// The first value of each header field, by its name in lower case.
  public var headers: [String: String]
  /// The body, if it is UTF-8.
  public var body: String?
  /// Any other body, in Base64.
  public var bodyBase64: String?

  /// Creates a result.
  public init(
    status: Int, headers: [String: String] = [:], body: String? = nil, bodyBase64: String? = nil
  ) {
    self.status = status
    self.headers = headers
    self.body = body
    self.bodyBase64 = bodyBase64
  }
}
