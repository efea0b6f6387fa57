/// Writes all bytes to a descriptor; waits while a non-blocking one is full.
///
/// - Returns: 0, or the `errno` of the failure.
package func writeAll(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Int32 {
  var rest = bytes[...]
  while !rest.isEmpty {
    let count = write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
    if count > 0 {
      rest = rest.dropFirst(count)
    } else if count == 0 {
      return EIO
    } else if errno == EAGAIN {
      var ready = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
      poll(&ready, 1, -1)
    } else if errno != EINTR {
      return errno
    }
  }
  return 0
}
