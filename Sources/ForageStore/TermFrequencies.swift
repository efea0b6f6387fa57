import ForageFoundation
import GRDB

/// In how many texts of the code index terms occur, about: a search asks for the rarest ones.
///
/// Terms with the same hash are counted together, and texts that are gone stay counted.
package struct TermFrequencies: Sendable {
  /// The number of counts, a power of two: for the 400 most frequent trigrams, one in 40 rare ones has too high a count.
  private static let size = 1 << 14

  private var counts: [UInt32]

  init() { counts = Array(repeating: 0, count: Self.size) }

  /// Reads the counts; all are 0 in an index that was made without them.
  init(_ database: Database) throws {
    self.init()
    guard let stored = try Data.fetchOne(database, sql: "SELECT counts FROM frequencies"),
      stored.count == Self.size * 4
    else { return }
    counts.withUnsafeMutableBytes { $0.copyBytes(from: stored) }
  }

  func write(_ database: Database) throws {
    let stored = counts.withUnsafeBytes { Data($0) }
    try database.execute(
      sql: "INSERT OR REPLACE INTO frequencies (id, counts) VALUES (0, ?)", arguments: [stored])
  }

  package subscript(term: String) -> Int { Int(counts[Self.place(term.utf8)]) }

  /// Counts the terms of a text, which are separated by spaces.
  mutating func add(_ terms: Data) {
    terms.withUnsafeBytes { bytes in
      for term in bytes.split(separator: UInt8(ascii: " ")) { counts[Self.place(term)] &+= 1 }
    }
  }

  /// FNV-1a, of which the highest bits are mixed best.
  private static func place(_ term: some Sequence<UInt8>) -> Int {
    var hash: UInt32 = 2_166_136_261
    for byte in term { hash = (hash ^ UInt32(byte)) &* 16_777_619 }
    return Int(hash >> 18)
  }
}
