import ForagePlatform

/// A free TCP port of 127.0.0.1 or ::1 on which connections are accepted.
struct ServerPort {
  let number: Int
  /// The end of a pipe that is closed to stop accepting.
  let stopPipe: Int32
  private let stopped: Int32
  private let listener: Int32
  private static let backlog: Int32 = 256

  /// Binds a port and listens.
  init(isIPv6: Bool) throws {
    var opened = Descriptors()
    defer { opened.closeAll() }
    #if canImport(Darwin)
      listener = try opened.adopt(socket(isIPv6 ? AF_INET6 : AF_INET, SOCK_STREAM, 0), "socket")
      Spawn.closeOnExec(listener)
    #else
      let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
      listener = try opened.adopt(socket(isIPv6 ? AF_INET6 : AF_INET, type, 0), "socket")
    #endif
    // The sockets of the connections inherit it.
    var on: Int32 = 1
    let size = socklen_t(MemoryLayout<Int32>.size)
    try Spawn.checkErrno(setsockopt(listener, Int32(IPPROTO_TCP), TCP_NODELAY, &on, size), "setsockopt")
    number = try isIPv6 ? Self.listen(listener, Self.loopback6()) : Self.listen(listener, Self.loopback4())
    (stopped, stopPipe) = try opened.pipe()
    for kept in [listener, stopped, stopPipe] { opened.release(kept) }
  }

  private static func loopback4() -> sockaddr_in {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = INADDR_LOOPBACK.bigEndian
    return address
  }

  private static func loopback6() -> sockaddr_in6 {
    var address = sockaddr_in6()
    address.sin6_family = sa_family_t(AF_INET6)
    address.sin6_addr = in6addr_loopback
    return address
  }

  /// Listens on an address without a port.
  ///
  /// - Returns: The port that the system chose.
  private static func listen<Address>(_ listener: Int32, _ address: Address) throws -> Int {
    var address = address
    var length = socklen_t(MemoryLayout<Address>.size)
    return try withUnsafeMutableBytes(of: &address) { bytes in
      let start = bytes.assumingMemoryBound(to: sockaddr.self).baseAddress
      let isListening =
        bind(listener, start, length) == 0
        && ForagePlatform.listen(listener, backlog) == 0 && getsockname(listener, start, &length) == 0
      try Spawn.checkErrno(isListening ? 0 : -1, "listening on this machine")
      // Both kinds of address have the port at the same place.
      return Int(UInt16(bigEndian: bytes.load(fromByteOffset: 2, as: UInt16.self)))
    }
  }

  /// Accepts connections until `stopPipe` is closed, and closes the port; an error does that, too.
  ///
  /// - Parameter body: Takes the socket of each connection; it must not block.
  func accept(_ body: (Int32) -> Void) {
    var states = [listener, stopped].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    while poll(&states, 2, -1) > 0, states[1].revents == 0 {
      let socket = acceptOne()
      if socket >= 0 { body(socket) } else if errno != ECONNABORTED { break }
    }
    close(listener)
    close(stopped)
  }

  private func acceptOne() -> Int32 {
    #if canImport(Darwin)
      let socket = ForagePlatform.accept(listener, nil, nil)
      if socket >= 0 { Spawn.closeOnExec(socket) }
      return socket
    #else
      // In one step, so that a program that another thread starts does not inherit the socket.
      typealias Accept = @convention(c) (Int32, OpaquePointer?, OpaquePointer?, Int32) -> Int32
      errno = ENOSYS
      return gnuFunction("accept4", as: Accept.self)?(listener, nil, nil, Int32(SOCK_CLOEXEC.rawValue)) ?? -1
    #endif
  }
}
