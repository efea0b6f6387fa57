import ForageCore
import ForagePluginProtocol

/// What is asked of a plugin.
struct PluginCall: Sendable {
  /// The provider that is asked, `nil` for the plugin as a whole.
  var provider: String?
  /// The method, `nil` to wait only until the plugin can be asked.
  var method: String?
  /// Makes the parameters when the request is sent: they tell the time that is left.
  var params: @Sendable (_ deadline: ContinuousClock.Instant) -> JSONText?
  /// How many items may come.
  var limit: Int
  /// When the answer is no longer wanted.
  var deadline: ContinuousClock.Instant

  /// Waits until the plugin can be asked.
  static func readiness(until deadline: ContinuousClock.Instant) -> PluginCall {
    PluginCall(provider: nil, method: nil, params: { _ in nil }, limit: 0, deadline: deadline)
  }
}

/// What became of a call.
struct PluginAnswer: Sendable {
  /// The items that came, as far as they could be read.
  var items: [Item] = []
  /// How many could not be.
  var unreadable = 0
  /// What ended the page, `nil` where it broke off.
  var result: SearchAnswer?
  /// Why it broke off.
  var failure: SearchError?

  /// An answer that is none.
  static func failed(_ error: SearchError) -> PluginAnswer { PluginAnswer(failure: error) }
}

/// A call that is waiting or running.
struct PendingCall {
  var call: PluginCall
  var isSent = false
  var id: RequestID?
  /// What has come so far.
  var answer = PluginAnswer()
  /// Messages of items so far.
  var messages = 0
  /// Items so far, readable or not.
  var sent = 0
  /// Bytes of them.
  var bytes = 0
  /// JSON values of their messages.
  var values = 0
  /// Told the answer; `nil` once it was told, while the plugin is still busy with the request.
  var finish: (@Sendable (PluginAnswer) -> Void)?
  /// By when a request that is no longer wanted must have been answered.
  var graceEnd: ContinuousClock.Instant?

  /// Takes items.
  ///
  /// - Returns: What is wrong with them, to stand behind the plugin's name; the items that came before are
  ///   kept.
  mutating func take(_ batch: ItemBatch) -> String? {
    guard batch.seq == messages else {
      return "skipped from message \(messages) of its items to message \(batch.seq)"
    }
    guard sent + batch.sent <= call.limit else {
      return "sent more than the \(call.limit) items that it was asked for"
    }
    guard bytes + batch.bytes <= PluginProtocol.Limits.page else {
      return "sent more than \(PluginProtocol.Limits.page >> 20) MiB of items"
    }
    guard values + batch.values <= PluginProtocol.Limits.values else {
      return "sent more than \(PluginProtocol.Limits.values) JSON values in one page"
    }
    messages += 1
    values += batch.values
    sent += batch.sent
    bytes += batch.bytes
    answer.items += batch.items
    answer.unreadable += batch.unreadable + batch.oversized
    return nil
  }
}
