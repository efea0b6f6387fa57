#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Wrappers of system calls whose names would conflict with methods.
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

  /// `open(2)` for reading, without blocking on pipes and devices.
  static func openReading(_ path: String) -> Int32 {
    #if canImport(Glibc)
      Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    #elseif canImport(Musl)
      Musl.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    #else
      Darwin.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    #endif
  }

  /// `open(2)` for writing; a new file is accessible only to the user.
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

  /// The message for an `errno` value, for example `No such file or directory`.
  static func message(_ number: Int32) -> String { String(cString: strerror(number)) }

  /// Runs a closure on a new thread, because threads of Swift's cooperative pool must not block.
  ///
  /// - Returns: Whether the thread was created; otherwise the closure does not run.
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

  /// Runs a closure on a new thread and suspends the caller until it ends; runs it on the caller's thread if
  /// no thread can be created.
  static func blocking<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
    await withCheckedContinuation { continuation in
      let work: @Sendable () -> Void = { continuation.resume(returning: body()) }
      if !onOwnThread(work) { work() }
    }
  }
}

/// The closure of a thread.
private final class ThreadBody: Sendable {
  let body: @Sendable () -> Void
  init(_ body: @escaping @Sendable () -> Void) { self.body = body }
}
