import ForagePlatform

/// Wrappers of system calls whose names would conflict with methods.
enum System {
  /// `write(2)`.
  static func write(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
    ForagePlatform.write(descriptor, bytes.baseAddress, bytes.count)
  }

  /// `read(2)`.
  static func read(_ descriptor: Int32, _ bytes: UnsafeMutableRawBufferPointer) -> Int {
    ForagePlatform.read(descriptor, bytes.baseAddress, bytes.count)
  }

  /// `open(2)` for reading, without blocking on pipes and devices.
  static func openReading(_ path: String) -> Int32 {
    ForagePlatform.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
  }

  /// `open(2)` for writing; a new file is accessible only to the user.
  static func openWriting(_ path: String, _ flags: Int32) -> Int32 {
    ForagePlatform.open(path, flags | O_CREAT | O_CLOEXEC, 0o600)
  }

  /// `close(2)`.
  @discardableResult
  static func close(_ descriptor: Int32) -> Int32 {
    ForagePlatform.close(descriptor)
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
