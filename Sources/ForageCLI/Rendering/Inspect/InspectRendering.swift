/// Texts that several renderings of facts about a repository have in common.
enum InspectRendering {
  /// Names that one line holds.
  private static let shownNames = 5

  /// The first few names, and how many more there are.
  static func listed(_ names: [String]) -> String {
    let more = names.count - shownNames
    return names.prefix(shownNames).joined(separator: ", ") + (more > 0 ? " and \(more) more" : "")
  }

  /// A part of a whole: 31.4 %.
  static func percent(_ share: Double) -> String {
    let tenths = share.isFinite ? Int((max(0, min(share, 1)) * 1000).rounded()) : 0
    return "\(tenths / 10).\(tenths % 10) %"
  }
}
