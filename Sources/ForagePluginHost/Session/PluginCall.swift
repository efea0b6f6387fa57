import ForageCore
import ForagePluginProtocol

struct PluginCall: Sendable {
  var provider: String
  var method: String
  /// Creates the parameters when the request is sent, because they contain the remaining time.
  var params: @Sendable (_ deadline: ContinuousClock.Instant) -> JSONTree?
  var limit: Int
  var deadline: ContinuousClock.Instant
  /// Counts the requests that the host sends for it.
  var counter: RequestCounter?
}

struct PluginAnswer: Sendable {
  /// Why a request may be sent again after the plugin was stopped or has ended.
  enum Interruption {
    /// It was not sent.
    case unsent
    /// It was not the only one that the plugin got, so another one may be the reason.
    case besideOthers
  }

  var items: [Item] = []
  var unreadable = 0
  /// The result that ended the page; `nil` if the page was interrupted.
  var result: SearchAnswer?
  var failure: SearchError?
  /// `nil` if sending it again would not help.
  var interruption: Interruption?
}

struct PendingCall {
  var call: PluginCall
  /// Whether nothing else may be sent to the plugin until it is answered.
  var isAlone = false
  var isSent = false
  var answer = PluginAnswer()
  /// The number of requests that the plugin has sent to the host for it.
  var requests = 0
  /// The number of items so far, valid or not.
  var sent = 0
  /// Their size in bytes.
  var bytes = 0
  /// The number of JSON values in its messages.
  var values = 0
  /// The first line that was not accepted while it was pending, for use after the plugin's name.
  var rejected: String?
  /// Receives the answer. It is `nil` after that, while the plugin is still busy with the request.
  var finish: (@Sendable (PluginAnswer) -> Void)?
  /// When a cancelled request must have been answered.
  var graceEnd: ContinuousClock.Instant?

  /// The same for which nobody waits.
  var abandoned: PendingCall {
    var call = self
    (call.finish, call.graceEnd, call.answer) = (nil, nil, PluginAnswer())
    return call
  }

  /// Adds items.
  ///
  /// - Returns: The protocol violation, for use after the plugin's name; earlier items are kept.
  mutating func take(_ batch: ItemBatch) -> String? {
    guard sent + batch.sent <= call.limit else {
      return "sent more than the requested \(call.limit) items"
    }
    guard bytes + batch.bytes <= PluginProtocol.Limits.page else {
      return "sent more than \(PluginProtocol.Limits.page >> 20) MiB of items"
    }
    guard values + batch.values <= PluginProtocol.Limits.values else {
      return "sent more than \(PluginProtocol.Limits.values) JSON values in one page"
    }
    values += batch.values
    sent += batch.sent
    bytes += batch.bytes
    answer.items += batch.items
    answer.unreadable += batch.unreadable + batch.oversized
    return nil
  }
}
