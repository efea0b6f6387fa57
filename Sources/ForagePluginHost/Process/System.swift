#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// System calls whose names are those of methods, so that they need their module's name.
enum System {
  /// `write(2)`.
  static func write(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
    #if canImport(Glibc)
      Glibc.write(descriptor, bytes.baseAddress, bytes.count)
    #elseif canImport(Musl)
      Musl.write(descriptor, bytes.baseAddress, bytes.count)
    #else
      Darwin.write(descriptor, bytes.baseAddress, bytes.count)
    #endif
  }

  /// `read(2)`.
  static func read(_ descriptor: Int32, _ bytes: UnsafeMutableRawBufferPointer) -> Int {
    #if canImport(Glibc)
      Glibc.read(descriptor, bytes.baseAddress, bytes.count)
    #elseif canImport(Musl)
      Musl.read(descriptor, bytes.baseAddress, bytes.count)
    #else
      Darwin.read(descriptor, bytes.baseAddress, bytes.count)
    #endif
  }

  /// `open(2)` without waiting for the other end of what is no file.
  static func openReading(_ path: String) -> Int32 {
    #if canImport(Glibc)
      Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    #elseif canImport(Musl)
      Musl.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    #else
      Darwin.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    #endif
  }

  /// `open(2)` for a file that is made where it is missing, for the user alone.
  static func openWriting(_ path: String, _ flags: Int32) -> Int32 {
    #if canImport(Glibc)
      Glibc.open(path, flags | O_CREAT | O_CLOEXEC, 0o600)
    #elseif canImport(Musl)
      Musl.open(path, flags | O_CREAT | O_CLOEXEC, 0o600)
    #else
      Darwin.open(path, flags | O_CREAT | O_CLOEXEC, 0o600)
    #endif
  }

  /// `close(2)`.
  @discardableResult
  static func close(_ descriptor: Int32) -> Int32 {
    #if canImport(Glibc)
      Glibc.close(descriptor)
    #elseif canImport(Musl)
      Musl.close(descriptor)
    #else
      Darwin.close(descriptor)
    #endif
  }

  /// What the system says of an error's number, for example `No such file or directory`.
  static func message(_ number: Int32) -> String { String(cString: strerror(number)) }

  /// Runs a body on a thread of its own, away from Swift's cooperative pool, which nothing may block.
  ///
  /// - Returns: Whether there was a thread to be had; the body does not run otherwise.
  static func onOwnThread(_ body: @escaping @Sendable () -> Void) -> Bool {
    let box = Unmanaged.passRetained(ThreadBody(body))
    #if canImport(Darwin)
      var thread: pthread_t?
      let status = pthread_create(&thread, nil, { System.run($0) }, box.toOpaque())
    #else
      var thread = pthread_t()
      let status = pthread_create(&thread, nil, { System.run($0) }, box.toOpaque())
    #endif
    guard status == 0 else {
      box.release()
      return false
    }
    #if canImport(Darwin)
      if let thread { pthread_detach(thread) }
    #else
      pthread_detach(thread)
    #endif
    return true
  }

  private static func run(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    if let argument { Unmanaged<ThreadBody>.fromOpaque(argument).takeRetainedValue().body() }
    return nil
  }

  /// Runs a body on a thread of its own and suspends the caller until it ends; where no thread is to be had,
  /// on the caller's.
  static func blocking<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
    await withCheckedContinuation { continuation in
      let work: @Sendable () -> Void = { continuation.resume(returning: body()) }
      if !onOwnThread(work) { work() }
    }
  }
}

/// What a thread runs.
private final class ThreadBody: Sendable {
  let body: @Sendable () -> Void
  init(_ body: @escaping @Sendable () -> Void) { self.body = body }
}
