import Synchronization

/// A service that is made at its first use: most commands need few of them, and some read files when they are
/// made.
package final class Once<Value: Sendable, Failure: Error>: Sendable {
  private let known = Mutex<Result<Value, Failure>?>(nil)
  private let make: @Sendable () throws(Failure) -> Value

  /// - Parameter make: Makes the service; called at most once. It must not use this service.
  package init(_ make: @escaping @Sendable () throws(Failure) -> Value) { self.make = make }

  /// The service.
  ///
  /// - Throws: The error that the service could not be made with, each time.
  package func get() throws(Failure) -> Value {
    try known.withLock { known throws(Failure) in
      if let known { return try known.get() }
      let made = Result { () throws(Failure) in try make() }
      known = made
      return try made.get()
    }
  }

  /// The service, if it was used and could be made.
  package var made: Value? { known.withLock { try? $0?.get() } }
}

/// A value behind a lock that several closures or values can hold; a `Mutex` itself cannot be copied into
/// them.
package final class Locked<Value: Sendable>: Sendable {
  private let mutex: Mutex<Value>

  package init(_ value: Value) { mutex = Mutex(value) }

  /// Reads or changes the value; the lock is held meanwhile.
  package func withLock<Result: Sendable, Failure: Error>(
    _ body: (inout Value) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try mutex.withLock { value throws(Failure) in try body(&value) }
  }
}
