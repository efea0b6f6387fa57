import ForageCore
package import ForageFoundation
import ForagePlatform

/// The facts of inspected clones: one file for each clone, in a folder that can be deleted at any time.
///
/// A file is replaced as a whole, so that processes need no lock. Its first line has what the facts are of
/// and a hash of them: a file that is damaged, older or another clone's is taken for none.
package struct InspectionFiles: Sendable {
  /// The largest file (16 MiB): a hundred thousand authors.
  private static let largestFile = 16 << 20
  /// How long files are kept after they were written, in seconds: 90 days. Facts stay valid, but clones may
  /// be deleted.
  private static let lifetime: Double = 90 * 24 * 60 * 60

  private let folder: String
  private let maximumBytes: Int

  /// Describes a folder, which is created with the first file.
  ///
  /// - Parameter maximumBytes: The bound of all files in bytes, above which the oldest ones are removed.
  package init(folder: String, maximumBytes: Int) {
    (self.folder, self.maximumBytes) = (folder, maximumBytes)
  }

  /// The facts that were stored for a clone; `nil` if there are none of this identity.
  ///
  /// - Parameters:
  ///   - clone: What distinguishes the clone from others.
  ///   - identity: What the facts depend on, without a line break.
  package func read(_ clone: String, identity: String) -> [UInt8]? {
    guard let bytes = PrivateFile.read(path(clone), limit: Self.largestFile),
      let end = bytes.firstIndex(of: UInt8(ascii: "\n"))
    else { return nil }
    let facts = Array(bytes[(end + 1)...])
    return bytes[..<end].elementsEqual(Self.head(clone, identity, facts).utf8) ? facts : nil
  }

  /// Stores the facts of a clone in place of others.
  package func write(_ clone: String, identity: String, _ facts: [UInt8]) {
    guard facts.count < Self.largestFile else { return }
    let line = Array((Self.head(clone, identity, facts) + "\n").utf8)
    _ = PrivateFile.write(line + facts, to: path(clone))
  }

  /// Removes files that are too old, and while there are too many bytes the oldest ones.
  package func trim(now: Date = Date()) {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    StoredFile.trim(
      names.compactMap { StoredFile(folder + "/" + $0) }, now: now.timeIntervalSince1970,
      lifetime: Self.lifetime, maximumBytes: maximumBytes, leftBytes: maximumBytes)
  }

  private func path(_ clone: String) -> String { folder + "/" + String(clone.utf8.fnv1a, radix: 16) }

  private static func head(_ clone: String, _ identity: String, _ facts: [UInt8]) -> String {
    "\(identity) \(String(clone.utf8.fnv1a, radix: 16)) \(String(facts.fnv1a, radix: 16))"
  }
}
