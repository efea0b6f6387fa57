import Forage

/// How a command uses cached answers.
enum CacheChoice {
  /// The use of cached answers for the options.
  ///
  /// - Throws: `ForageError` for both options at once.
  static func use(offline: Bool, noCache: Bool) throws -> SearchOptions.CacheUse {
    if offline, noCache {
      throw ForageError(
        "--offline and --no-cache exclude each other",
        hint: "--offline uses only the cache, --no-cache bypasses it")
    }
    return offline ? .cacheOnly : noCache ? .bypass : .normal
  }
}
