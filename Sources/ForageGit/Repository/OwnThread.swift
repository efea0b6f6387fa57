import CLibGit2
package import Dispatch

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Threads that belong to no pool, for work that others wait for.
///
/// A pool has as many threads as there are processors. Where all of them wait for work that is still queued, Dispatch on
/// Linux notices after a second.
package enum OwnThread {
  /// As the first thread has (8 MiB); elsewhere others get less.
  private static let stackSize = 8 << 20

  /// Runs a body on a new thread; where there can be no more, in a pool.
  package static func start(_ body: @escaping @Sendable () -> Void) {
    let work = Unmanaged.passRetained(Work(body))
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    defer { pthread_attr_destroy(&attributes) }
    pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
    pthread_attr_setstacksize(&attributes, stackSize)
    #if canImport(Darwin)
      var thread: pthread_t?
      let status = pthread_create(
        &thread, &attributes,
        { context in
          Unmanaged<Work>.fromOpaque(context).takeRetainedValue().body()
          return nil
        }, work.toOpaque())
    #else
      var thread = pthread_t()
      let status = pthread_create(
        &thread, &attributes,
        { context in
          if let context { Unmanaged<Work>.fromOpaque(context).takeRetainedValue().body() }
          return nil
        }, work.toOpaque())
    #endif
    if status != 0 {
      work.release()
      DispatchQueue.global(qos: .userInitiated).async(execute: body)
    }
  }

  /// Runs a body on a new thread; the group ends with it.
  package static func start(in group: DispatchGroup, _ body: @escaping @Sendable () -> Void) {
    group.enter()
    start {
      body()
      group.leave()
    }
  }

  /// Runs a body on so many threads at the same time, one of them this, and waits for all.
  package static func perform(threads: Int, _ body: @escaping @Sendable () -> Void) {
    let group = DispatchGroup()
    for _ in 1..<max(1, threads) { start(in: group, body) }
    body()
    group.wait()
  }

  private final class Work: Sendable {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }
}
