import Synchronization

/// rg, run over parts of a list of paths, several at once, as if it had run once over all of them.
///
/// Where rg sorts, it searches with one thread. Here each part is sorted, and what the parts print is written
/// in their order: the first part prints by itself, what others print waits in a file without a name until
/// their turn comes.
package final class ParallelRipgrep: Sendable {
  /// The most threads, as for rg itself.
  private static let mostThreads = 12
  /// The parts for each thread: one that ends early takes the next one.
  private static let partsOfThread = 8
  /// The fewest paths of a part; to start rg costs a few milliseconds.
  private static let fewestPaths = 4
  /// How many parts for each thread are started before their turn, so that a slow reader does not fill the
  /// disk.
  private static let partsAhead = 2
  /// How often it is looked whether to stop.
  private static let interval = Duration.milliseconds(50)
  /// The pause before it is looked again whether a part may be started, in microseconds.
  private static let pause: UInt32 = 2_000

  private struct Part {
    var launch: ChildLaunch
    /// Gets its output; -1 where that goes to standard output.
    var file: Int32
    var messages: [UInt8] = []
    /// Its status, after its end.
    var status: Int32?
  }

  private struct State {
    var parts: [Part]
    /// The part that is started next.
    var next = 0
    /// The part that is written next.
    var turn = 0
    /// Whether a thread writes a part.
    var isWriting = false
    /// The last messages that were written: a mistake in an option is told by every part.
    var lastMessages: [UInt8] = []
    /// Why nothing more is written, an `errno`.
    var failure: Int32 = 0
    /// The signal that has ended a part.
    var signal: Int32?
    var isStopped = false
  }

  private let threads: Int
  private let state: Mutex<State>

  /// Prepares the parts.
  ///
  /// - Parameters:
  ///   - program: The absolute path of rg.
  ///   - options: What stands before the paths.
  ///   - sizes: About how many files each path has.
  /// - Returns: `nil` where one run is as good, where a text is not UTF-8, and where files cannot be created.
  package init?(
    _ program: String, _ options: [[UInt8]], _ paths: [[UInt8]], sizes: [Int], environment: [String: String]
  ) {
    threads = min(OwnThread.processors, Self.mostThreads)
    let count = min(threads * Self.partsOfThread, paths.count / Self.fewestPaths)
    guard threads > 1, count > 1, let words = Self.texts(options), let paths = Self.texts(paths) else {
      return nil
    }
    var parts: [Part] = []
    for paths in Self.divided(paths, sizes, into: count) {
      guard let file = parts.isEmpty ? -1 : unnamedFile() else {
        for part in parts where part.file >= 0 { close(part.file) }
        return nil
      }
      // In the group of this process: Ctrl-C is for all.
      let launch = ChildLaunch(
        program, words + paths, environment: environment, group: .shared,
        output: .descriptor(file < 0 ? STDOUT_FILENO : file), error: .pipe)
      parts.append(Part(launch: launch, file: file))
    }
    state = Mutex(State(parts: parts))
  }

  /// Paths in parts of about the same size, at most a number of them.
  private static func divided(_ paths: [String], _ sizes: [Int], into count: Int) -> [[String]] {
    let total = sizes.reduce(0, +)
    var (parts, size): ([[String]], Int) = ([[]], 0)
    for (path, own) in zip(paths, sizes) {
      // Where the part before has its share.
      if size * count >= total * parts.count, !parts[parts.count - 1].isEmpty { parts.append([]) }
      parts[parts.count - 1].append(path)
      size += own
    }
    return parts
  }

  /// The texts of bytes; `nil` if one of them is not UTF-8.
  private static func texts(_ words: [[UInt8]]) -> [String]? {
    let texts = words.map { String(decoding: $0, as: UTF8.self) }
    return zip(texts, words).allSatisfy { $0.utf8.elementsEqual($1) } ? texts : nil
  }

  /// Runs all parts, and blocks the thread.
  ///
  /// - Parameter isCancelled: Whether to end without the rest.
  /// - Returns: The status of rg: 2 after an error, otherwise 0 if a part has found something, and 1 if none
  ///   has; 0 if nobody reads on; 128 and the signal that has ended a part, as a shell tells it.
  package func run(isCancelled: @escaping @Sendable () -> Bool) -> Int32 {
    OwnThread.perform(threads: threads) { [self] in
      while let (number, launch) = take(isCancelled) {
        let child = ChildProgram()
        var messages: [UInt8] = []
        var status: Int32 = 2
        do {
          let ending = try child.run(launch) { _ in
          } error: {
            messages += $0
          } due: { now in
            if isStopped(isCancelled) { child.stop(grace: Self.interval) }
            return now + Self.interval
          }
          switch ending {
          case .exited(let known): status = known
          // A part that is cut off is not printed, and nothing behind it.
          case .signalled(let signal): stop(signal)
          case .lost: stop()
          }
        } catch {
          messages = Array("rg: \(error)\n".utf8)
        }
        if !isStopped(isCancelled) { finish(number, status, messages) }
      }
    }
    return state.withLock { state in
      for part in state.parts.dropFirst(state.turn) where part.file >= 0 { close(part.file) }
      if state.failure == EPIPE { return 0 }
      if state.failure != 0 {
        let reason = String(cString: strerror(state.failure))
        _ = Array("rg: the output could not be written: \(reason)\n".utf8).withUnsafeBytes {
          writeAll($0, to: STDERR_FILENO)
        }
        return 2
      }
      if let signal = state.signal { return 128 + signal }
      let statuses = Set(state.parts.map(\.status))
      return statuses.isSubset(of: [0, 1]) ? statuses.contains(0) ? 0 : 1 : 2
    }
  }

  private func stop(_ signal: Int32? = nil) {
    state.withLock { state in
      if !state.isStopped { state.signal = signal }
      state.isStopped = true
    }
  }

  private func isStopped(_ isCancelled: () -> Bool) -> Bool {
    if isCancelled() { stop() }
    return state.withLock(\.isStopped)
  }

  /// The next part, when it may be started.
  private func take(_ isCancelled: () -> Bool) -> (number: Int, launch: ChildLaunch)? {
    while !isStopped(isCancelled) {
      let (part, isLast) = state.withLock { state -> ((Int, ChildLaunch)?, Bool) in
        guard state.next < state.parts.count else { return (nil, true) }
        guard state.next < state.turn + threads * Self.partsAhead else { return (nil, false) }
        defer { state.next += 1 }
        return ((state.next, state.parts[state.next].launch), false)
      }
      if part != nil || isLast { return part }
      usleep(Self.pause)
    }
    return nil
  }

  /// Writes what can be written now, unless another thread does so; that one then writes this part, too.
  private func finish(_ number: Int, _ status: Int32, _ messages: [UInt8]) {
    state.withLock { ($0.parts[number].status, $0.parts[number].messages) = (status, messages) }
    while let part = nextToWrite() {
      _ = part.messages.withUnsafeBytes { writeAll($0, to: STDERR_FILENO) }
      let failure = part.file < 0 ? 0 : Self.copy(part.file, to: STDOUT_FILENO)
      if part.file >= 0 { close(part.file) }
      state.withLock { state in
        state.isWriting = false
        (state.failure, state.isStopped) = (failure, state.isStopped || failure != 0)
      }
    }
  }

  /// The part whose turn it is, if it has ended and no other one is being written; without messages that were
  /// told.
  private func nextToWrite() -> Part? {
    state.withLock { state in
      guard !state.isStopped, !state.isWriting, state.turn < state.parts.count,
        state.parts[state.turn].status != nil
      else { return nil }
      var part = state.parts[state.turn]
      (state.turn, state.isWriting) = (state.turn + 1, true)
      if part.messages == state.lastMessages { part.messages = [] }
      if !part.messages.isEmpty { state.lastMessages = part.messages }
      return part
    }
  }

  /// Copies a file from its beginning.
  ///
  /// - Returns: 0, or the `errno` of a failure.
  private static func copy(_ file: Int32, to target: Int32) -> Int32 {
    guard lseek(file, 0, SEEK_SET) == 0 else { return errno }
    return withUnsafeTemporaryAllocation(byteCount: 256 << 10, alignment: 16) { buffer in
      while true {
        let count = read(file, buffer.baseAddress, buffer.count)
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { return count == 0 ? 0 : errno }
        let failure = writeAll(UnsafeRawBufferPointer(rebasing: buffer[..<count]), to: target)
        guard failure == 0 else { return failure }
      }
    }
  }
}

/// Opens a new file that has no name any more; `nil` if that fails (see `errno`).
private func unnamedFile() -> Int32? {
  let folder = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
  var path = Array((folder + "/forage-XXXXXX").utf8CString)
  let file = mkstemp(&path)
  guard file >= 0 else { return nil }
  unlink(path)
  _ = fcntl(file, F_SETFD, FD_CLOEXEC)
  return file
}
