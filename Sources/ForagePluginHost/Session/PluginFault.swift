import ForageCore

/// Creates errors for failures of plugins.
enum PluginFault {
  private static let unflushed =
    "a likely cause is output that is not flushed after each line, in Python: print(..., flush=True)"

  static func broken(_ name: String, _ what: String) -> SearchError {
    SearchError(
      .invalidResponse, "the plugin \(name) \(what)",
      hint: "this is a fault of the plugin; report it to its author, or exclude the plugin")
  }

  static func late(_ name: String, _ what: String, hint: String = "") -> SearchError {
    SearchError(.timeout, "the plugin \(name) \(what)", hint: hint)
  }

  /// A plugin that sends nothing.
  static func silent(_ name: String, _ what: String) -> SearchError { late(name, what, hint: unflushed) }

  static func unanswered(_ name: String) -> SearchError {
    late(name, "did not answer in time", hint: "allow more time; if it never answers, " + unflushed)
  }

  static func cancelled(_ name: String) -> SearchError {
    SearchError(.cancelled, "the search of the plugin \(name) was cancelled", hint: "run the command again")
  }

  /// The process ended while requests were pending.
  static func ended(_ name: String, _ ending: PluginEnding, _ lastWords: String?) -> SearchError {
    let words = lastWords.map { "; its last output was: \($0)" } ?? ""
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
