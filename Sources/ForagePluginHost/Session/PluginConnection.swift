import ForageCore
import ForagePluginProtocol
import Synchronization

/// A running plugin with its pending requests and time limits.
///
/// The plugin's messages are handled on the thread of its process, which also checks the time limits. A
/// plugin that violates the protocol is stopped, and its pending requests fail with the reason.
final class PluginConnection: Sendable {
  struct State {
    /// Whether `initialize` is answered.
    var isInitialized = false
    /// When `initialize` was sent; `nil` before that and once it is answered.
    var handshakeStart: ContinuousClock.Instant?
    var terminalError: SearchError?
    /// The queued and pending requests by their tickets, which are the ids of those that are sent.
    var calls: [Int: PendingCall] = [:]
    var nextTicket = greetingID + 1
    var protocolViolations = 0
  }

  static let greetingID = 0

  let name: String
  let times: PluginTimes
  let process = PluginProcess()
  let state = Mutex(State())
  private let reader = Mutex(LineReader())
  /// Receives protocol violations that do not stop the plugin, for use after its name.
  let warn: @Sendable (String) -> Void
  /// Masks the plugin's secrets in its output.
  let redaction: SecretRedaction
  /// The number of requests that each provider handles at a time, by id; 1 for others.
  private let concurrency: [String: Int]
  private let log: @Sendable (String) -> Void

  /// Creates a connection.
  ///
  /// - Parameters:
  ///   - name: The plugin's display name.
  ///   - concurrency: The number of requests that each provider handles at a time, by id.
  ///   - redaction: Masks the secrets that the plugin receives.
  ///   - log: Receives each line of the plugin's standard error.
  ///   - warn: Receives protocol violations.
  init(
    name: String, concurrency: [String: Int], times: PluginTimes, redaction: SecretRedaction,
    log: @escaping @Sendable (String) -> Void, warn: @escaping @Sendable (String) -> Void
  ) {
    self.name = name
    self.concurrency = concurrency
    self.times = times
    self.redaction = redaction
    self.log = log
    self.warn = warn
  }

  /// Starts the plugin and sends `initialize`; called once.
  func open(_ launch: PluginLaunch, greeting: JSONTree) {
    state.withLock { $0.handshakeStart = .now }
    process.startThread(
      launch,
      observer: PluginProcess.Observer(
        output: { bytes in
          do throws(FrameError) {
            try self.reader.withLock { reader throws(FrameError) in try reader.append(bytes, self.receive) }
          } catch {
            self.breakOff(error)
          }
        },
        redaction: redaction, log: log, due: { now in self.enforceDeadlines(now) },
        ended: { ending, lastWords in self.fail(PluginFault.ended(self.name, ending, lastWords)) }))
    send(
      .request(id: .number(Self.greetingID), method: PluginProtocol.Method.initialize, params: greeting))
  }

  /// Sends a message. One that is not accepted leads to a timeout.
  func send(_ message: Message) { _ = process.send(message.line) }

  var isUsable: Bool { state.withLock { $0.terminalError == nil } }
  /// Logs that `initialize` was answered, or why not.
  func logHandshake(_ start: ContinuousClock.Instant, _ outcome: String) {
    log("initialize\(outcome), \(Int((ContinuousClock.now - start) / .milliseconds(1))) ms")
  }

  var terminalError: SearchError? { state.withLock { $0.terminalError } }
  var isInitialized: Bool { state.withLock { $0.isInitialized } }

  /// Stops the plugin; pending requests fail.
  func close(_ urgency: PluginProcess.Urgency) { fail(PluginFault.closed(name), urgency: urgency) }

  // MARK: Asking

  /// Sends a request, and returns when it is answered, timed out or cancelled.
  func ask(_ call: PluginCall) async -> PluginAnswer {
    let ticket = state.withLock { state in
      defer { state.nextTicket += 1 }
      return state.nextTicket
    }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        enqueue(ticket, call) { continuation.resume(returning: $0) }
        // Cancelled before the request was registered.
        if Task.isCancelled { cancel(ticket) }
      }
    } onCancel: {
      cancel(ticket)
    }
  }

  private func enqueue(
    _ ticket: Int, _ call: PluginCall, finish: @escaping @Sendable (PluginAnswer) -> Void
  ) {
    let terminalError = state.withLock { state in
      if state.terminalError == nil { state.calls[ticket] = PendingCall(call: call, finish: finish) }
      return state.terminalError
    }
    if let terminalError { return finish(PluginAnswer(failure: terminalError)) }
    pump()
    process.wake()
  }

  private func cancel(_ ticket: Int) { giveUp(ticket, PluginFault.cancelled(name)) }

  func pump() {
    var ready: [(ticket: Int, call: PluginCall)] = []
    let finished = state.withLock { state -> [@Sendable () -> Void] in
      guard state.isInitialized, state.terminalError == nil else { return [] }
      var finished: [@Sendable () -> Void] = []
      var busy: [String?: Int] = [:]
      for call in state.calls.values where call.isSent { busy[call.call.provider, default: 0] += 1 }
      for (ticket, pending) in state.calls.sorted(by: { $0.key < $1.key }) where !pending.isSent {
        let provider = pending.call.provider
        if pending.call.method == nil {
          state.calls[ticket] = nil
          if let finish = pending.finish { finished.append { finish(PluginAnswer()) } }
        } else if busy[provider, default: 0] < provider.flatMap({ concurrency[$0] }) ?? 1 {
          busy[provider, default: 0] += 1
          state.calls[ticket]?.isSent = true
          ready.append((ticket, pending.call))
        }
      }
      return finished
    }
    for finish in finished { finish() }
    for (ticket, call) in ready {
      guard let method = call.method, let params = call.params(call.deadline) else {
        let pending = state.withLock { $0.calls.removeValue(forKey: ticket) }
        pending?.finish?(PluginAnswer(failure: PluginFault.broken(name, "could not be sent a request")))
        continue
      }
      send(.request(id: .number(ticket), method: method, params: params))
      // Cancelled while it was being sent.
      let isUnwanted = state.withLock { state in state.calls[ticket].map { $0.finish == nil } ?? false }
      if isUnwanted { notifyCancelled(ticket) }
    }
  }

  // MARK: Ending

  /// Fails all pending requests, and stops the plugin.
  func fail(_ error: SearchError, urgency: PluginProcess.Urgency = .immediate) {
    let (calls, handshake) = state.withLock { state -> ([PendingCall], ContinuousClock.Instant?) in
      guard state.terminalError == nil else { return ([], nil) }
      state.terminalError = error
      defer { (state.calls, state.handshakeStart) = ([:], nil) }
      return (state.calls.sorted { $0.key < $1.key }.map(\.value), state.handshakeStart)
    }
    if let handshake { logHandshake(handshake, " failed (\(error.code.rawValue))") }
    process.terminate(urgency)
    for call in calls {
      var answer = call.answer
      answer.failure = error
      call.finish?(answer)
    }
  }
}
