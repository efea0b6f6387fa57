import ForageCore
import ForageFoundation
import ForageStore

/// The texts of a clone in which words are looked for, narrowed by `in:`.
///
/// A word occurs where it stands as a word or as a part of a name, never within a word or in an address. The
/// folders above a clone say nothing about it.
struct TextScopes {
  /// The name, and that of the folder, which may be another one.
  private let names: [WordText]
  /// `owner/name`, or the name where there is no owner.
  private let fullName: WordText
  private let topics: [WordText]
  private let description: WordText
  /// The scopes that `in:` names, `nil` for all.
  private let chosen: Set<String>?

  /// - Parameter topics: The topics of the repository, as far as they are known.
  init(_ record: CloneRecord, topics: [String], query: QueryExpression?) {
    let folder = record.path.split(separator: "/").last ?? ""
    names = [
      WordText(record.name), WordText(folder.hasSuffix(".git") ? folder.dropLast(4) : folder),
    ]
    fullName = WordText((record.owner.map { $0 + "/" } ?? "") + record.name)
    self.topics = topics.map { WordText($0) }
    description = WordText(Self.withoutAddresses(record.description ?? ""))
    let named = (query?.leaves ?? []).flatMap { leaf -> [String] in
      guard case .qualifier(let qualifier) = leaf.expression, qualifier.name == "in", !leaf.isNegated,
        case .text(let scopes) = qualifier.value
      else { return [] }
      return scopes.lowercased().split(separator: ",").map(String.init)
    }
    chosen = named.isEmpty ? nil : Set(named)
  }

  private func isChosen(_ scopes: String...) -> Bool {
    chosen.map { !$0.isDisjoint(with: scopes) } ?? true
  }

  private static func withoutAddresses(_ text: String) -> String {
    func isAddress(_ word: Substring) -> Bool { word.contains("://") || word.contains("www.") }
    guard isAddress(text[...]) else { return text }
    return text.split(separator: " ").filter { !isAddress($0) }.joined(separator: " ")
  }

  /// Whether a word or phrase occurs; case is ignored.
  func contain(_ term: QueryTerm) -> Bool {
    let word = Array(term.text.lowercased().utf8)
    return (isChosen("name") && (names + [fullName]).contains { $0.hasPrefix(word) || $0.contains(word) })
      // The paragraph of the README is the description of a clone that has no other.
      || (isChosen("description", "readme") && description.contains(word))
      || (isChosen("topics") && topics.contains { $0.contains(word) })
  }

  /// How well a word fits: its place decides, the name before the owner before the topics before the
  /// description.
  func relevance(_ term: QueryTerm) -> Int {
    let word = Array(term.text.lowercased().utf8)
    if names.contains(where: { $0.isEqual(to: word) }) { return 16 }
    if names.contains(where: { $0.hasPrefix(word) }) { return 10 }
    if names.contains(where: { $0.contains(word) }) { return 8 }
    if fullName.hasPrefix(word) || fullName.contains(word) { return 4 }
    if topics.contains(where: { $0.contains(word) }) { return 3 }
    return description.contains(word) ? 2 : 0
  }
}

/// A text in which words are looked for.
private struct WordText {
  /// The bytes of the text in lower case.
  private let lower: [UInt8]
  /// As many bytes as written, with the case that tells parts of names, and spaces for letters of scripts
  /// that have none between words.
  private let bytes: [UInt8]

  /// The first scalar of the scripts that are written without spaces.
  private static let unspaced: UInt32 = 0x2E80

  init(_ text: some StringProtocol) {
    let lowercased = text.lowercased()
    lower = Array(lowercased.utf8)
    // Some letters have more bytes in lower case.
    let written = Array(text.utf8)
    var bytes = written.count == lower.count ? written : lower
    if !bytes.allSatisfy({ $0 < 0x80 }) {
      var place = 0
      for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars {
        let end = place + UTF8.width(scalar)
        if scalar.value >= Self.unspaced {
          bytes.replaceSubrange(place..<end, with: repeatElement(UInt8(ascii: " "), count: end - place))
        }
        place = end
      }
    }
    self.bytes = bytes
  }

  func isEqual(to word: [UInt8]) -> Bool { lower == word }

  func hasPrefix(_ word: [UInt8]) -> Bool { lower.starts(with: word) }

  /// Whether a text in lower case stands here as words: one of its places begins and ends where words or
  /// parts of names do.
  func contains(_ word: [UInt8]) -> Bool {
    guard let first = word.first else { return false }
    var start = 0
    while let found = lower[start...].firstIndex(of: first), found + word.count <= lower.count {
      let match = found..<found + word.count
      if lower[match].elementsEqual(word),
        bytes.withUnsafeBytes({ WordFit(of: match, in: $0) }) != .inside
      {
        return true
      }
      start = found + 1
    }
    return false
  }
}
