import ForageCore
import ForageFoundation

/// Creates errors for failures of plugins.
enum PluginFault {
  static let unflushed =
    "a likely cause is output that is not flushed after each line, in Python: print(..., flush=True)"

  static func broken(_ name: String, _ what: String) -> SearchError {
    SearchError(
      .invalidResponse, "the plugin \(name) \(what)",
      hint: "this is a fault of the plugin; report it to its author, or exclude the plugin")
  }

  static func late(_ name: String, _ what: String, hint: String = "") -> SearchError {
    SearchError(.timeout, "the plugin \(name) \(what)", hint: hint)
  }

  /// - Parameter rejected: What was not accepted before, for use after the plugin's name.
  static func unanswered(_ name: String, after rejected: String? = nil) -> SearchError {
    if let rejected {
      return late(
        name, "\(rejected), and did not answer in time",
        hint:
          "a response is one line of JSON in UTF-8 on standard output, with the id of its request; a log goes to standard error"
      )
    }
    return late(name, "did not answer in time", hint: "allow more time; if it never answers, " + unflushed)
  }

  /// An error with the end of its limit, if it has one.
  static func withReset(_ error: SearchError) -> SearchError {
    guard error.code == .rateLimited, let wait = error.retryAfterMilliseconds, wait > 0 else { return error }
    let now = Date()
    var error = error
    error.message += " (until \(Timestamp.moment(now.addingTimeInterval(Double(wait) / 1000), now: now)))"
    return error
  }

  static func cancelled(_ name: String) -> SearchError {
    SearchError(.cancelled, "the search of the plugin \(name) was cancelled", hint: "run the command again")
  }

  /// The process ended while requests were pending.
  static func ended(_ name: String, _ ending: PluginEnding, _ lastLine: String?) -> SearchError {
    let words = lastLine.map { "; its last output was: \($0)" } ?? ""
    return SearchError(
      ending.isFailedStart ? .local : .connectionLost, "the plugin \(name) \(ending.sentence)\(words)",
      hint: ending.isFailedStart
        ? "check the command in its plugin.json, and that its program is installed"
        : "")
  }

  static func closed(_ name: String) -> SearchError {
    SearchError(.cancelled, "the plugin \(name) is being stopped", hint: "run the command again")
  }
}
