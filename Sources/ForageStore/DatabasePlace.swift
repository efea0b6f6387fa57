/// Where a database is, and how errors speak of it.
struct DatabasePlace: Sendable, Hashable {
  /// The database file.
  let path: String
  /// What users call it.
  let noun: String
  /// The environment variable that moves it.
  let variable: String
  /// What to do when it is damaged.
  let damageHint: String

  /// The user's data.
  static func store(_ path: String) -> DatabasePlace {
    DatabasePlace(
      path: path, noun: "store", variable: "XDG_DATA_HOME",
      damageHint: "move it away; favorites are then lost, and clone folders must be added again with: "
        + "forage clones add DIR")
  }

  /// What can be had again.
  static func cache(_ path: String) -> DatabasePlace {
    DatabasePlace(
      path: path, noun: "cache", variable: "XDG_CACHE_HOME",
      damageHint: "delete it; it is made anew and nothing but time is lost")
  }

  /// The folder that the file is in; empty for a bare file name.
  var folder: String {
    path.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
  }
}
