/// The phrases that identify a license: one that begins it, and others that must or must not follow.
struct LicenseSign: Sendable {
  /// The bytes of normalised text in which conditions must follow if no disclaimer comes first; the longest
  /// short license (BSD-4-Clause) has 1,600.
  private static let reach = 2500
  private static let disclaimer: LicensePhrase = "software is provided"

  let identifier: String
  private let phrases: [LicensePhrase]
  private let with: [LicensePhrase]
  private let without: [LicensePhrase]
  private let afterDisclaimer: LicensePhrase?
  /// The bytes, from the phrase on, that belong to this license; other licenses found in them are part of it.
  let extent: Int

  /// Describes a license.
  ///
  /// - Parameters:
  ///   - identifier: its SPDX identifier.
  ///   - phrases: the text contains one of these.
  ///   - with: all of these follow before the disclaimer ("software is provided").
  ///   - without: none of these follows before the disclaimer.
  ///   - afterDisclaimer: this follows within reach, before or after the disclaimer.
  ///   - extent: in bytes of normalised text, less than the license has.
  init(
    _ identifier: String, _ phrases: [LicensePhrase], with: [LicensePhrase] = [],
    without: [LicensePhrase] = [], afterDisclaimer: LicensePhrase? = nil, extent: Int = 0
  ) {
    self.identifier = identifier
    self.phrases = phrases
    self.with = with
    self.without = without
    self.afterDisclaimer = afterDisclaimer
    self.extent = extent
  }

  /// Returns each position in a text where the license begins, with at most `limit` occurrences examined for
  /// each phrase.
  func positions(in text: LicenseText, limit: Int) -> [Int] {
    phrases.flatMap { phrase in
      var found: [Int] = []
      var start = 0
      var seen = 0
      while seen < limit, let position = text.position(of: phrase, from: start) {
        if meetsConditions(text, from: position) { found.append(position) }
        start = position + 1
        seen += 1
      }
      return found
    }
  }

  private func meetsConditions(_ text: LicenseText, from position: Int) -> Bool {
    if with.isEmpty, without.isEmpty, afterDisclaimer == nil { return true }
    let far = position + max(Self.reach, extent)
    let near = text.position(of: Self.disclaimer, from: position, limit: far) ?? far
    return with.allSatisfy { text.position(of: $0, from: position, limit: near) != nil }
      && without.allSatisfy { text.position(of: $0, from: position, limit: near) == nil }
      && afterDisclaimer.map { text.position(of: $0, from: position, limit: far) != nil } ?? true
  }
}
