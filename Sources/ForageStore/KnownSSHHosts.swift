import ForagePlatform
import Synchronization

/// The hosts for SSH that forges have named in earlier answers, where these are others than those of their
/// pages: one small file, which can be deleted at any time.
///
/// A line has the host for SSH and the host of the forge, with a tab between; the newest lines are the last.
package final class KnownSSHHosts: Sendable {
  /// The most hosts; the oldest go first.
  private static let maximumCount = 200
  private static let maximumBytes = 256 << 10

  private let path: String
  private let known = Mutex<[String: String]?>(nil)

  /// Names the file; nothing is read.
  package init(path: String) { self.path = path }

  /// The host of the forge of each host for SSH.
  package var hosts: [String: String] {
    known.withLock { known in
      if let known { return known }
      let read = Self.dictionary(Self.entries(PrivateFile.read(path, limit: Self.maximumBytes)))
      known = read
      return read
    }
  }

  /// Records what forges have answered; nothing is written when nothing has changed.
  ///
  /// - Parameter pairs: Hosts for SSH, each with the host of the forge that names it.
  package func record(_ pairs: [(ssh: String, forge: String)]) {
    let old = hosts
    let news = pairs.filter { pair in
      old[pair.ssh] != pair.forge && [pair.ssh, pair.forge].allSatisfy { !$0.contains { $0.isWhitespace } }
    }
    guard !news.isEmpty else { return }
    let fresh = Self.dictionary(news)
    known.withLock { $0 = old.merging(fresh) { $1 } }
    _ = PrivateFile.change(path, limit: Self.maximumBytes) { bytes in
      let kept = Self.entries(bytes).filter { fresh[$0.ssh] == nil }
      let added = fresh.sorted { $0.key < $1.key }.map { (ssh: $0.key, forge: $0.value) }
      return Array((kept + added).suffix(Self.maximumCount).map { "\($0.ssh)\t\($0.forge)\n" }.joined().utf8)
    }
  }

  private static func dictionary(_ pairs: [(ssh: String, forge: String)]) -> [String: String] {
    Dictionary(pairs.map { ($0.ssh, $0.forge) }, uniquingKeysWith: { $1 })
  }

  private static func entries(_ bytes: [UInt8]?) -> [(ssh: String, forge: String)] {
    String(decoding: bytes ?? [], as: UTF8.self).split(separator: "\n").compactMap { line in
      let parts = line.split(separator: "\t")
      return parts.count == 2 ? (String(parts[0]), String(parts[1])) : nil
    }
  }
}
