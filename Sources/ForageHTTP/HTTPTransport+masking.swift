import ForageCore

extension HTTPTransport {
  /// Masks the secrets of a request in its responses, because servers repeat them in messages and links.
  ///
  /// What is cached, shown and stored comes from the masked response.
  public func masking(_ secrets: [String]) -> HTTPTransport {
    // The mask consists of characters that are allowed in addresses, so that links stay valid.
    let redaction = SecretRedaction(secrets, mask: "***")
    if redaction.isEmpty { return self }
    return HTTPTransport { request in
      var response = try await self.send(request)
      response.headers = response.headers.map { (name: $0.name, value: redaction.redacted($0.value)) }
      let first = response.body.first { !" \t\r\n".utf8.contains($0) }
      if first != UInt8(ascii: "{"), first != UInt8(ascii: "[") {
        response.body = redaction.redacted(response.body)
      } else if let body = response.body.withUnsafeBufferPointer({ redaction.redacted(json: $0) }) {
        response.body = body
      }
      return response
    }
  }
}
