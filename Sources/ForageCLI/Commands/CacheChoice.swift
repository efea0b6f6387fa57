import ForageHTTP

/// How a command uses cached answers.
enum CacheChoice {
  /// The mode for the options.
  ///
  /// - Throws: `CommandError` for both options at once.
  static func mode(offline: Bool, noCache: Bool) throws -> HTTPCachePolicy.Mode {
    if offline, noCache {
      throw CommandError(
        "--offline and --no-cache exclude each other",
        hint: "--offline uses only the cache, --no-cache bypasses it")
    }
    return offline ? .offline : noCache ? .bypass : .normal
  }
}
