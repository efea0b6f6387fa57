import ForageCore

/// Texts that several pages about a repository share.
enum InspectRendering {
  /// The number of names on one line.
  private static let shownNames = 5

  /// The first few names, and how many more there are.
  static func listed(_ names: [String]) -> String {
    let more = names.count - shownNames
    return names.prefix(shownNames).joined(separator: ", ") + (more > 0 ? " and \(more) more" : "")
  }

  /// A part of a whole that is there: 31.4 %, and `<0.1 %` for what rounds to 0.0 %.
  static func percent(_ share: Double) -> String {
    let tenths = share.isFinite ? Int((max(0, min(share, 1)) * 1000).rounded()) : 0
    return tenths == 0 ? "<0.1 %" : "\(tenths / 10).\(tenths % 10) %"
  }

  /// How many of the newest commits have something: `41 % of the last 100 commits`, `none of the last 100 commits`.
  static func share(_ share: Double, ofLast count: Int) -> String {
    let whole = count == 1 ? "of 1 commit" : "of the last \(HumanFormat.plural(count, "commit"))"
    guard share.isFinite, share > 0 else { return "none \(whole)" }
    if share >= 1 { return "all \(whole)" }
    let percent = Int((share * 100).rounded())
    return (percent == 0 ? "<1" : String(min(99, percent))) + " % \(whole)"
  }
}
