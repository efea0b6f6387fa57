import ForagePlatform

/// How the process gets its memory.
enum Memory {
  #if canImport(Glibc)
    /// Bytes by which a heap grows at least: a search takes a few of these.
    private static let step: Int32 = 1 << 20
    /// `M_TOP_PAD` of glibc's malloc.h, which the platform's module leaves out, as it does `mallopt`.
    private static let topPad: Int32 = -2
    /// `M_ARENA_MAX` of the same header.
    private static let arenaMaximum: Int32 = -8
  #endif

  /// Lets one heap grow in large steps: at each step the kernel halts every thread of the process for a moment, and a heap for each of a dozen
  /// threads that live for milliseconds is mostly page faults.
  static func growInLargeSteps() {
    #if canImport(Glibc)
      typealias Mallopt = @convention(c) (Int32, Int32) -> Int32
      guard let symbol = dlsym(nil, "mallopt") else { return }
      let mallopt = unsafeBitCast(symbol, to: Mallopt.self)
      _ = mallopt(topPad, step)
      _ = mallopt(arenaMaximum, 1)
    #endif
  }
}
