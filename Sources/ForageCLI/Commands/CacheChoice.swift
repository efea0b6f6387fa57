import ForageHTTP

/// How a command uses the answers of earlier requests.
enum CacheChoice {
  /// The mode that the options ask for.
  ///
  /// - Throws: `CommandError` when they contradict each other.
  static func mode(offline: Bool, noCache: Bool) throws -> HTTPCachePolicy.Mode {
    if offline, noCache {
      throw CommandError(
        "--offline and --no-cache exclude each other",
        hint: "--offline answers from the cache, --no-cache leaves it aside")
    }
    return offline ? .offline : noCache ? .bypass : .normal
  }
}
