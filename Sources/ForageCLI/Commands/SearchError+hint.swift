import ForageCore

extension SearchError {
  /// The hint for commands that do not search and have no time limit of their own.
  var hintOutsideSearch: String {
    switch code {
    case .unreachable, .connectionLost, .circuitOpen: "check the network connection"
    case .timeout: "check the network connection, or try again in a moment"
    default:
      [", or wait for it with", ", or use the cached answers"].reduce(hint) { hint, choice in
        hint.firstRange(of: choice).map { String(hint[..<$0.lowerBound]) } ?? hint
      }
    }
  }
}
