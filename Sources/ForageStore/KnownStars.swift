import ForageFoundation

/// The known stars of accounts: one small file for each account, which can be deleted at any time.
///
/// A line is `+ID` for a repository that the account has starred and `-ID` for one that it has not; the
/// newest lines are the last.
package struct KnownStars: Sendable {
  /// The most repositories of one account; the oldest go first.
  package static let maximumCount = 20_000
  /// More than so many ids have.
  private static let maximumBytes = 8 << 20

  private let folder: String

  /// Names the folder; nothing is read.
  package init(folder: String) { self.folder = folder }

  /// Whether an account has starred repositories, as far as that is known.
  ///
  /// - Parameters:
  ///   - account: A name of the account that is no secret: host and fingerprint of its token.
  ///   - ids: The canonical ids of the repositories.
  package func stars(of account: String, among ids: Set<String>) -> [String: Bool] {
    var found: [String: Bool] = [:]
    for (id, isStarred) in Self.entries(PrivateFile.read(path(account), limit: Self.maximumBytes))
    where ids.contains(id) {
      found[id] = isStarred
    }
    return found
  }

  /// The ids that an account has starred, as far as they are known, the oldest first.
  package func starred(by account: String) -> [String] {
    Self.entries(PrivateFile.read(path(account), limit: Self.maximumBytes)).filter(\.isStarred).map(\.id)
  }

  package var isThere: Bool { FileManager.default.fileExists(atPath: folder) }

  /// Whether anything is known of an account whose name begins with a text.
  package func hasAccounts(namedFrom beginning: String) -> Bool {
    let name = PrivateFile.name(of: beginning)
    let files = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return files.contains { $0.hasPrefix(name) }
  }

  /// Records what a server answered; nothing is written when nothing has changed.
  ///
  /// - Parameters:
  ///   - stars: Whether the account has starred each repository.
  ///   - isEvery: Whether `stars` has every star of the account: no other repository is starred.
  /// - Returns: False when the file cannot be written.
  @discardableResult
  package func record(_ stars: [String: Bool], of account: String, isEvery: Bool = false) -> Bool {
    guard !stars.isEmpty || isEvery else { return true }
    let file = path(account)
    // The lock is taken only for a change.
    if Self.changed(PrivateFile.read(file, limit: Self.maximumBytes), by: stars, isEvery: isEvery) == nil {
      return true
    }
    return PrivateFile.change(file, limit: Self.maximumBytes) {
      Self.changed($0, by: stars, isEvery: isEvery)
    }
  }

  /// The new contents, `nil` for the same.
  private static func changed(_ bytes: [UInt8]?, by stars: [String: Bool], isEvery: Bool) -> [UInt8]? {
    let old = entries(bytes)
    let known = Dictionary(old.map { ($0.id, $0.isStarred) }, uniquingKeysWith: { _, new in new })
    let isNews = stars.contains { known[$0.key] != $0.value }
    let isLess = isEvery && known.contains { $0.value && stars[$0.key] == nil }
    guard isNews || isLess else { return nil }
    let kept = old.filter { stars[$0.id] == nil }.map { (id: $0.id, isStarred: $0.isStarred && !isEvery) }
    let added = stars.sorted { $0.key < $1.key }.filter { !$0.key.utf8.contains(UInt8(ascii: "\n")) }
    let lines = (kept + added.map { (id: $0.key, isStarred: $0.value) }).suffix(maximumCount)
    return Array(lines.map { ($0.isStarred ? "+" : "-") + $0.id + "\n" }.joined().utf8)
  }

  private static func entries(_ bytes: [UInt8]?) -> [(id: String, isStarred: Bool)] {
    guard let bytes else { return [] }
    return bytes.split(separator: UInt8(ascii: "\n")).compactMap { line in
      guard let sign = line.first, sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") else { return nil }
      return (String(decoding: line.dropFirst(), as: UTF8.self), sign == UInt8(ascii: "+"))
    }
  }

  private func path(_ account: String) -> String { folder + "/" + PrivateFile.name(of: account) }
}
