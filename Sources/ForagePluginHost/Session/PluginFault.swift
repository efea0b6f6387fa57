import ForageCore

/// What plugins do that they should not, as errors that name the plugin.
enum PluginFault {
  /// It broke the protocol.
  static func broken(_ name: String, _ what: String) -> SearchError {
    SearchError(
      .invalidResponse, "the plugin \(name) \(what)",
      hint: "this is a fault of the plugin; tell its author, or leave it out with --provider")
  }

  /// It did not answer in time.
  static func late(_ name: String, _ what: String = "did not answer in time") -> SearchError {
    SearchError(.timeout, "the plugin \(name) \(what)", hint: "allow more with --timeout SECONDS")
  }

  /// The caller gave up.
  static func cancelled(_ name: String) -> SearchError {
    SearchError(.cancelled, "the search of the plugin \(name) was cancelled", hint: "run it again")
  }

  /// It ended while something was asked of it.
  static func ended(_ name: String, _ ending: PluginEnding, _ lastWords: String?) -> SearchError {
    let words = lastWords.map { "; it last said: \($0)" } ?? ""
    return SearchError(
      ending.isFailedStart ? .local : .connectionLost, "the plugin \(name) \(ending.sentence)\(words)",
      hint: ending.isFailedStart
        ? "check the command in its plugin.json, and that its program is installed"
        : "run again with --verbose to see what it writes to its standard error")
  }

  /// It is being ended.
  static func closed(_ name: String) -> SearchError {
    SearchError(.cancelled, "the plugin \(name) is being ended", hint: "run it again")
  }
}
