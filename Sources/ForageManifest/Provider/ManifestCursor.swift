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

  /// A page number, a number of preceding results, or a value of the previous response; empty for the first
  /// response.
  var place = ""
  /// The number of rows already returned.
  var skip = 0
  var size: Int

  init(size: Int) { self.size = size }

  /// The number in the place, or of the first page.
  func number(start: Int) -> Int { Int(place) ?? start }

  /// The text form.
  ///
  /// - Parameter owner: The list that the cursor belongs to; other lists reject it.
  func text(owner: String) -> String {
    let content = "\(size) \(skip) \(place)"
    return Self.prefix + (owner + "\n" + content).utf8.fingerprint + Base64.encode(Array(content.utf8))
  }

  /// Parses the text form.
  ///
  /// - Returns: `nil` if it is not a cursor of this owner and paging.
  init?(_ text: String, owner: String, style: ManifestPaging.Style) {
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
    (self.size, self.skip, place) = (size, skip, String(parts[2]))
    switch style {
    case .single: guard place.isEmpty else { return nil }
    case .page, .offset:
      guard (0...Self.largestNumber).contains(number(start: place.isEmpty ? 0 : -1)) else { return nil }
    case .cursor, .link: break
    }
  }
}
