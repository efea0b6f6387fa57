import ForageFoundation
import ForagePlatform
import GRDB

/// Opens databases, also when several processes do so concurrently.
enum DatabaseOpening {
  /// How long to wait for another process that is writing, in seconds.
  static let busyTimeout: Double = 5
  /// How long a writing command waits, in seconds. SQLite does not queue waiters fairly; two hundred
  /// concurrent writers take ten seconds.
  static let writerPatience: Double = 30
  /// The number of attempts. Concurrent first starts can conflict when they enable WAL mode, for which SQLite
  /// does not wait, and in the migrations.
  private static let tries = 10
  /// The pause before the second attempt in microseconds. The pauses grow, to about a second in total.
  private static let pause: UInt32 = 20_000

  /// A configuration that waits for other writers.
  static func configuration(busyTimeout: Double = busyTimeout) -> Configuration {
    var configuration = Configuration()
    configuration.busyMode = .timeout(busyTimeout)
    return configuration
  }

  /// Creates the folder of a database.
  ///
  /// - Parameter mode: The permissions of a new folder; `nil` for the default.
  static func makeFolder(of place: DatabasePlace, mode: Int? = nil) throws {
    let folder = parentFolder(of: place.path)
    guard folder != ".", folder != "/", !FileManager.default.fileExists(atPath: folder) else { return }
    try FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: true,
      attributes: mode.map { [.posixPermissions: $0] })
  }

  /// Retries the steps of opening a database, because another process may perform the same step concurrently.
  /// After a full wait for a writer there is no retry.
  ///
  /// - Parameter busyTimeout: How long other processes are waited for, in seconds.
  /// - Throws: The error of the last attempt.
  static func retrying<Value>(busyTimeout: Double = busyTimeout, _ steps: () throws -> Value) throws -> Value
  {
    let end = ContinuousClock.now + .seconds(busyTimeout)
    for attempt in 1... {
      do {
        return try steps()
      } catch let error as DatabaseError
        where attempt < tries
        && (error.resultCode == .SQLITE_ERROR
          || error.resultCode == .SQLITE_BUSY && ContinuousClock.now < end)
      {
        // The random pause separates concurrent processes.
        usleep(UInt32.random(in: pause / 2...pause * 3 / 2) * UInt32(attempt))
      }
    }
    throw DatabaseError(resultCode: .SQLITE_BUSY)
  }
}

/// The location of a database, and its description in errors.
struct DatabasePlace: Sendable, Hashable {
  let path: String
  /// The noun in messages.
  let noun: String
  /// The environment variable that changes the location.
  let variable: String
  let damageHint: String

  static func store(_ path: String) -> DatabasePlace {
    DatabasePlace(
      path: path, noun: "store", variable: "XDG_DATA_HOME",
      damageHint: "move it away; favorites are then lost, and clone folders must be added again")
  }
}
