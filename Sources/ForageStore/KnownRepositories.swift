import ForageFoundation

/// Facts about repositories from earlier answers of forges, for rows that are not from a forge: one small
/// file, which can be deleted at any time.
///
/// A line has the name, the number of stars and the topics, with tabs between; the newest lines are the last.
package struct KnownRepositories: Sendable {
  package struct Facts: Sendable, Hashable {
    /// `host/owner/name` as the forge writes it; in lower case it is the id.
    package var name: String
    package var stars: Int
    package var topics: [String]

    package init(name: String, stars: Int, topics: [String]) {
      (self.name, self.stars, self.topics) = (name, stars, topics)
    }

    package var id: String { name.lowercased() }
  }

  /// The most repositories; the oldest go first.
  package static let maximumCount = 2_000
  /// More than so many names with topics have.
  private static let maximumBytes = 4 << 20

  private let path: String

  /// Names the file; nothing is read.
  package init(path: String) { self.path = path }

  /// The facts of repositories, by id.
  ///
  /// - Parameter ids: Canonical ids.
  package func facts(of ids: Set<String>) -> [String: Facts] {
    Self.byID(
      Self.entries(read) { name, _ in ids.contains(String(decoding: name, as: UTF8.self).lowercased()) })
  }

  /// The facts of repositories of which a topic contains one of some words, by id.
  ///
  /// - Parameter words: Words in lower case, as topics are.
  package func facts(withTopicOf words: [String]) -> [String: Facts] {
    let words = words.map { Array($0.utf8) }
    return Self.byID(
      Self.entries(read) { _, topics in words.contains { Self.contains($0, in: topics) } })
  }

  private var read: [UInt8]? { PrivateFile.read(path, limit: Self.maximumBytes) }

  private static func byID(_ facts: [Facts]) -> [String: Facts] {
    Dictionary(facts.map { ($0.id, $0) }, uniquingKeysWith: { _, new in new })
  }

  private static func contains(_ word: [UInt8], in text: ArraySlice<UInt8>) -> Bool {
    guard let first = word.first else { return false }
    var rest = text
    while let place = rest.firstIndex(of: first) {
      rest = rest[place...]
      if rest.starts(with: word) { return true }
      rest = rest.dropFirst()
    }
    return false
  }

  /// Records what forges answered; nothing is written when nothing has changed.
  ///
  /// - Returns: False when the file cannot be written.
  @discardableResult
  package func record(_ facts: [Facts]) -> Bool {
    let facts = facts.filter { ([$0.name] + $0.topics).allSatisfy(Self.fitsInLine) }
    let known = self.facts(of: Set(facts.map(\.id)))
    // The lock is taken only for a change.
    let news = facts.filter { known[$0.id] != $0 }
    guard !news.isEmpty else { return true }
    return PrivateFile.change(path, limit: Self.maximumBytes) { bytes in
      let ids = Set(news.map(\.id))
      let lines = Self.entries(bytes) { _, _ in true }.filter { !ids.contains($0.id) } + news
      return Array(lines.suffix(Self.maximumCount).map(Self.line).joined().utf8)
    }
  }

  private static func fitsInLine(_ text: String) -> Bool {
    !text.isEmpty && !text.contains { $0.isWhitespace || $0.isNewline }
  }

  private static func line(_ facts: Facts) -> String {
    "\(facts.name)\t\(facts.stars)\t\(facts.topics.joined(separator: " "))\n"
  }

  /// The facts on the lines of which name and topics are wanted.
  private static func entries(
    _ bytes: [UInt8]?, where isWanted: (_ name: ArraySlice<UInt8>, _ topics: ArraySlice<UInt8>) -> Bool
  ) -> [Facts] {
    guard let bytes else { return [] }
    return bytes.split(separator: UInt8(ascii: "\n")).compactMap { line in
      let fields = line.split(separator: UInt8(ascii: "\t"), omittingEmptySubsequences: false)
      guard fields.count == 3, isWanted(fields[0], fields[2]),
        let stars = Int(String(decoding: fields[1], as: UTF8.self))
      else { return nil }
      return Facts(
        name: String(decoding: fields[0], as: UTF8.self), stars: stars,
        topics: fields[2].split(separator: UInt8(ascii: " ")).map { String(decoding: $0, as: UTF8.self) })
    }
  }
}
