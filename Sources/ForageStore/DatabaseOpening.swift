import ForageFoundation
import ForagePlatform
import GRDB

/// Opens databases, also when several processes do so concurrently.
enum DatabaseOpening {
  /// How long reading what can be done without waits for another process, in seconds. In WAL mode a process
  /// that writes keeps no reader out. One that opens a database for the first time, closes it as the last, or
  /// repairs it does so for some milliseconds; whoever holds it longer may hold it for ever.
  static let readingTimeout: Double = 0.4
  /// The same for the store: nobody is to do without what the user has put there.
  static let storeReadingTimeout: Double = 2.5
  /// How long writing waits for another process, in seconds.
  static let writingTimeout: Double = 5
  /// How long a command waits whose purpose is to write, in seconds. SQLite does not queue waiters fairly;
  /// two hundred concurrent writers take ten seconds.
  static let writingCommandTimeout: Double = 30
  /// How long the process that creates or migrates the store is waited for, in seconds: among two hundred
  /// others on a busy machine it takes that long.
  static let creationTimeout: Double = 20
  /// The number of attempts.
  private static let tries = 10
  /// The pause before the second attempt in microseconds. The pauses grow, to about a second in total.
  private static let pause: UInt32 = 20_000

  /// A configuration that waits for other processes.
  static func configuration(busyTimeout: Double) -> Configuration {
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
  static func retrying<Value>(busyTimeout: Double, _ steps: () throws -> Value) throws -> Value {
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

extension DatabaseQueue {
  /// Writes in an immediate transaction.
  ///
  /// - Parameter seconds: How long it waits for another process that writes; 0 fails at once.
  func write<Value>(waiting seconds: Double, _ body: (Database) throws -> Value) throws -> Value {
    try inDatabase { database in
      // Pragmas do not support bound values; both are numbers.
      let usual = try Int.fetchOne(database, sql: "PRAGMA busy_timeout") ?? 0
      try database.execute(sql: "PRAGMA busy_timeout = \(Int(seconds * 1000))")
      defer { try? database.execute(sql: "PRAGMA busy_timeout = \(usual)") }
      var value: Value?
      try database.inTransaction(.immediate) {
        value = try body(database)
        return .commit
      }
      guard let value else { throw DatabaseError(resultCode: .SQLITE_ABORT) }
      return value
    }
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
