import ForagePlatform

/// Wrappers of system calls whose names would conflict with methods.
enum System {
  static func write(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
    ForagePlatform.write(descriptor, bytes.baseAddress, bytes.count)
  }

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

  @discardableResult
  static func close(_ descriptor: Int32) -> Int32 {
    ForagePlatform.close(descriptor)
  }

  /// The message for an `errno` value, for example `No such file or directory`.
  static func message(_ number: Int32) -> String { String(cString: strerror(number)) }
}
