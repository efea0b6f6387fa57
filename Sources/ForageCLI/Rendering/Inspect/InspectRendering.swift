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
}
