import ForagePlatform

/// The heaps of glibc's `malloc`.
enum MallocArenas {
  /// Lets all threads share one heap.
  ///
  /// glibc gives each of a dozen threads a heap of its own, which keeps what the thread frees. An answer of
  /// 3.7 MB with 90,000 odd items takes 82 MB then and 54 MB with one heap, and no longer. An inspection of a
  /// large history would take 1.1 times as long with one heap, for which its two threads would wait, and no
  /// less memory. To be called before there are other threads.
  static func useOne() {
    #if canImport(Glibc)
      // `M_ARENA_MAX` of glibc's malloc.h, which the platform's module leaves out, as it does `mallopt`.
      let arenaMaximum: Int32 = -8
      typealias Mallopt = @convention(c) (Int32, Int32) -> Int32
      guard let symbol = dlsym(nil, "mallopt") else { return }
      _ = unsafeBitCast(symbol, to: Mallopt.self)(arenaMaximum, 1)
    #endif
  }
}
