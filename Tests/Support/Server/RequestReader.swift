/// Reads the requests of one connection (RFC 9112).
struct RequestReader {
  let socket: ConnectionSocket
  /// Received bytes that are not parsed yet.
  private var rest: ArraySlice<UInt8> = []
  private static let tokenBytes = Set(
    "!#$%&'*+-.^_`|~0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ".utf8)

  init(_ socket: ConnectionSocket) { self.socket = socket }

  /// The next whole request, and whether another one may follow it.
  mutating func next(connectionID: Int, isTLS: Bool) throws(ConnectionClosed) -> (RecordedRequest, Bool) {
    var first = try line()
    while first.isEmpty { first = try line() }
    let words = first.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
    guard words.count == 3, isToken(words[0]), !words[1].isEmpty,
      let minor = ["HTTP/1.0", "HTTP/1.1"].firstIndex(of: text(words[2]))
    else { throw ConnectionClosed() }
    let headers = try fields()
    if minor == 1, elements(headers["expect"]).contains("100-continue") {
      try socket.write(Array("HTTP/1.1 100 Continue\r\n\r\n".utf8))
    }
    let request = RecordedRequest(
      method: text(words[0]), target: text(words[1]), headers: headers, body: try body(headers),
      connectionID: connectionID, isTLS: isTLS)
    let options = elements(headers["connection"])
    return (request, !options.contains("close") && (minor == 1 || options.contains("keep-alive")))
  }

  /// Header fields, or those of a trailer, up to the empty line.
  private mutating func fields() throws(ConnectionClosed) -> [String: [String]] {
    var fields: [String: [String]] = [:]
    while case let line = try line(), !line.isEmpty {
      let name = line.prefix { $0 != UInt8(ascii: ":") }
      guard name.count < line.count, isToken(name) else { throw ConnectionClosed() }
      fields[text(name).lowercased(), default: []].append(text(line.dropFirst(name.count + 1)))
    }
    return fields
  }

  private mutating func body(_ headers: [String: [String]]) throws(ConnectionClosed) -> [UInt8] {
    let lengths = Set(headers["content-length"] ?? [])
    let isChunked = headers["transfer-encoding"] != nil
    if !isChunked, lengths.isEmpty { return [] }
    if !isChunked, lengths.count == 1 { return try bytes(lengths.first, radix: 10) }
    guard elements(headers["transfer-encoding"]) == ["chunked"], lengths.isEmpty else {
      throw ConnectionClosed()
    }
    var body: [UInt8] = []
    while case let size = try line().prefix(while: { $0 != UInt8(ascii: ";") }),
      case let chunk = try bytes(text(size), radix: 16), !chunk.isEmpty
    {
      body += chunk
      guard try line().isEmpty else { throw ConnectionClosed() }
    }
    _ = try fields()
    return body
  }

  /// As many bytes as a number says.
  private mutating func bytes(_ number: String?, radix: Int) throws(ConnectionClosed) -> [UInt8] {
    guard let number, number.first?.isHexDigit == true, let count = Int(number, radix: radix) else {
      throw ConnectionClosed()
    }
    var bytes: [UInt8] = []
    while bytes.count < count {
      if rest.isEmpty { rest = try socket.read()[...] }
      let part = rest.prefix(count - bytes.count)
      bytes += part
      rest.removeFirst(part.count)
    }
    return bytes
  }

  /// The next line without its end.
  ///
  /// A control character is malformed at once, and the client is told: a handshake of TLS, which begins with
  /// one, has no end of a line.
  private mutating func line() throws(ConnectionClosed) -> ArraySlice<UInt8> {
    var line: [UInt8] = []
    while true {
      if rest.isEmpty { rest = try socket.read()[...] }
      let byte = rest.removeFirst()
      let follows = line.last == UInt8(ascii: "\r")
      if byte == UInt8(ascii: "\n") { return follows ? line.dropLast() : line[...] }
      guard !follows, byte >= 0x20 && byte != 0x7F || [0x09, 0x0D].contains(byte) else {
        try socket.write(Array("HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n".utf8))
        throw ConnectionClosed()
      }
      line.append(byte)
    }
  }

  /// The elements of a field that is a list, in lower case.
  private func elements(_ values: [String]?) -> [String] {
    (values ?? []).flatMap { $0.utf8.split(separator: UInt8(ascii: ",")) }.map { text($0).lowercased() }
  }

  /// The bytes as text, without blanks around it.
  private func text(_ bytes: some Collection<UInt8>) -> String {
    let text = bytes.drop(while: Self.isBlank).reversed().drop(while: Self.isBlank)
    return String(decoding: text.reversed(), as: UTF8.self)
  }

  private static func isBlank(_ byte: UInt8) -> Bool { [0x20, 0x09].contains(byte) }

  /// Whether it can be a method or the name of a field.
  private func isToken(_ bytes: ArraySlice<UInt8>) -> Bool {
    !bytes.isEmpty && bytes.allSatisfy(Self.tokenBytes.contains)
  }
}
