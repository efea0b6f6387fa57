import ForageCore

extension ComplianceCheck {
  /// The number of times that the declaration is read again at the end.
  private static let looks = 3

  /// Checks of all calls that the other checks made.
  static let closingChecks = [
    ComplianceCheck("deadline", "every call ends by its deadline") { trial in
      let deadline = ReportText.seconds(trial.samples.deadline)
      return .evaluated(
        trial.probe.calls.filter { $0.isLate && $0.purpose == .ordinary }.map {
          Observation($0.subject, "an end within \(deadline)", "it was still running after that")
        })
    },
    ComplianceCheck("error-form", "errors are SearchErrors with message and hint on one line each") { trial in
      let calls = trial.probe.calls.filter { $0.error != nil }
      guard !calls.isEmpty else { return .notApplicable("nothing was thrown") }
      return .evaluated(calls.compactMap(badError))
    },
    ComplianceCheck("declaration-constant", "what the provider says of itself never changes") { trial in
      let first = trial.declaration.properties
      for _ in 0..<looks {
        let now = Declaration(trial.provider).properties
        let changed = zip(first, now).first { $0.name != $1.name || $0.value != $1.value }
        guard let (before, after) = changed else { continue }
        return .evaluated([
          Observation(
            "the provider", "\(before.name) to stay \(ReportText.short(before.value))",
            "it became \(ReportText.short(after.value))")
        ])
      }
      return .evaluated([])
    },
  ]

  /// The codes from which it follows what to do, so that the hint may be empty.
  private static let clearCodes: Set<SearchError.Code> = [
    .timeout, .cancelled, .offline, .invalidCursor, .unsupportedQuery, .nothingToAsk, .connectionLost,
    .unavailable,
  ]

  private static func badError(_ call: Probe.Call) -> Observation? {
    guard let error = call.error else { return nil }
    guard let known = error as? SearchError else {
      // Another check evaluates the error of an odd query; a cancelled search may throw CancellationError.
      if call.purpose == .odd || (call.purpose == .abandoned && error is CancellationError) { return nil }
      return Observation(call.subject, "a SearchError", "it failed with \(ReportText.error(error))")
    }
    for (name, text) in [("message", known.message), ("hint", known.hint)] {
      let isOptional = name == "hint" && clearCodes.contains(known.code)
      if text.trimmingWhitespace().isEmpty, !(isOptional && text.isEmpty) {
        return Observation(
          call.subject, "an error with a \(name)", "the one of \(known.code.rawValue) is empty")
      }
      if text.contains(where: \.isNewline) {
        return Observation(call.subject, "a \(name) on one line", "it is \(ReportText.short(text))")
      }
    }
    if known.code.rawValue.isEmpty {
      return Observation(call.subject, "an error with a code", "it is empty")
    }
    if let wait = known.retryAfterMilliseconds, wait < 0 {
      return Observation(call.subject, "a wait of 0 ms or more", "it is \(wait)")
    }
    return nil
  }
}
