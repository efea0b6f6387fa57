import ForageCore

/// The position of a page: the API's response that contains it, and the number of its rows that were already
/// returned.
///
/// The text form is self-contained, so that it stays valid in another process, and has a checksum.
struct ManifestCursor: Hashable, Sendable {
  static let maximumLength = 8192
  private static let prefix = "m1."
  /// The maximum of numbers, which prevents arithmetic overflow with forged cursors.
  private static let largestNumber = Int(Int32.max)
  private static let markLength = 8

  enum Position: Hashable, Sendable {
    /// The first response.
    case first
    /// By page number or number of preceding results.
    case number(Int)
    /// By a value from the previous response.
    case text(String)
  }

  var position = Position.first
  /// The number of rows already returned.
  var skip = 0
  var size: Int

  /// The text form.
  ///
  /// - Parameter owner: The list that the cursor belongs to; other lists reject it.
  func text(owner: String) -> String {
    let place: String =
      switch position {
      case .first: "f"
      case .number(let number): "n\(number)"
      case .text(let text): "t" + text
      }
    let content = "\(size) \(skip) \(place)"
    return Self.prefix + (owner + "\n" + content).utf8.fingerprint + Base64.encode(Array(content.utf8))
  }

  /// Parses the text form.
  ///
  /// - Returns: `nil` if it is not a cursor of this owner.
  init?(_ text: String, owner: String) {
    guard text.utf8.count <= Self.maximumLength, text.hasPrefix(Self.prefix) else { return nil }
    let rest = text.dropFirst(Self.prefix.count)
    guard let bytes = Base64.decode(String(rest.dropFirst(Self.markLength))),
      let content = String(validating: bytes, as: UTF8.self),
      rest.prefix(Self.markLength) == (owner + "\n" + content).utf8.fingerprint
    else { return nil }
    let parts = content.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count == 3, let size = Int(parts[0]), let skip = Int(parts[1]),
      (1...ManifestPaging.largestSize).contains(size), (0...Self.largestNumber).contains(skip)
    else { return nil }
    self.size = size
    self.skip = skip
    switch parts[2].first {
    case "f" where parts[2].count == 1: position = .first
    case "n":
      guard let number = Int(parts[2].dropFirst()), (0...Self.largestNumber).contains(number) else {
        return nil
      }
      position = .number(number)
    case "t": position = .text(String(parts[2].dropFirst()))
    default: return nil
    }
  }

  init(size: Int) { self.size = size }
}
