/// What a licence is known by: a phrase, and phrases that follow it or do not.
struct LicenseSign: Sendable {
  /// How far conditions reach when no disclaimer ends them, in bytes of the reduced text; the longest short
  /// licence (BSD-4-Clause) has 1,600.
  private static let reach = 2500

  let identifier: String
  private let phrases: [String]
  private let with: [String]
  private let without: [String]
  private let afterDisclaimer: String?

  /// Describes a licence.
  ///
  /// - Parameters:
  ///   - identifier: its SPDX identifier.
  ///   - phrases: one of these is in it.
  ///   - with: all of these follow before the disclaimer ("software is provided").
  ///   - without: none of these does.
  ///   - afterDisclaimer: this follows within reach, before or after the disclaimer.
  init(
    _ identifier: String, _ phrases: [String], with: [String] = [], without: [String] = [],
    afterDisclaimer: String? = nil
  ) {
    self.identifier = identifier
    self.phrases = phrases
    self.with = with
    self.without = without
    self.afterDisclaimer = afterDisclaimer
  }

  /// Where the licence begins in a text; nil if it is not there.
  func position(in text: LicenseText) -> Int? {
    phrases.compactMap { phrase in
      var start = 0
      while let position = text.position(of: phrase, from: start) {
        if meetsConditions(text, from: position) { return position }
        start = position + 1
      }
      return nil
    }.min()
  }

  private func meetsConditions(_ text: LicenseText, from position: Int) -> Bool {
    let far = position + Self.reach
    let near = text.position(of: "software is provided", from: position, limit: far) ?? far
    return with.allSatisfy { text.position(of: $0, from: position, limit: near) != nil }
      && without.allSatisfy { text.position(of: $0, from: position, limit: near) == nil }
      && afterDisclaimer.map { text.position(of: $0, from: position, limit: far) != nil } ?? true
  }
}
