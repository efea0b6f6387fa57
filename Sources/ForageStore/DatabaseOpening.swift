import GRDB

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// How every database of ours is opened, also by several processes at the same moment.
enum DatabaseOpening {
  /// How long one process waits for another that is writing, in seconds.
  static let busyTimeout: Double = 5
  /// How long a command that is there to write waits, in seconds: who waits is served by luck, not in turn, and the
  /// writing of two hundred that start at once takes ten.
  static let writerPatience: Double = 30
  /// First starts at the same moment collide when they turn on WAL mode, for which SQLite does not wait, and
  /// in the migrations.
  private static let tries = 10
  /// Microseconds before the first new try; the pauses grow, to about a second in all.
  private static let pause: UInt32 = 20_000

  /// A configuration that waits for other writers.
  static var configuration: Configuration {
    var configuration = Configuration()
    configuration.busyMode = .timeout(busyTimeout)
    return configuration
  }

  /// Makes the folder of a database.
  ///
  /// - Parameter mode: The permission bits of a folder that is made; `nil` leaves them to the system.
  static func makeFolder(of place: DatabasePlace, mode: Int? = nil) throws {
    guard !place.folder.isEmpty else { return }
    try FileManager.default.createDirectory(
      atPath: place.folder, withIntermediateDirectories: true,
      attributes: mode.map { [.posixPermissions: $0] })
  }

  /// Runs the steps of an opening. Another process may make the same step at the same moment; the one that
  /// loses looks again; one that has been kept out for as long as it waits for a writer does not.
  ///
  /// - Throws: What the last try threw.
  static func retrying<Value>(_ steps: () throws -> Value) throws -> Value {
    let end = ContinuousClock.now + .seconds(busyTimeout)
    for attempt in 1... {
      do {
        return try steps()
      } catch let error as DatabaseError
        where attempt < tries
        && (error.resultCode == .SQLITE_ERROR
          || error.resultCode == .SQLITE_BUSY && ContinuousClock.now < end)
      {
        // Not all at the same moment again.
        usleep(UInt32.random(in: pause / 2...pause * 3 / 2) * UInt32(attempt))
      }
    }
    throw DatabaseError(resultCode: .SQLITE_BUSY)
  }
}
