/// Replaces this process by a program, with the standard streams, the terminal, the folder and the
/// environment of this one. Signals are as a program expects them: none is blocked, and none is ignored that
/// this one ignores.
///
/// - Parameters:
///   - program: The path of the program.
///   - arguments: The arguments after its name, which need not be UTF-8; none has a NUL.
///   - name: What it finds as its own name.
///   - variable: A variable that gets the number of this process, by which a program that leads back here is
///     known.
/// - Returns: The `errno` of the failure; it does not return otherwise.
package func replaceProcess(
  _ program: String, named name: String, _ arguments: [[UInt8]], marking variable: String
) -> Int32 {
  var pointers: [UnsafeMutablePointer<CChar>?] = ([Array(name.utf8)] + arguments).map { bytes in
    bytes.withUnsafeBufferPointer { buffer in
      let text = UnsafeMutablePointer<CChar>.allocate(capacity: buffer.count + 1)
      for (place, byte) in buffer.enumerated() { text[place] = CChar(bitPattern: byte) }
      text[buffer.count] = 0
      return text
    }
  }
  pointers.append(nil)
  defer { for case let pointer? in pointers { pointer.deallocate() } }
  var none = sigset_t()
  sigemptyset(&none)
  pthread_sigmask(SIG_SETMASK, &none, nil)
  signal(SIGPIPE, SIG_DFL)
  setenv(variable, String(getpid()), 1)
  execv(program, &pointers)
  return errno
}
