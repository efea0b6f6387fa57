import ForageCore
import ForagePlatform
import ForagePluginProtocol
import Synchronization

/// A running plugin with its pending requests and time limits.
///
/// The plugin's messages are handled on the thread of its process, which also checks the time limits. A
/// plugin that violates the protocol is stopped, and its pending requests fail with the reason.
final class PluginConnection: Sendable {
  struct State {
    /// When `initialize` was sent, and what receives its answer; `nil` before that and once it is answered.
    var greeting:
      (start: ContinuousClock.Instant, finish: @Sendable (Result<InitializeResult, SearchError>) -> Void)?
    var isInitialized = false
    /// Why no more requests are sent.
    var terminalError: SearchError?
    /// Whether it is stopped for a fault or has ended, after which its output is ignored.
    var hasFailed = false
    /// The queued and pending requests by their tickets, which are the ids of those that are sent.
    var calls: [Int: PendingCall] = [:]
    var nextTicket = greetingID + 1
    /// Whether it has answered a request.
    var hasAnswered = false
    /// Whether its start has not been given back.
    var isStartCounted = true
    var protocolViolations = 0

    /// Gives its start back.
    ///
    /// - Returns: Whether it was counted.
    mutating func takeStart() -> Bool {
      defer { isStartCounted = false }
      return isStartCounted
    }
  }

  static let greetingID = 0

  let name: String
  let process = PluginProcess()
  let state = Mutex(State())
  private let handshake: Duration
  private let reader = Mutex(LineReader())
  /// Receives protocol violations that do not stop the plugin, for use after its name.
  let warn: @Sendable (String) -> Void
  /// Masks the plugin's secrets in its output.
  let redaction: SecretRedaction
  /// The number of requests that each provider handles at a time, by id; 1 for others.
  private let concurrency: [String: Int]
  /// Sends the plugin's requests.
  let http: @Sendable (HTTPParams, _ deadline: ContinuousClock.Instant) async throws -> HTTPResult
  /// Its start is counted here.
  let restarts: PluginRestarts
  let key: PluginRestarts.Key

  /// Creates a connection to a plugin whose start is counted.
  init(
    name: String, concurrency: [String: Int], handshake: Duration, redaction: SecretRedaction,
    warn: @escaping @Sendable (String) -> Void, restarts: PluginRestarts, key: PluginRestarts.Key,
    http: @escaping @Sendable (HTTPParams, _ deadline: ContinuousClock.Instant) async throws -> HTTPResult
  ) {
    self.name = name
    self.concurrency = concurrency
    self.handshake = handshake
    self.redaction = redaction
    self.warn = warn
    self.restarts = restarts
    self.key = key
    self.http = http
  }

  /// Whether requests can be sent.
  var isUsable: Bool { state.withLock { $0.isInitialized && $0.terminalError == nil } }

  /// Sends a message. One that is not accepted leads to a timeout.
  func send(_ message: Message) { process.send(message.line) }

  // MARK: Asking

  /// Starts the plugin, and returns its answer to `initialize`; called once.
  ///
  /// - Parameter log: Receives each line of the plugin's standard error.
  /// - Throws: `SearchError` for a plugin that does not start, answer in time or speak the protocol.
  func open(_ launch: ChildLaunch, greeting: JSONTree, log: @escaping @Sendable (String) -> Void)
    async
    throws(SearchError) -> InitializeResult
  {
    let result = await withCheckedContinuation { continuation in
      let terminalError = state.withLock { state in
        if state.terminalError == nil { state.greeting = (.now, { continuation.resume(returning: $0) }) }
        return state.terminalError
      }
      process.start(
        launch,
        PluginProcess.Observer(
          output: { bytes in
            do throws(FrameError) {
              try self.reader.withLock { reader throws(FrameError) in try reader.append(bytes, self.receive) }
            } catch {
              guard case .lineTooLong(let limit) = error else { return }
              self.breakOff("wrote a line of more than \(limit >> 10) KiB", .responseTooLarge)
            }
          },
          redaction: redaction, log: log, due: { now in self.enforceDeadlines(now) },
          ended: { ending, lastLine in
            // A program that was killed may have been writing a message.
            if case .exited = ending { self.reader.withLock { $0.finish(self.receive) } }
            self.fail(PluginFault.ended(self.name, ending, lastLine))
          }))
      // Closed before it was opened.
      if let terminalError { return continuation.resume(returning: .failure(terminalError)) }
      send(.request(id: .number(Self.greetingID), method: PluginProtocol.Method.initialize, params: greeting))
    }
    return try result.get()
  }

  /// Sends a request to the initialized plugin, and returns when it is answered, timed out or cancelled.
  ///
  /// - Parameter isAlone: Whether nothing else may be sent until it is answered.
  func ask(_ call: PluginCall, isAlone: Bool) async -> PluginAnswer {
    let ticket = state.withLock { state in
      defer { state.nextTicket += 1 }
      return state.nextTicket
    }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let terminalError = state.withLock { state in
          if state.terminalError == nil {
            state.calls[ticket] = PendingCall(call: call, isAlone: isAlone) {
              continuation.resume(returning: $0)
            }
          }
          return state.terminalError
        }
        if let terminalError {
          return continuation.resume(
            returning: PluginAnswer(failure: terminalError, interruption: .unsent))
        }
        pump()
        // The thread has to know its deadline.
        process.wake()
        // Cancelled before the request was registered.
        if Task.isCancelled { giveUp(ticket, PluginFault.cancelled(name)) }
      }
    } onCancel: {
      giveUp(ticket, PluginFault.cancelled(name))
    }
  }

  /// Sends the requests that their providers can take; first those that are sent alone.
  func pump() {
    state.withLock { state in
      var busy: [String: Int] = [:]
      for pending in state.calls.values where pending.isSent { busy[pending.call.provider, default: 0] += 1 }
      var isTaken = state.calls.values.contains { $0.isSent && $0.isAlone }
      let waiting = state.calls.filter { !$1.isSent }.sorted {
        $0.value.isAlone == $1.value.isAlone ? $0.key < $1.key : $0.value.isAlone
      }
      for (ticket, pending) in waiting {
        // Neither does anything begin while one is alone, nor one that is to be alone beside others.
        if isTaken || pending.isAlone && !busy.isEmpty { return }
        isTaken = pending.isAlone
        let call = pending.call
        guard busy[call.provider, default: 0] < concurrency[call.provider] ?? 1 else { continue }
        busy[call.provider, default: 0] += 1
        state.calls[ticket]?.isSent = true
        // Sent with the lock held: a cancellation is sent after its request.
        send(.request(id: .number(ticket), method: call.method, params: call.params(call.deadline) ?? .null))
      }
    }
  }

  // MARK: Time limits

  /// Ends a request with the items received so far. If the plugin is busy with it, the request is cancelled,
  /// and the plugin has a grace period to answer.
  func giveUp(_ ticket: Int, _ error: SearchError) {
    let pending = state.withLock { state -> PendingCall? in
      guard let pending = state.calls[ticket], pending.finish != nil else { return nil }
      guard pending.isSent else { return state.calls.removeValue(forKey: ticket) }
      state.calls[ticket]?.finish = nil
      state.calls[ticket]?.answer = PluginAnswer()
      state.calls[ticket]?.graceEnd = .now + PluginProtocol.Limits.cancelGrace
      let params = try? JSONTree(encoding: CancelParams(id: .number(ticket)))
      send(.notification(method: PluginProtocol.Method.cancel, params: params ?? .null))
      return pending
    }
    guard let pending else { return }
    var answer = pending.answer
    answer.failure = error
    pending.finish?(answer)
  }

  /// Ends what is late, and returns when something is due next.
  private func enforceDeadlines(_ now: ContinuousClock.Instant) -> ContinuousClock.Instant? {
    let late = state.withLock { $0.calls.filter { $1.finish != nil && $1.call.deadline <= now } }
    for (ticket, call) in late { giveUp(ticket, PluginFault.unanswered(name, after: call.rejected)) }
    let (greetingEnd, graceEnd, deadline) = state.withLock { state in
      (
        state.greeting.map { $0.start + handshake }, state.calls.values.compactMap(\.graceEnd).min(),
        state.calls.values.filter { $0.finish != nil }.map(\.call.deadline).min()
      )
    }
    if let greetingEnd, greetingEnd <= now {
      let (limit, attoseconds) = handshake.components
      let tenths = attoseconds / 100_000_000_000_000_000
      let seconds = "\(limit)" + (tenths == 0 ? "" : ".\(tenths)")
      fail(
        PluginFault.late(
          name, "did not answer initialize within \(seconds) s of its start",
          hint: "allow more in the settings, as start: 10; if it never answers, " + PluginFault.unflushed))
      return nil
    }
    if let graceEnd, graceEnd <= now {
      fail(PluginFault.late(name, "did not answer a cancelled request in time and was killed"))
      return nil
    }
    return [greetingEnd, graceEnd, deadline].compactMap(\.self).min()
  }

  // MARK: Ending

  /// Stops the plugin; pending requests fail.
  ///
  /// - Parameter exitTimeout: How long it may take to exit.
  func close(_ exitTimeout: Duration) { end(PluginFault.closed(name), exitTimeout, isFault: false) }

  /// Fails all pending requests, and stops the plugin for a fault of its own.
  func fail(_ error: SearchError) { end(error, .zero, isFault: true) }

  private func end(_ error: SearchError, _ exitTimeout: Duration, isFault: Bool) {
    let (calls, greeting, isFirst, hasAnswered, isStartCounted) = state.withLock { state in
      defer {
        // A plugin that is no longer wanted may answer what it was sent.
        state.calls = isFault ? [:] : state.calls.filter(\.value.isSent).mapValues(\.abandoned)
        state.greeting = nil
        state.terminalError = state.terminalError ?? error
        state.hasFailed = state.hasFailed || isFault
      }
      return (
        state.calls.sorted { $0.key < $1.key }.map(\.value), state.greeting, state.terminalError == nil,
        state.hasAnswered, state.takeStart()
      )
    }
    process.stop(exitTimeout)
    // Before its requests fail and may start it again.
    if isFirst, isFault { restarts.recordEnd(of: key) }
    if isStartCounted { restarts.giveBack(key) }
    greeting?.finish(.failure(error))
    // A plugin may end after an answer for its own reasons, just when another request was sent. One that was
    // late has used up the time, and the request that it did not cancel is known.
    let isUnclear = (hasAnswered || calls.count(where: \.isSent) > 1) && error.code != .timeout
    for call in calls {
      var answer = call.answer
      answer.failure = error
      if isFault { answer.interruption = call.isSent ? isUnclear ? .besideOthers : nil : .unsent }
      call.finish?(answer)
    }
  }
}
