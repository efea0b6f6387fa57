import ForageCore
import ForageHTTP

/// Where a page begins: which answer of the API, and how many of its rows have been given out already.
///
/// The text holds everything, so that it outlives the program; it is checked, so that a damaged one is noticed.
struct ManifestCursor: Hashable, Sendable {
  /// The longest text: cursors and addresses of APIs are far shorter.
  static let maximumLength = 8192
  private static let prefix = "m1."
  /// No list is longer; the bound keeps arithmetic with forged numbers from overflowing.
  private static let largestNumber = Int(Int32.max)
  /// Digits of the check sum.
  private static let markLength = 8

  /// What asks for an answer.
  enum Position: Hashable, Sendable {
    /// The first.
    case first
    /// The one with a number, or behind a number of results.
    case number(Int)
    /// What the answer before said.
    case text(String)
  }

  /// What asks for the answer.
  var position = Position.first
  /// Rows of the answer that were given out.
  var skip = 0
  /// Rows that are asked for at once.
  var size: Int

  /// The text.
  ///
  /// - Parameter owner: What the cursor belongs to; another owner does not take it.
  func text(owner: String) -> String {
    let place: String =
      switch position {
      case .first: "f"
      case .number(let number): "n\(number)"
      case .text(let text): "t" + text
      }
    let content = "\(size) \(skip) \(place)"
    return Self.prefix + CredentialFingerprint.of(owner + "\n" + content) + Base64.encode(Array(content.utf8))
  }

  /// Reads a text.
  ///
  /// - Returns: `nil` for what is no cursor of this owner.
  init?(_ text: String, owner: String) {
    guard text.utf8.count <= Self.maximumLength, text.hasPrefix(Self.prefix) else { return nil }
    let rest = text.dropFirst(Self.prefix.count)
    guard let bytes = Base64.decode(String(rest.dropFirst(Self.markLength))),
      let content = String(validating: bytes, as: UTF8.self),
      rest.prefix(Self.markLength) == CredentialFingerprint.of(owner + "\n" + content)
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
