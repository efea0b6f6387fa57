/// Threads outside any pool, for work that blocks and for work that others wait for.
///
/// A pool has as many threads as there are processors; blocked threads stop everything else in it.
package enum OwnThread {
  /// The stack size of the main thread (8 MiB); other threads get less on some systems.
  package static let stackSize = 8 << 20

  /// The number of processors that are in use.
  package static var processors: Int { max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }

  /// Runs a body on a new thread, or in the cooperative pool if no thread can be created.
  ///
  /// - Parameter stackSize: The size of the thread's stack in bytes.
  package static func start(stackSize: Int = stackSize, _ body: @escaping @Sendable () -> Void) {
    if let thread = create(stackSize: stackSize, body) { pthread_detach(thread) } else { Task { body() } }
  }

  /// Runs a body on several threads concurrently, the current one included, and waits for all.
  ///
  /// - Parameter threads: The number of threads; there are fewer if some cannot be created.
  package static func perform(threads: Int, _ body: @escaping @Sendable () -> Void) {
    let helpers = (1..<max(1, threads)).compactMap { _ in create(stackSize: stackSize, body) }
    body()
    for helper in helpers { pthread_join(helper, nil) }
  }

  /// Creates a thread that has to be joined or detached; `nil` if that fails.
  private static func create(stackSize: Int, _ body: @escaping @Sendable () -> Void) -> pthread_t? {
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    defer { pthread_attr_destroy(&attributes) }
    pthread_attr_setstacksize(&attributes, stackSize)
    let work = Unmanaged.passRetained(Work(body)).toOpaque()
    #if canImport(Darwin)
      var thread: pthread_t?
    #else
      var thread = pthread_t()
    #endif
    let status = pthread_create(&thread, &attributes, run, work)
    if status == 0 { return thread }
    Unmanaged<Work>.fromOpaque(work).release()
    return nil
  }

  #if canImport(Darwin)
    private static let run: @convention(c) (UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? = {
      Unmanaged<Work>.fromOpaque($0).takeRetainedValue().body()
      return nil
    }
  #else
    private static let run: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = {
      if let context = $0 { Unmanaged<Work>.fromOpaque(context).takeRetainedValue().body() }
      return nil
    }
  #endif

  private final class Work: Sendable {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }
}
