import ForageCore
import ForagePluginProtocol
import Synchronization

extension PluginConnection {
  /// Ends a request with the items received so far. If the plugin is busy with it, the request is cancelled,
  /// and the plugin has a grace period to answer.
  func giveUp(_ ticket: Int, _ error: SearchError) {
    let (finish, answer, isSent) = state.withLock {
      state -> ((@Sendable (PluginAnswer) -> Void)?, PluginAnswer, Bool) in
      guard var pending = state.calls[ticket], let finish = pending.finish else {
        return (nil, PluginAnswer(), false)
      }
      var answer = pending.answer
      answer.failure = error
      pending.finish = nil
      pending.answer = PluginAnswer()
      pending.graceEnd = .now + times.cancelGrace
      state.calls[ticket] = pending.isSent ? pending : nil
      return (finish, answer, pending.isSent)
    }
    guard let finish else { return }
    if isSent { notifyCancelled(ticket) }
    finish(answer)
  }

  func notifyCancelled(_ ticket: Int) {
    guard let params = try? JSONTree(encoding: CancelParams(id: .number(ticket))) else { return }
    send(.notification(method: PluginProtocol.Method.cancel, params: params))
    process.wake()
  }

  /// Ends what is late, and returns when something is due next.
  func enforceDeadlines(_ now: ContinuousClock.Instant) -> ContinuousClock.Instant? {
    var late: [(ticket: Int, lostMessage: String?)] = []
    let (fault, next) = state.withLock { state -> (SearchError?, ContinuousClock.Instant?) in
      guard state.terminalError == nil else { return (nil, nil) }
      var next: ContinuousClock.Instant?
      if let start = state.handshakeStart {
        let end = start + times.handshake
        if end <= now {
          let limit = times.handshake.components.seconds
          return (PluginFault.silent(name, "did not answer initialize within \(limit) s of its start"), nil)
        }
        next = end
      }
      for (ticket, pending) in state.calls {
        if pending.finish != nil {
          if pending.call.deadline <= now {
            late.append((ticket, pending.lostMessage))
          } else {
            next = min(next ?? pending.call.deadline, pending.call.deadline)
          }
        } else if let end = pending.graceEnd {
          if end <= now {
            return (PluginFault.late(name, "did not answer a cancelled request in time and was killed"), nil)
          }
          next = min(next ?? end, end)
        }
      }
      return (nil, next)
    }
    if let fault {
      fail(fault)
      return nil
    }
    for (ticket, what) in late {
      giveUp(ticket, what.map { PluginFault.broken(name, $0) } ?? PluginFault.unanswered(name))
    }
    guard !late.isEmpty else { return next }
    let graceEnd = now + times.cancelGrace
    return next.map { min($0, graceEnd) } ?? graceEnd
  }
}
