import CLibGit2
package import Dispatch
import ForagePlatform

/// Threads outside any pool, for work that others wait for.
///
/// A pool has as many threads as there are processors. If all of them wait for work that is still queued,
/// Dispatch on Linux takes a second to add another.
package enum OwnThread {
  /// The stack size of the main thread (8 MiB); other threads get less on some systems.
  private static let stackSize = 8 << 20

  /// Runs a body on a new thread, or in a pool if no thread can be created.
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

  /// Runs a body on a new thread and leaves the group when it ends.
  package static func start(in group: DispatchGroup, _ body: @escaping @Sendable () -> Void) {
    group.enter()
    start {
      body()
      group.leave()
    }
  }

  /// Runs a body on several threads concurrently, the current one included, and waits for all.
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
