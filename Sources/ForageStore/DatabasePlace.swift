/// The location of a database, and its description in errors.
struct DatabasePlace: Sendable, Hashable {
  /// The database file.
  let path: String
  /// The noun in messages.
  let noun: String
  /// The environment variable that changes the location.
  let variable: String
  /// The hint if it is damaged.
  let damageHint: String

  /// The user's data.
  static func store(_ path: String) -> DatabasePlace {
    DatabasePlace(
      path: path, noun: "store", variable: "XDG_DATA_HOME",
      damageHint: "move it away; favorites are then lost, and clone folders must be added again")
  }

  /// The cache.
  static func cache(_ path: String) -> DatabasePlace {
    DatabasePlace(
      path: path, noun: "cache", variable: "XDG_CACHE_HOME",
      damageHint: "delete it; it is created again when needed")
  }

  /// The folder of the file; empty for a plain file name.
  var folder: String {
    path.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
  }
}
