package import ForageCore
import ForageHTTP
import ForageLocal

// What to do about an error, with the options and commands of `forage`. Core and providers know none of them.

extension SearchError {
  /// What to do in a search.
  package var advice: String {
    switch code {
    case .configuration:
      if let subject { return "review it, then run: forage plugin trust \(subject)" }
    case .rateLimited:
      let seconds = (retryAfterMilliseconds ?? 0) / 1000
      return Self.waitable.contains(seconds)
        ? hint + ", or wait for it with --timeout \(seconds + Self.room)" : hint
    case .unreachable, .circuitOpen: return hint + ", or search only clones with -p local"
    default: break
    }
    return hint.isEmpty ? adviceByCode : hint
  }

  private var adviceByCode: String {
    switch code {
    case .timeout: "allow more time with --timeout SECONDS"
    case .offline: "run without --offline to contact it"
    case .invalidCursor: "run without --after"
    case .dropped: "run without --after to ask it again"
    case .unsupportedQuery: "change the query, or choose other providers with --provider"
    case .nothingToAsk: "choose other providers with --provider"
    case .incompleteSearch: "run: forage clones index, or allow more time with --timeout SECONDS"
    case .unauthorized: "set another token, or test this one with: forage auth status"
    case .connectionLost, .unavailable: "add --verbose to see its standard error"
    case .cancelled: "run the command again"
    default: "add --verbose to see its requests"
    }
  }

  /// The range of seconds for which the program's waiting for a limit is suggested.
  private static let waitable = 1...600
  /// Seconds added to the limit's end in the suggested time limit, for the response itself.
  private static let room = 10

  /// What to do after a star was changed.
  package var adviceForStar: String {
    subject.map { "check with: forage stars repo:\($0); the command can be repeated safely" } ?? advice
  }

  /// What to do in commands that do not search and have no time limit of their own.
  package var hintOutsideSearch: String {
    switch code {
    case .unreachable, .connectionLost, .circuitOpen: "check the network connection"
    case .timeout: "check the network connection, or try again in a moment"
    default:
      hint.isEmpty
        ? adviceByCode : hint.firstRange(of: LimitAdvice.older).map { String(hint[..<$0.lowerBound]) } ?? hint
    }
  }
}

extension ProviderOutcome {
  /// What to do about the error; empty without one.
  package var advice: String { advice(callingIssues: ResultKind.issue.rawValue) }

  /// The same with another name for the kind `issue`.
  package func advice(callingIssues name: String) -> String {
    switch state {
    case .unsupported where !otherKinds.isEmpty:
      "remove it from the query, or use -k \(otherKinds.map { $0 == .issue ? name : $0.rawValue }.joined(separator: ","))"
    case .skipped where id == LocalProvider.id: "add them with: forage clones add DIR"
    default: error?.advice ?? ""
    }
  }
}

extension SearchShortfall {
  /// What to do to get the missing results.
  package var advice: String {
    guard isPause, hint.isEmpty else { return hint }
    let all = neededRequests.map { " (about \($0) for all)" } ?? ""
    return "allow more with --max-requests\(all), or continue with --after"
  }
}
